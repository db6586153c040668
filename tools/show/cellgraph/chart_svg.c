/* chart_svg.c: a graph as SVG. */
#include "chart_svg.h"
#include "chart_names.h"
#include "figure/figure_theme.h"
#include "text/markup.h"
#include "text/text.h"

/* ---- the style sheet ---- */

/* Colours that colour-blind people can distinguish; in black and white the dashes do. */
static const struct {
	const char *colour;	/* a name of share/figure/theme.json */
	double dash[4];	/* px; ends with 0 */
} looks[LOOKS] = {
	{"blue", {0}}, {"vermilion", {5, 2}}, {"green", {2, 2}}, {"blue", {0}}, {"soft", {8, 3}},
	{"brown", {11, 2}}, {"pink", {7, 2, 2, 2}}, {"black", {1, 2}},
};

/* Colours of the theme, each with what it is for. */
static const struct {
	const char *selector, *property, *colour;
} inks[] = {
	{"text", "fill", "ink"}, {".tick,.note,.sub", "fill", "soft"}, {"path", "stroke", "soft"},
	{".grid", "stroke", "grid"}, {".base", "stroke", "axis"}, {".at,.within", "stroke", "ink"},
	{".outside,.odd", "fill", "shade"}, {".even,.cell,.ground", "fill", "ground"},
	{".cell", "stroke", "rest"}, {".mark", "stroke", "ground"},
};

static void
put_colours(struct buf *b, bool dark)
{
	for (size_t i = 0; i < COUNT(inks); i++)
		buf_addf(b, "%s{%s:%s}", inks[i].selector, inks[i].property,
		    figure_theme_colour(inks[i].colour, dark));
	for (size_t i = 0; i < LOOKS; i++) {
		const char *colour = figure_theme_colour(looks[i].colour, dark);
		buf_addf(b, ".c%zu{stroke:%s}.s%zu{fill:%s}", i, colour, i, colour);
	}
}

/* em, title_em: sizes of text in px. */
static void
chart_style_put(struct buf *b, int em, int title_em)
{
	const char *font = json_string_value(json_object_get(json_object_get(
	    figure_theme_part("top"), "config"), "font"));
	buf_addf(b, "<style>\n"
	    "text{font:%dpx %s;white-space:pre}.title{font-size:%dpx;font-weight:bold}"
	    ".name{font-weight:bold}.mark{paint-order:stroke;stroke-width:3px}\n"
	    "path{fill:none}.at{stroke-dasharray:4 3}.within{stroke-width:.7;stroke-dasharray:2 3}"
	    ".cell{stroke-width:.6}.curve{stroke-width:1.6}\n"
	    ".between{stroke:none;fill-opacity:.25}", em, font, title_em);
	for (size_t i = 0; i < LOOKS; i++) {
		const double *dash = looks[i].dash;
		for (size_t k = 0; k < COUNT(looks[i].dash) && dash[k] > 0; k++) {
			if (!k)
				buf_addf(b, ".c%zu{stroke-dasharray:", i);
			buf_addf(b, "%s%g", k ? " " : "", dash[k]);
		}
		buf_addf(b, "%s", dash[0] > 0 ? "}" : "");
	}
	buf_addf(b, "path.level{stroke-width:2.4;stroke-dasharray:1.5 2.5}\n");
	put_colours(b, false);
	buf_addf(b, "\n@media screen and (prefers-color-scheme:dark){");
	put_colours(b, true);
	buf_addf(b, "}\n</style>\n");
}

enum { LEFT = 62, RIGHT = 14, TOP = 46, HEAD = 22, AXIS = 38, NOTE = 17, FLAT = 16 };
enum { LABEL_ROW = 14, GAP = 12, PLOT = 96, MIN_PLOT = 24, EM = 11, TITLE_EM = 15 };

struct frame {
	struct buf *b;
	const struct chart *c;
	double width, plot, y;	/* y: of the next part */
	double last_y;	/* the end of the last plot */
};

/* ---- text ----------------------------------------------------------------------------- */

static void
escaped(struct buf *b, const char *text, size_t columns)
{
	struct buf shown = {0};
	text_show(&shown, text, columns);
	for (const char *p = shown.p; *p; p++)
		if (!markup_escape(b, *p))
			buf_add(b, p, 1);
	buf_free(&shown);
}

/* `how`: one or two classes; anchor: start, middle or end. */
static void
text_at(struct frame *f, double x, double y, const char *how, const char *anchor, const char *text,
    double room)
{
	double size = strcmp(how, "title") == 0 ? TITLE_EM : EM;
	buf_addf(f->b, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">", x, y, how,
	    anchor);
	escaped(f->b, text, room > 0 ? (size_t)(room / chart_names_px("m", size)) : 0);
	buf_addf(f->b, "</text>\n");
}

static double
x_of(const struct frame *f, double at)
{
	return LEFT + f->plot * (at - f->c->from) / (f->c->to - f->c->from);
}

static void
put_line(struct frame *f, double x1, double y1, double x2, double y2, const char *how)
{
	buf_addf(f->b, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", how, x1, y1, x2, y2);
}

/* ---- curves --------------------------------------------------------------------------- */

struct plot {
	double y, h, top;
};

static double
y_of(const struct plot *p, double v)
{
	return p->y + p->h * (1 - fmin(fmax(v / p->top, 0), 1));
}

/* Steps along bins [from,to): right along `value`s, or left. */
static void
steps(struct frame *f, const struct plot *p, const struct chart_bin *bins, size_t from, size_t to,
    bool low, bool first)
{
	double each = f->plot / (double)f->c->bins, last = NAN;
	for (size_t k = from; k < to; k++) {
		size_t i = low ? from + to - 1 - k : k;
		double v = low ? bins[i].lo : first ? bins[i].mean : bins[i].hi;
		double y = round(10 * y_of(p, v)) / 10, x = LEFT + each * (double)(low ? i + 1 : i);
		if (k == from)
			buf_addf(f->b, "%c%.1f %.1f", low ? 'L' : 'M', x, y);
		else if (y != last)
			buf_addf(f->b, "H%.1fV%.1f", x, y);
		last = y;
	}
	buf_addf(f->b, "H%.1f", LEFT + each * (double)(low ? from : to));
}

static bool
is_wide(const struct plot *p, const struct chart_bin *bins, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if ((bins[i].hi - bins[i].lo) / p->top * p->h > 1)
			return true;
	return false;
}

/* Each known part: the range between its extremes, and its mean. */
static void
put_curve(struct frame *f, const struct plot *p, const struct curve *c)
{
	size_t n = f->c->bins, from, to;
	for (from = 0; from < n; from = to + 1) {
		for (to = from; to < n && isfinite(c->bins[to].mean); to++)
			continue;
		if (from == to)
			continue;
		if (is_wide(p, c->bins, from, to)) {
			buf_addf(f->b, "<path class=\"s%d between\" d=\"", c->look);
			steps(f, p, c->bins, from, to, false, false);
			steps(f, p, c->bins, from, to, true, false);
			buf_addf(f->b, "Z\"/>\n");
		}
		buf_addf(f->b, "<path class=\"c%d curve\" d=\"", c->look);
		steps(f, p, c->bins, from, to, false, true);
		buf_addf(f->b, "\"/>\n");
	}
}

/* ---- cells and moments ---------------------------------------------------------------- */

static void
rect(struct frame *f, const char *how, double x, double w, const struct plot *p)
{
	buf_addf(f->b, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
	    "height=\"%.1f\"/>\n", how, x, p->y, fmax(w, 0.5), p->h);
}

static void
put_bands(struct frame *f, const struct plot *p)
{
	const struct chart *c = f->c;
	if (c->gaps)
		rect(f, "outside", LEFT, f->plot, p);
	for (size_t i = 0; i < c->n_bands; i++)
		rect(f, c->gaps ? "cell" : i % 2 ? "odd" : "even", x_of(f, c->bands[i].from),
		    x_of(f, c->bands[i].to) - x_of(f, c->bands[i].from), p);
}

static void
put_moments(struct frame *f, const struct plot *p)
{
	for (size_t i = 0; i < f->c->n_marks; i++)
		put_line(f, x_of(f, f->c->marks[i].at), p->y, x_of(f, f->c->marks[i].at),
		    p->y + p->h, f->c->marks[i].name ? "at" : "within");
}

/* The events, above the first plot. */
static void
put_mark_names(struct frame *f)
{
	size_t n, rows;
	struct chart_name *v = chart_names_of_marks(f->c, f->plot, EM, &n, &rows);
	for (size_t i = 0; i < n; i++)
		put_line(f, LEFT + v[i].x, f->y - 13 - LABEL_ROW * (double)(rows - 1 - v[i].row),
		    LEFT + v[i].x, f->y, "at");
	for (size_t i = 0; i < n; i++)
		text_at(f, LEFT + v[i].x + (v[i].before ? -3 : 3),
		    f->y - 4 - LABEL_ROW * (double)(rows - 1 - v[i].row), "mark",
		    v[i].before ? "end" : "start", v[i].text, f->plot);
	free(v);
}

static void
put_cell_names(struct frame *f)
{
	size_t n;
	struct chart_name *v = chart_names_of_cells(f->c, f->plot, EM, &n);
	for (size_t i = 0; i < n; i++)
		text_at(f, LEFT + v[i].x, f->y - 4, "mark", "middle", v[i].text, v[i].wide + EM);
	free(v);
}

/* ---- panels --------------------------------------------------------------------------- */

/* The legend of the curves, from the right. */
static void
put_legend(struct frame *f, const struct panel *p, double from_x)
{
	double x = LEFT + f->plot, need = 0;
	for (size_t i = 0; i < p->n_curves; i++)
		need += 40 + chart_names_px(p->curves[i].name, EM) + (p->curves[i].figures ?
		    chart_names_px(p->curves[i].figures, EM) + 7 : 0);
	bool all = need < x - from_x;
	for (size_t i = p->n_curves; i-- > 0;) {
		const struct curve *c = &p->curves[i];
		struct buf t = {0};
		const char *figures = c->figures && all ? c->figures : "";
		buf_addf(&t, "%s%s%s", c->name, *figures ? " " : "", figures);
		double wide = chart_names_px(t.p, EM);
		if (x - wide - 30 < from_x) {
			buf_free(&t);
			break;
		}
		text_at(f, x - wide, f->y + 13, "legend", "start", t.p, wide + EM);
		buf_addf(f->b, "<path class=\"c%d curve\" d=\"M%.1f %.1fh22\"/>\n", c->look,
		    x - wide - 27, f->y + 9);
		x -= wide + 40;
		buf_free(&t);
	}
}

static void
put_grid(struct frame *f, const struct plot *p, const struct axis *a)
{
	for (double v = 0; v <= a->top * 1.0001; v += a->step) {
		struct buf t = {0};
		double y = y_of(p, v);
		chart_tick(&t, a, v);
		put_line(f, LEFT, y, LEFT + f->plot, y, v > 0 ? "grid" : "base");
		text_at(f, LEFT - 6, y + 4, "tick", "end", t.p, LEFT - 6);
		buf_free(&t);
	}
}

static bool
is_full(const struct panel *p)
{
	return !p->flat && !p->note;
}

/* Height of a strip's row: names fit, unless there are many. */
static double
strip_row_px(const struct panel *p)
{
	return p->n_curves > 16 ? 6 : 12;
}

/* A row: the busier, the darker; neighbours of one shade are one rectangle. */
static void
put_strip_row(struct frame *f, const struct curve *c, const struct plot *row)
{
	double each = f->plot / (double)f->c->bins;
	for (size_t from = 0, to; from < f->c->bins; from = to) {
		double shade = round(20 * c->bins[from].mean / 100) / 20;
		for (to = from + 1; to < f->c->bins; to++)
			if (!(round(20 * c->bins[to].mean / 100) / 20 == shade))
				break;
		if (shade > 0)
			buf_addf(f->b, "<rect class=\"s0\" fill-opacity=\"%.2f\" x=\"%.1f\" "
			    "y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", fmin(shade, 1),
			    LEFT + each * (double)from, row->y, each * (double)(to - from), row->h);
	}
}

static void
put_strip(struct frame *f, const struct panel *p, const struct plot *plot)
{
	double h = strip_row_px(p);
	for (size_t i = 0; i < p->n_curves; i++) {
		struct plot row = {plot->y + h * (double)i, h - 1, 0};
		put_strip_row(f, &p->curves[i], &row);
		if (h >= EM || i == 0 || i + 1 == p->n_curves)
			text_at(f, LEFT - 6, row.y + (h + EM) / 2 - 2, "tick", "end",
			    p->curves[i].name, LEFT - 6);
	}
	put_line(f, LEFT, plot->y + plot->h, LEFT + f->plot, plot->y + plot->h, "base");
	put_moments(f, plot);
}

static void
put_panel(struct frame *f, const struct panel *p, double h, size_t rows)
{
	struct axis a = chart_axis(p->most, h < 60 ? 2 : 4, p->bytes);
	struct buf t = {0};
	buf_addf(&t, "%s%s", p->title, *p->unit || *a.prefix ? ", " : "");
	chart_unit(&t, p, &a);
	text_at(f, 8, f->y + 13, "name", "start", t.p, f->plot);
	if (!p->strip)
		put_legend(f, p, 8 + chart_names_px(t.p, EM + 1) + 12);
	buf_free(&t);
	f->y += HEAD + LABEL_ROW * (double)rows;
	double strip = p->strip ? strip_row_px(p) * (double)p->n_curves : 0;
	struct plot plot = {f->y, !is_full(p) ? FLAT : p->strip ? strip : h, a.top};
	put_bands(f, &plot);
	if (rows) {
		put_mark_names(f);
		put_cell_names(f);
	}
	if (is_full(p) && p->strip) {
		put_strip(f, p, &plot);
	} else if (is_full(p)) {
		put_grid(f, &plot, &a);
		put_moments(f, &plot);
		for (size_t i = p->n_curves; i-- > 0;)
			put_curve(f, &plot, &p->curves[i]);
		for (size_t i = 0; i < p->n_levels; i++)
			buf_addf(f->b, "<path class=\"c%d level\" d=\"M%.1f %.1fH%.1f\"/>\n",
			    p->levels[i].look, x_of(f, p->levels[i].from),
			    y_of(&plot, p->levels[i].value), x_of(f, p->levels[i].to));
	} else {
		text_at(f, LEFT + 6, f->y + 12, "note", "start", p->note ? p->note : "0 throughout",
		    f->plot - 12);
		put_line(f, LEFT, f->y + FLAT, LEFT + f->plot, f->y + FLAT, "base");
	}
	f->last_y = f->y + plot.h;
	f->y = f->last_y + GAP;
}

/* ---- title, notes and axis -------------------------------------------------------------- */

static void
put_time_axis(struct frame *f)
{
	struct axis a = chart_axis(f->c->to - f->c->from, f->plot < 400 ? 4 : 8, false);
	for (double v = a.step * ceil(f->c->from / a.step - 1e-9); v <= f->c->to * 1.000001;
	    v += a.step) {
		struct buf t = {0};
		double x = x_of(f, v);
		chart_tick(&t, &a, v);
		put_line(f, x, f->last_y, x, f->last_y + 4, "base");
		text_at(f, x, f->last_y + 16, "tick", "middle", t.p, 100);
		buf_free(&t);
	}
	struct buf t = {0};
	buf_addf(&t, "%s%s", a.prefix, f->c->axis);
	text_at(f, LEFT + f->plot / 2, f->last_y + 31, "legend", "middle", t.p, f->plot + LEFT);
	buf_free(&t);
}

static void
put_head(struct frame *f, double height)
{
	buf_addf(f->b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
	    "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>", f->width, height, f->width, height);
	escaped(f->b, f->c->title, 300);
	buf_addf(f->b, "</title>\n");
	chart_style_put(f->b, EM, TITLE_EM);
	buf_addf(f->b, "<rect class=\"ground\" width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
	    figure_theme_colour("ground", false));
	text_at(f, 8, 20, "title", "start", f->c->title, f->width - 16);
	text_at(f, 8, 38, "sub", "start", f->c->subtitle, f->width - 16);
}

size_t
chart_svg_bins(size_t width)
{
	return width - LEFT - RIGHT;
}

/* The height of the panels without their plots, and that of the plots: `height`
 * shared, or a height that is easy to read. */
static double
plot_height(const struct chart *c, size_t height, double *rest)
{
	size_t full = 0;
	for (size_t i = 0; i < c->n_panels; i++) {
		const struct panel *p = &c->panels[i];
		bool strip = p->strip && is_full(p);
		full += is_full(p) && !strip;
		*rest += HEAD + GAP + (strip ? strip_row_px(p) * (double)p->n_curves :
		    is_full(p) ? 0 : FLAT);
	}
	double h = !height || !full ? PLOT
	    : fmax(MIN_PLOT, ((double)height - *rest) / (double)full);
	*rest += h * (double)full;
	return h;
}

void
chart_svg(struct buf *b, const struct chart *c, size_t width, size_t height)
{
	struct frame f = {.b = b, .c = c, .width = (double)width,
	    .plot = (double)chart_svg_bins(width), .y = TOP};
	size_t n, rows;
	free(chart_names_of_marks(c, f.plot, EM, &n, &rows));
	if (!rows)
		rows = c->n_bands > 1;
	double all = TOP + LABEL_ROW * (double)rows + AXIS + NOTE * (double)c->n_notes;
	double h = plot_height(c, height, &all);
	put_head(&f, all);
	for (size_t i = 0; i < c->n_panels; i++)
		put_panel(&f, &c->panels[i], h, i ? 0 : rows);
	put_time_axis(&f);
	for (size_t i = 0; i < c->n_notes; i++)
		text_at(&f, 8, all - NOTE * (double)(c->n_notes - i) + 8, "note", "start",
		    c->notes[i], f.width - 16);
	buf_addf(b, "</svg>\n");
}
