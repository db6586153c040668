/* figure_template.h: Vega-Lite specifications from the templates of share/figure, and texts and
 * numbers for them. */
#ifndef FIGURE_TEMPLATE_H
#define FIGURE_TEMPLATE_H

#include <jansson.h>

/* The template with each string "@NAME" replaced: by the member NAME of `values`, else by the
 * template NAME of `parts`, else by the theme's colour or size NAME.  A member without any, or
 * whose value is null, is left out.  The caller's. */
json_t *figure_template_fill(const json_t *, const json_t *parts, const json_t *values);

json_t *figure_text(const char *);	/* any bytes; the caller's */
/* Gives an object such a text. */
void figure_set_text(json_t *object, const char *key, const char *);
/* Gives it a number of at most 12 digits; null if it is not finite. */
void figure_set_number(json_t *object, const char *key, double);

#endif
