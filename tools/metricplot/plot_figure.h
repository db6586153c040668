/* plot_figure.h: a figure's panes, layers and labels, before gnuplot draws it.
 *
 * The layout is computed here, in pixels of 1/96 inch from the top left, so that SVG, PNG
 * and PDF are identical to the pixel and a page's script knows the position of each value.
 * gnuplot receives axes, ranges and numbers.  Texts are copied; a figure is freed whole.
 */
#ifndef PLOT_FIGURE_H
#define PLOT_FIGURE_H

#include "base/nbscope.h"

enum { PX_PER_INCH = 96, PX_TEXT = 10, PX_SMALL = 8, PX_TITLE = 12, PX_LINE = 13, PX_EDGE = 6 };
#define MM_PER_INCH 25.4

/* ---- styles: colours that colour-blind people can distinguish, each with its own shape - */

enum shape { DISC, TRIANGLE, SQUARE, DIAMOND, RING, NABLA, BOX, LOZENGE, DOT, TALLY, PLOT_SHAPES };
enum {
	STYLES_N = 8,
	INK = 0x333333,
	SOFT = 0x6e6e6e,
	FAINT = 0xbbbbbb,
	PAPER = 0xffffff,
	ACCENT = 0x0072b2,
	SECOND = 0xd55e00,
};
struct style {
	unsigned rgb;
	double alpha, size;	/* size: a point's diameter or a line's width, px */
	enum shape shape;
	int dash;	/* 0 solid, 1 dashed, 2 dotted, 3 dash-dot */
};

struct style plot_style(size_t i);	/* with alpha 1 and size 5 */
/* A colour of a scale from dark to light, which keeps its order in grey; 0 <= at <= 1. */
unsigned plot_ramp(double at);
bool plot_is_dark(unsigned rgb);
/* Black or white, whichever has more contrast with it: at least 4.5 to 1. */
unsigned plot_ink_on(unsigned rgb);

/* ---- the figure ------------------------------------------------------------------------ */

enum plot_mark { MARK_BAR, MARK_LINE, MARK_AREA, MARK_POINT };
struct layer {
	enum plot_mark kind;
	struct style style;
	double *v;	/* bars: x0 x1 y0 y1; others x y, NaN NaN between two lines or areas */
	size_t n, cap;
};
struct tick {
	double at;
	char *name;	/* "": a minor tick */
};
struct scale {
	double lo, hi;
	bool log, grid, bare;	/* bare: neither line nor ticks */
	struct tick *ticks;
	size_t n;
	char *title;	/* or NULL */
};
/* The text of a value, for the rectangle or point that shows it. */
struct tip {
	double x0, x1, y0, y1;
	char *text;
};
struct pane {
	double left, right, top, bottom;	/* px */
	struct scale x, y;
	struct layer *layers;
	size_t n_layers, at;	/* at: the layer that receives the next numbers */
	struct tip *tips;
	size_t n_tips;
};
enum align { TO_LEFT, TO_RIGHT, TO_MIDDLE };
struct plot_words {
	double x, y, px;
	enum align align;
	bool bold, turned;
	unsigned rgb;
	char *text;
};
struct drawing {
	double width, height;
	char *id, *title, *subtitle, *about;	/* about: a description for screen readers */
	struct pane **panes;
	size_t n_panes;
	struct plot_words *words;
	size_t n_words;
	char **notes;
	size_t n_notes;
	bool wants_tips;
};
struct drawing *plot_figure_new(double width);
void plot_figure_free(struct drawing *);
/* Adds title and subtitle; returns the y below them. */
double plot_figure_head(struct drawing *);
/* Adds a line below the figure. */
void plot_figure_note(struct drawing *, const char *fmt, ...) PRINTF(2, 3);
/* Places the notes below y and sets the figure's height. */
void plot_figure_foot(struct drawing *, double y);
/* Adds a legend, in as many lines as it needs; returns the y below it. */
struct key {
	struct style style;
	enum plot_mark mark;
	char *name;
};
double plot_figure_key(struct drawing *, double left, double y, const struct key *, size_t n);

/* The pane belongs to the figure. */
struct pane *plot_pane_add(struct drawing *, double left, double right, double top, double bottom);
/* Adds a layer on top, which receives the next numbers. */
void plot_pane_layer(struct pane *, enum plot_mark, struct style);
/* Selects the layer with this style, or adds one: marks that do not overlap need no order. */
void plot_pane_again(struct pane *, enum plot_mark, struct style);
void plot_pane_bar(struct pane *, double x0, double x1, double y0, double y1);
void plot_xy(struct pane *, double x, double y);
void plot_gap(struct pane *);
void plot_tip(struct drawing *, struct pane *, double x0, double x1, double y0, double y1,
    const char *fmt, ...) PRINTF(7, 8);
void plot_label(struct drawing *, double x, double y, enum align, double px, unsigned rgb,
    const char *text);
double plot_pane_x(const struct pane *, double x);	/* px */
double plot_pane_y(const struct pane *, double y);

#endif
