/* figure_template.h: Vega-Lite specifications from the templates of share/figure. */
#ifndef FIGURE_TEMPLATE_H
#define FIGURE_TEMPLATE_H

#include <jansson.h>

/* The template of this name with each string "@NAME" replaced: by the member NAME of `values`,
 * else by the template NAME, else by the theme's colour or size NAME.  A member without any, or
 * whose value is null, is left out.  The caller's. */
json_t *figure_template_fill(const char *name, const json_t *values);
/* Fills a template that uses `own` templates, by name, before those of share/figure. */
json_t *figure_template_fill_in(const json_t *, const json_t *own, const json_t *values);

struct figure_head {
	const char *id, *title, *about;	/* about: a description for screen readers */
	json_t *lines;	/* the title's, then the smaller ones below it */
	size_t title_lines;
	double width;	/* px */
	json_t *dark;	/* colours of this figure, and what they are on a dark ground */
};
/* Adds title, theme and format to a view; both are the caller's. */
json_t *figure_template_spec(json_t *view, const struct figure_head *);

#endif
