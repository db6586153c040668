/* plot_text.h: widths of texts, and texts that fit. */
#ifndef PLOT_TEXT_H
#define PLOT_TEXT_H

#include <stddef.h>

double plot_text_px(const char *text, double px);
/* Shortened in its middle if it is wider than `room`; the caller's. */
char *plot_text_fit(const char *text, double px, double room);
/* Names of one axis, distinct, each at most `room` wide.  Of "mode=png side=1000" the values
 * remain, and *keys, which the caller frees, are "mode / side", else NULL; then the beginning or
 * end that long names share is removed.  plot_text_free() frees them. */
char **plot_text_fit_names(char *const *names, size_t n, double px, double room, char **keys);
/* Lines at most `room` wide; plot_text_free() frees them. */
char **plot_text_wrap(const char *text, double px, double room, size_t *n);
void plot_text_free(char **, size_t n);	/* each text, and the array */

#endif
