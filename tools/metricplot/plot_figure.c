/* plot_figure.c: panes, layers and labels of a figure. */
#include "base/nbscope.h"
#include "base/die.h"
#include "plot_figure.h"
#include "plot_scale.h"
#include "plot_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_GAP = 12, KEY_MARK = 16, AXIS_GAP = 4 };

struct style
plot_style(size_t i)
{
	static const unsigned colours[STYLES_N] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000, 0x7f5200};
	return (struct style){colours[i % STYLES_N], 1, 5, (enum shape)(i % STYLES_N), (int)(i % 4)};
}

/* Cividis, from ten of its colours: its lightness increases evenly. */
unsigned
plot_ramp(double at)
{
	static const unsigned stops[] = {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838};
	double x = (at > 0 ? at < 1 ? at : 1 : 0) * (double)(COUNT(stops) - 1);
	size_t i = x >= (double)(COUNT(stops) - 1) ? COUNT(stops) - 2 : (size_t)x;
	unsigned all = 0;
	for (int shift = 0; shift < 24; shift += 8) {
		double a = stops[i] >> shift & 255, b = stops[i + 1] >> shift & 255;
		all |= (unsigned)(a + (b - a) * (x - (double)i) + 0.5) << shift;
	}
	return all;
}

bool
plot_is_dark(unsigned rgb)
{
	return 0.299 * (rgb >> 16 & 255) + 0.587 * (rgb >> 8 & 255) + 0.114 * (rgb & 255) < 140;
}

/* Relative luminance of sRGB: 0 to 1. */
static double
luminance(unsigned rgb)
{
	static const double weights[] = {0.0722, 0.7152, 0.2126};
	double sum = 0;
	for (int i = 0; i < 3; i++)
		sum += weights[i] * pow(((rgb >> 8 * i & 255) / 255.0 + 0.055) / 1.055, 2.4);
	return sum;
}

unsigned
plot_ink_on(unsigned rgb)
{
	double light = luminance(rgb);
	return (1 + 0.05) / (light + 0.05) > (light + 0.05) / 0.05 ? PAPER : 0;
}

struct drawing *
plot_figure_new(double width)
{
	struct drawing *f = xmalloc(sizeof(*f));
	*f = (struct drawing){.width = width};
	return f;
}

static void
scale_free(struct scale *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->ticks[i].name);
	free(s->ticks);
	free(s->title);
}

void
plot_figure_free(struct drawing *f)
{
	for (size_t i = 0; i < f->n_panes; i++) {
		struct pane *p = f->panes[i];
		for (size_t k = 0; k < p->n_layers; k++)
			free(p->layers[k].v);
		for (size_t k = 0; k < p->n_tips; k++)
			free(p->tips[k].text);
		scale_free(&p->x);
		scale_free(&p->y);
		free(p->layers);
		free(p->tips);
		free(p);
	}
	for (size_t i = 0; i < f->n_words; i++)
		free(f->words[i].text);
	for (size_t i = 0; i < f->n_notes; i++)
		free(f->notes[i]);
	free(f->panes);
	free(f->words);
	free(f->notes);
	free(f->id);
	free(f->title);
	free(f->subtitle);
	free(f->about);
	free(f);
}

void
plot_label(struct drawing *f, double x, double y, enum align align, double px, unsigned rgb, const char *text)
{
	f->words = xrealloc(f->words, (f->n_words + 1) * sizeof(*f->words));
	f->words[f->n_words++] = (struct plot_words){x, y, px, align, false, false, rgb, xstrdup(text)};
}

static double
paragraph(struct drawing *f, double y, const char *text, double px, unsigned rgb, bool bold)
{
	size_t n;
	double wide = bold ? 1.12 : 1;
	char **lines = plot_text_wrap(text, px * wide, f->width - 2 * PX_EDGE, &n);
	for (size_t i = 0; i < n; i++) {
		plot_label(f, PX_EDGE, y + px / 2 + 1, TO_LEFT, px, rgb, lines[i]);
		f->words[f->n_words - 1].bold = bold;
		y += px * 1.35;
	}
	plot_text_free(lines, n);
	return y;
}

double
plot_figure_head(struct drawing *f)
{
	double y = PX_EDGE;
	if (f->title && *f->title)
		y = paragraph(f, y, f->title, PX_TITLE, INK, true);
	if (f->subtitle && *f->subtitle)
		y = paragraph(f, y, f->subtitle, PX_TEXT, SOFT, false);
	return y + 4;
}

void
plot_figure_note(struct drawing *f, const char *fmt, ...)
{
	va_list ap;
	char *text;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		die(ST_SYSTEM, "out of memory");
	va_end(ap);
	f->notes = xrealloc(f->notes, (f->n_notes + 1) * sizeof(*f->notes));
	f->notes[f->n_notes++] = text;
}

void
plot_figure_foot(struct drawing *f, double y)
{
	for (size_t i = 0; i < f->n_notes; i++)
		y = paragraph(f, y, f->notes[i], PX_SMALL, SOFT, false);
	f->height = ceil(y + PX_EDGE);
}

double
plot_figure_key(struct drawing *f, double left, double y, const struct key *keys, size_t n)
{
	double x = left;
	if (!n)
		return y;
	struct pane *p = plot_pane_add(f, 0, f->width, y, y);
	/* A pane over the whole figure, in pixels, so that the legend has the marks of the figure. */
	p->x = (struct scale){.lo = 0, .hi = f->width, .bare = true};
	p->y = (struct scale){.bare = true};
	for (size_t i = 0; i < n; i++) {
		double room = f->width - left - PX_EDGE - KEY_MARK;
		char *name = plot_text_fit(keys[i].name, PX_TEXT, room);
		double wide = KEY_MARK + plot_text_px(name, PX_TEXT);
		if (x > left && x + wide > f->width - PX_EDGE) {
			x = left;
			y += PX_LINE;
		}
		double middle = y + PX_LINE / 2.0;
		plot_pane_layer(p, keys[i].mark == MARK_AREA ? MARK_BAR : keys[i].mark, keys[i].style);
		if (keys[i].mark == MARK_POINT) {
			plot_xy(p, x + KEY_MARK / 2.0 - 2, middle);
		} else if (keys[i].mark == MARK_LINE) {
			plot_xy(p, x, middle);
			plot_xy(p, x + KEY_MARK - 4, middle);
		} else {
			plot_pane_bar(p, x + 1, x + KEY_MARK - 4, middle - 4, middle + 4);
		}
		plot_label(f, x + KEY_MARK, middle, TO_LEFT, PX_TEXT, INK, name);
		x += wide + KEY_GAP;
		free(name);
	}
	p->y.lo = p->bottom = y + PX_LINE;
	p->y.hi = p->top;
	return y + PX_LINE + 4;
}

struct pane *
plot_pane_add(struct drawing *f, double left, double right, double top, double bottom)
{
	f->panes = xrealloc(f->panes, (f->n_panes + 1) * sizeof(*f->panes));
	struct pane *p = f->panes[f->n_panes++] = xmalloc(sizeof(*p));
	*p = (struct pane){.left = left, .right = right, .top = top, .bottom = bottom};
	return p;
}

void
plot_pane_layer(struct pane *p, enum plot_mark kind, struct style style)
{
	p->layers = xrealloc(p->layers, (p->n_layers + 1) * sizeof(*p->layers));
	p->at = p->n_layers;
	p->layers[p->n_layers++] = (struct layer){.kind = kind, .style = style};
}

void
plot_pane_again(struct pane *p, enum plot_mark kind, struct style s)
{
	for (size_t i = 0; i < p->n_layers; i++) {
		const struct style *is = &p->layers[i].style;
		if (p->layers[i].kind != kind || is->rgb != s.rgb || is->alpha != s.alpha || is->size != s.size || is->shape != s.shape || is->dash != s.dash)
			continue;
		p->at = i;
		if (kind == MARK_LINE || kind == MARK_AREA)
			plot_gap(p);
		return;
	}
	plot_pane_layer(p, kind, s);
}

static void
put(struct pane *p, double v)
{
	struct layer *l = &p->layers[p->at];
	if (l->n == l->cap)
		l->v = xrealloc(l->v, (l->cap = l->cap ? 2 * l->cap : 16) * sizeof(*l->v));
	l->v[l->n++] = v;
}

/* On a logarithmic axis, bars begin at the axis' end. */
static double
within(const struct scale *s, double v)
{
	double lo = fmin(s->lo, s->hi), hi = fmax(s->lo, s->hi);
	return s->lo == s->hi ? v : v < lo ? lo : v > hi ? hi : v;
}

void
plot_pane_bar(struct pane *p, double x0, double x1, double y0, double y1)
{
	put(p, within(&p->x, x0));
	put(p, within(&p->x, x1));
	put(p, within(&p->y, y0));
	put(p, within(&p->y, y1));
}

void
plot_xy(struct pane *p, double x, double y)
{
	put(p, x);
	put(p, y);
}

void
plot_gap(struct pane *p)
{
	plot_xy(p, NAN, NAN);
}

void
plot_tip(struct drawing *f, struct pane *p, double x0, double x1, double y0, double y1, const char *fmt, ...)
{
	va_list ap;
	char *text;
	if (!f->wants_tips)
		return;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		die(ST_SYSTEM, "out of memory");
	va_end(ap);
	if ((p->n_tips & (p->n_tips - 1)) == 0)
		p->tips = xrealloc(p->tips, (p->n_tips ? 2 * p->n_tips : 1) * sizeof(*p->tips));
	p->tips[p->n_tips++] = (struct tip){x0, x1, y0, y1, text};
}

static double
place(const struct scale *s, double v)
{
	return plot_scale_place(s, within(s, v));
}

double
plot_pane_x(const struct pane *p, double x)
{
	return p->left + place(&p->x, x) * (p->right - p->left);
}

double
plot_pane_y(const struct pane *p, double y)
{
	return p->bottom - place(&p->y, y) * (p->bottom - p->top);
}
