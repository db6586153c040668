/* plot_names.h: names of groups without what they share; how wide they are is measured by what draws
 * them. */
#ifndef PLOT_NAMES_H
#define PLOT_NAMES_H

#include <stddef.h>

size_t plot_names_letters(const char *text);
/* Names of one axis: if some have more letters than `most`, the values of "mode=png side=1000", and
 * *keys, which the caller frees, is "mode / side"; else NULL, and the names without the words that
 * the long ones share at their beginning or end. */
char **plot_names_short(char *const *names, size_t n, size_t most, char **keys);

#endif
