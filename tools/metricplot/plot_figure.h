/* plot_figure.h: a figure's views, title and notes, from which its specification is made. */
#ifndef PLOT_FIGURE_H
#define PLOT_FIGURE_H

#include "base/nbscope.h"

#include <jansson.h>

enum { PX_PER_INCH = 96, PX_TEXT = 10, PX_SMALL = 8, PX_TITLE = 12, PX_EDGE = 6 };
#define MM_PER_INCH 25.4

struct drawing {
	double width;	/* px of 1/96 inch */
	char *id, *title, *subtitle, *about;	/* about: a description for screen readers */
	json_t *notes, *views, *dark;	/* dark: colours of its own,
	    and what they are on a dark ground */
	size_t across;	/* views next to each other; 0: all */
	bool wants_tips;	/* the text of each value, for those formats that can show it */
};

void plot_figure_start(struct drawing *, double width);
/* Adds a line below the title. */
void plot_figure_note(struct drawing *, const char *fmt, ...) PRINTF(2, 3);
/* Adds a view from a template of share/figure; releases `values`. */
void plot_figure_view(struct drawing *, const char *name, json_t *values);
json_t *plot_figure_spec(const struct drawing *);	/* the caller's */
void plot_figure_free(struct drawing *);

/* Gives an object a text, which may have any bytes, or what it was formatted to. */
void plot_set_text(json_t *object, const char *key, const char *fmt, ...) PRINTF(3, 4);
/* The same with a number of at most 12 digits; null if it is not finite. */
void plot_set_number(json_t *object, const char *key, double);

#endif
