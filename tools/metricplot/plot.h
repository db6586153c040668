/* plot.h: a figure as it is known before gnuplot draws it.
 *
 * Everything is laid out here, in pixels of 1/96 inch from the top left, so that
 * SVG, PNG and PDF are alike to the pixel and a page's script knows where each
 * value stands.  gnuplot gets axes, ranges and plain numbers.
 * Texts that are given are copied; a figure is freed whole.
 */
#ifndef PLOT_H
#define PLOT_H

#include "base/nbscope.h"

enum { PX_PER_INCH = 96, PX_TEXT = 10, PX_SMALL = 8, PX_TITLE = 12, PX_LINE = 13, PX_EDGE = 6 };
#define MM_PER_INCH 25.4

/* ---- looks: colours that the colour-blind tell apart, each with a shape of its own --- */

enum shape { DISC, TRIANGLE, SQUARE, DIAMOND, RING, NABLA, BOX, LOZENGE, DOT, TALLY, PLOT_SHAPES };
enum { LOOKS_N = 8, INK = 0x333333, SOFT = 0x6e6e6e, FAINT = 0xbbbbbb, PAPER = 0xffffff, ACCENT = 0x0072b2, SECOND = 0xd55e00 };
struct style {
	unsigned rgb;
	double alpha, size;	/* size: of a point's diameter, of a line's width, px */
	enum shape shape;
	int dash;	/* 0 solid, 1 dashed, 2 dotted, 3 dash-dot */
};
struct style plot_style(size_t i);	/* with alpha 1 and size 5 */
/* From dark to light, so that an order stays one in grey; 0 <= at <= 1. */
unsigned plot_ramp(double at);
bool plot_is_dark(unsigned rgb);
/* Black or white, whichever is read better on it: 4.5 to 1 at least. */
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
	char *name;	/* "": a small one */
};
struct scale {
	double lo, hi;
	bool log, grid, bare;	/* bare: neither line nor ticks */
	struct tick *ticks;
	size_t n;
	char *title;	/* or NULL */
};
/* What a value is, over the rectangle (or point) where it stands. */
struct tip {
	double x0, x1, y0, y1;
	char *text;
};
struct pane {
	double left, right, top, bottom;	/* px */
	struct scale x, y;
	struct layer *layers;
	size_t n_layers, at;	/* at: the layer that the next numbers go to */
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
	char *id, *title, *subtitle, *about;	/* about: for those who cannot see it */
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
/* Title and subtitle; returns where the rest may begin. */
double plot_figure_head(struct drawing *);
/* Adds a line to what stands below. */
void plot_figure_note(struct drawing *, const char *fmt, ...) PRINTF(2, 3);
/* The notes, below y; the figure ends there. */
void plot_figure_foot(struct drawing *, double y);
/* The same marks beside words, in as many lines as they need; returns y below. */
struct key {
	struct style style;
	enum plot_mark mark;
	char *name;
};
double plot_figure_key(struct drawing *, double left, double y, const struct key *, size_t n);

/* The figure's. */
struct pane *plot_pane_add(struct drawing *, double left, double right, double top, double bottom);
/* A new layer on top, for the numbers that follow. */
void plot_pane_layer(struct pane *, enum plot_mark, struct style);
/* The layer that looks so, once more: what does not overlap needs no order. */
void plot_pane_again(struct pane *, enum plot_mark, struct style);
void plot_pane_bar(struct pane *, double x0, double x1, double y0, double y1);
void plot_xy(struct pane *, double x, double y);
void plot_gap(struct pane *);
void plot_tip(struct drawing *, struct pane *, double x0, double x1, double y0, double y1, const char *fmt, ...) PRINTF(7, 8);
void plot_label(struct drawing *, double x, double y, enum align, double px, unsigned rgb, const char *text);
double plot_pane_x(const struct pane *, double x);	/* px */
double plot_pane_y(const struct pane *, double y);

/* ---- plottext.c ------------------------------------------------------------------------ */

double plot_text_px(const char *text, double px);
/* Cut in the middle where it is wider. */
char *plot_text_fit(const char *text, double px, double room);
/* Each of names that stand together, at most so wide: what the wide ones share goes before what
 * tells them apart.  texts_free() frees them. */
char **plot_text_fit_names(char *const *names, size_t n, double px, double room);
/* Lines that fit; texts_free() frees them. */
char **plot_text_wrap(const char *text, double px, double room, size_t *n);
void plot_text_free(char **, size_t n);	/* each and the list */

/* ---- plotglyph.c: the caller's; U+FFFD where no font here has a character -------------- */

char *plot_glyph_text(const char *text);

/* ---- plotscale.c ----------------------------------------------------------------------- */

/* From the least to the largest of what is shown, with round numbers as ticks,
 * as many as fit into `room` px. */
void plot_scale_fit(struct scale *, double least, double most, bool log, double room, bool upright);
/* Rows 0..n-1 downwards, or columns to the right, with names. */
void plot_scale_names(struct scale *, char *const *names, size_t n, bool down, double px, double room);
void plot_scale_tick(struct scale *, double at, const char *name);
/* A number of an axis: "1000", "0.02", "10⁵"; told from others that are `step` away, if that is not 0. */
char *plot_scale_tick_text(double value, double step);
/* The least difference of ascending numbers, 0 of fewer than two. */
double plot_scale_step(const double *v, size_t n);
/* Where in it: 0 at its low end, 1 at its high one. */
double plot_scale_place(const struct scale *, double v);
/* A number for people, three digits. */
char *plot_scale_number(double value);

/* ---- plotdraw.c, plotweb.c ------------------------------------------------------------- */

enum picture { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF, PICTURE_HTML };
/* Adds the picture to `to`; dies where gnuplot fails. */
void xplot_draw(struct buf *to, const struct drawing *, enum picture);
/* gnuplot's SVG as one that may stand beside others in a page. */
void plot_web_svg(struct buf *to, const struct drawing *, char *svg);
void plot_web_page(struct buf *to, const struct drawing *, char *svg);

#endif
