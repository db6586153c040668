/* plot_figure.h: a figure's views, title and notes, from which its specification is made. */
#ifndef PLOT_FIGURE_H
#define PLOT_FIGURE_H

#include "base/nbscope.h"

#include "figure/figure_theme.h"
#include "figure_value.h"

#include <jansson.h>

enum { PX_PER_INCH = 96 };
/* The theme's sizes of text, and the space around a figure. */
#define PX_TEXT figure_theme_px("text")
#define PX_SMALL figure_theme_px("small")
#define PX_TITLE figure_theme_px("title")
#define PX_EDGE figure_theme_px("edge")
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

#endif
