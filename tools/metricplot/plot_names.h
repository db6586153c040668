/* plot_names.h: how names that are too long are shown. */
#ifndef PLOT_NAMES_H
#define PLOT_NAMES_H

#include <jansson.h>
#include <stddef.h>

size_t plot_names_letters(const char *text);
/* A Vega expression that shortens those of the names, the values of datum.label, that have more
 * letters than `most`: to the values of "mode=png side=1000", where the first is of that form
 * (*keys, which the caller frees, is "mode / side"; else NULL), or without the words that they
 * share at their beginning and end, and in its middle.  The caller's. */
char *plot_names_short(const json_t *names, size_t most, char **keys);

#endif
