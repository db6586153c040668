/* chart_text.c: a graph in characters, for a terminal. */
#include "chart_text.h"
#include "base/die.h"
#include "base/num.h"
#include "text/text.h"

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

enum { LABEL = 8, ROWS = 4, MAX_LINES = 4 };

static const struct {
	size_t across, down;	/* dots of one character */
	const char *tick, *corner, *flat, *down_tick;
} grids[] = {
	[G_BRAILLE] = {2, 4, "┤", "└", "─", "┬"},
	[G_BLOCK] = {1, 2, "┤", "└", "─", "┬"},
	[G_ASCII] = {1, 2, "|", "+", "-", "+"},
};
static_assert((int)LOOKS <= (int)CURVE_STYLES, "a curve without a style");

struct canvas {
	const struct chart *c;
	struct buf *b;
	size_t columns, plot, rows;	/* plot: columns of curves */
	enum glyphs glyphs;
	bool colour;
	unsigned char *dots;
};

size_t
chart_text_bins(size_t columns, enum glyphs g)
{
	return (columns - LABEL) * grids[g].across;
}

/* ---- dots ----------------------------------------------------------------------------- */

static void
set_dots(struct canvas *v, size_t x, size_t height)
{
	size_t down = v->rows * grids[v->glyphs].down;
	if (height >= 1 && height <= down && x < v->c->bins)
		v->dots[(down - height) * v->c->bins + x] = 1;
}

static size_t
height_of(const struct canvas *v, double value, double top)
{
	double down = (double)(v->rows * grids[v->glyphs].down);
	return (size_t)fmin(down, ceil(fmax(value / top, 0) * down - 0.25));
}

/* Filled up to the mean, with a dot at the maximum. */
static void
dot_curve(struct canvas *v, const struct panel *p, const struct curve *c, double top)
{
	memset(v->dots, 0, v->rows * grids[v->glyphs].down * v->c->bins);
	for (size_t x = 0; x < v->c->bins; x++) {
		if (isnan(c->bins[x].mean))
			continue;
		size_t h = height_of(v, c->bins[x].mean, top);
		for (size_t k = 1; k <= h; k++)
			set_dots(v, x, k);
		set_dots(v, x, height_of(v, c->bins[x].hi, top));
		if (v->glyphs == G_BRAILLE)
			set_dots(v, x, 1);
	}
	double per = (double)v->c->bins / (v->c->to - v->c->from);
	for (size_t i = 0; i < p->n_levels; i++) {
		const struct reading *l = &p->levels[i];
		if (l->look != c->look)
			continue;
		size_t from = (size_t)fmax(0, (l->from - v->c->from) * per);
		size_t to = (size_t)fmax(0, (l->to - v->c->from) * per);
		for (size_t x = from; x <= to; x += grids[v->glyphs].across)
			set_dots(v, x, height_of(v, l->value, top));
	}
}

static void
put_glyph(struct canvas *v, const struct curve *c, size_t column, size_t row)
{
	static const unsigned char bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
	size_t across = grids[v->glyphs].across, down = grids[v->glyphs].down;
	unsigned set_bits = 0;
	for (size_t y = 0; y < down; y++)
		for (size_t x = 0; x < across; x++)
			if (v->dots[(row * down + y) * v->c->bins + column * across + x])
				set_bits |= bits[y][x];
	if (v->glyphs == G_BRAILLE) {
		if (set_bits)
			buf_add(v->b, (char[]){(char)0xe2, (char)(0xa0 + (set_bits >> 6)),
			    (char)(0x80 + (set_bits & 63))}, 3);
		else
			buf_add(v->b, " ", 1);
		return;
	}
	static const char *const block[] = {" ", "▀", "▄", "█"};
	static const char *const ascii[] = {" ", "'", ".", ":"};
	bool zero = !set_bits && row + 1 == v->rows && isfinite(c->bins[column].mean);
	buf_addf(v->b, "%s", zero ? "_" : (v->glyphs == G_BLOCK ? block : ascii)[set_bits]);
}

/* ---- lines ---------------------------------------------------------------------------- */

static void
newline(struct buf *b)
{
	text_trim_end(b);
	buf_add(b, "\n", 1);
}

static void
add_style(struct canvas *v, enum style style)
{
	if (v->colour)
		buf_addf(v->b, "%s", style_begin(STDOUT_FILENO, style));
}

static void
put_words(struct canvas *v, const char *words, enum style style)
{
	if (style)
		add_style(v, style);
	text_show(v->b, words, v->columns);
	if (style)
		add_style(v, STYLE_NONE);
	newline(v->b);
}

static void
put_rows(struct canvas *v, const struct curve *c, const struct axis *a)
{
	for (size_t row = 0; row < v->rows; row++) {
		struct buf label = {0};
		if (row == 0)
			chart_tick(&label, a, a->top);
		else if (row + 1 == v->rows)
			chart_tick(&label, a, 0);
		else if (2 * row == v->rows && fmod(a->top / a->step + 1e-6, 2) < 1e-3)
			chart_tick(&label, a, a->top / 2);
		buf_addf(v->b, "%*s%s", LABEL - 1, label.p ? label.p : "", grids[v->glyphs].tick);
		add_style(v, STYLE_CURVE + (enum style)c->look);
		for (size_t k = 0; k < v->plot; k++)
			put_glyph(v, c, k, row);
		add_style(v, STYLE_NONE);
		newline(v->b);
		buf_free(&label);
	}
}

static void
put_curve(struct canvas *v, const struct panel *p, const struct curve *c)
{
	struct axis a = chart_axis(c->most, 4, p->bytes);
	struct buf head = {0};
	buf_addf(&head, "%s: %s%s", c->name, p->title, *p->unit || *a.prefix ? ", " : "");
	chart_unit(&head, p, &a);
	if (c->flat)
		buf_addf(&head, ": 0 throughout");
	else if (c->figures)
		buf_addf(&head, " (%s)", c->figures);
	put_words(v, head.p, STYLE_HEADING);
	buf_free(&head);
	if (!c->flat) {
		dot_curve(v, p, c, a.top);
		put_rows(v, c, &a);
	}
}

/* A row of shades for each curve. */
static void
put_strip(struct canvas *v, const struct panel *p)
{
	static const char *const blocks[] = {" ", "░", "▒", "▓", "█"};
	static const char *const ascii[] = {" ", ".", ":", "+", "#"};
	const char *const *shades = v->glyphs == G_ASCII ? ascii : blocks;
	size_t across = grids[v->glyphs].across;
	char *head = xasprintf("%s, %s", p->title, p->unit);
	put_words(v, head, STYLE_HEADING);
	free(head);
	for (size_t i = 0; i < p->n_curves; i++) {
		const struct curve *c = &p->curves[i];
		buf_addf(v->b, "%*s%s", LABEL - 1, c->name, grids[v->glyphs].tick);
		add_style(v, STYLE_CURVE);
		for (size_t k = 0; k < v->plot; k++) {
			double pct = fmax(num_or_0(c->bins[k * across].mean),
			    num_or_0(c->bins[k * across + across - 1].mean));
			buf_addf(v->b, "%s", shades[(size_t)fmin(round(4 * pct / 100), 4)]);
		}
		add_style(v, STYLE_NONE);
		newline(v->b);
	}
}

/* A graph and a scale for each curve: characters cannot show two. */
static void
put_panel(struct canvas *v, const struct panel *p)
{
	char *head = xasprintf("%s: %s", p->title, p->note ? p->note : "");
	if (p->note)
		put_words(v, head, STYLE_HEADING);
	free(head);
	if (p->strip && !p->note)
		put_strip(v, p);
	for (size_t i = 0; i < p->n_curves && !p->strip; i++)
		put_curve(v, p, &p->curves[i]);
}

/* Texts at their positions in a few lines, each in the first line with enough space. */
struct label_rows {
	char *line[MAX_LINES];
	size_t wide, used;
};

static struct label_rows
label_rows_of(size_t wide)
{
	struct label_rows l = {.wide = wide};
	for (size_t i = 0; i < MAX_LINES; i++) {
		l.line[i] = xmalloc(wide + 1);
		memset(l.line[i], ' ', wide);
		l.line[i][wide] = '\0';
	}
	return l;
}

static bool
place_words(struct label_rows *l, size_t most, size_t x, const char *words)
{
	size_t n = strlen(words);
	if (n > l->wide)
		return false;
	x = x + n > l->wide ? l->wide - n : x;
	for (size_t i = 0; i < most; i++) {
		size_t k = x && *words != '|' ? x - 1 : x;
		while (k < x + n && l->line[i][k] == ' ')
			k++;
		if (k < x + n)
			continue;
		memcpy(l->line[i] + x, words, n);
		l->used = i + 1 > l->used ? i + 1 : l->used;
		return true;
	}
	return false;
}

static void
put_label_rows(struct canvas *v, struct label_rows *l)
{
	for (size_t i = 0; i < MAX_LINES; i++) {
		if (i < l->used) {
			buf_addf(v->b, "%*s%s", LABEL, "", l->line[i]);
			newline(v->b);
		}
		free(l->line[i]);
	}
}

static size_t
column_of(const struct canvas *v, double at)
{
	double x = (double)v->plot * (at - v->c->from) / (v->c->to - v->c->from);
	return x < 0 ? 0 : x >= (double)v->plot ? v->plot - 1 : (size_t)x;
}

static void
put_time_axis(struct canvas *v)
{
	struct axis a = chart_axis(v->c->to - v->c->from, v->plot / 12 + 1, false);
	struct label_rows l = label_rows_of(v->plot);
	bool *tick = xmalloc(v->plot * sizeof *tick);
	memset(tick, 0, v->plot * sizeof *tick);
	for (double at = a.step * ceil(v->c->from / a.step - 1e-9); at <= v->c->to * 1.000001;
	    at += a.step) {
		struct buf t = {0};
		chart_tick(&t, &a, at);
		size_t x = column_of(v, at), half = t.n / 2;
		tick[x] = place_words(&l, 1, x > half ? x - half : 0, t.p);
		buf_free(&t);
	}
	buf_addf(v->b, "%*s%s", LABEL - 1, "", grids[v->glyphs].corner);
	for (size_t x = 0; x < v->plot; x++)
		buf_addf(v->b, "%s", tick[x] ? grids[v->glyphs].down_tick : grids[v->glyphs].flat);
	newline(v->b);
	put_label_rows(v, &l);
	free(tick);
	buf_addf(v->b, "%*s", LABEL, "");
	struct buf words = {0};
	buf_addf(&words, "%s%s", a.prefix, v->c->axis);
	text_show(v->b, words.p, v->plot);
	buf_free(&words);
	newline(v->b);
}

/* The cells' numbers: first within their cells, then in the free space of a neighbour. */
static void
put_numbers(struct canvas *v, struct label_rows *l)
{
	size_t n = v->c->n_bands;
	for (int narrow = 0; narrow < 2 && n > 1; narrow++)
		for (size_t i = 0; i < n; i++) {
			const struct band *b = &v->c->bands[i];
			char words[64];
			size_t x = column_of(v, b->from), room = column_of(v, b->to) - x;
			snprintf(words, sizeof words, "|%s",
			    room > strlen(b->name) ? b->name : b->brief);
			if ((room <= strlen(words)) == narrow && !place_words(l, 1, x, words))
				place_words(l, 1, x, "|");
		}
}

/* Marks cells, and the events of a single one. */
static void
put_marks(struct canvas *v)
{
	struct label_rows l = label_rows_of(v->plot);
	put_numbers(v, &l);
	for (size_t i = 0; i < v->c->n_marks; i++) {
		const struct chart_mark *m = &v->c->marks[i];
		char words[64];
		snprintf(words, sizeof words, "| %s", m->name ? m->name : "");
		if (m->name)
			place_words(&l, MAX_LINES, column_of(v, m->at), words);
	}
	put_label_rows(v, &l);
}

static size_t
lines_of(const struct chart *c, size_t *graphs)
{
	size_t lines = 6 + c->n_notes;
	*graphs = 0;
	for (size_t i = 0; i < c->n_panels; i++) {
		const struct panel *p = &c->panels[i];
		lines += p->n_curves ? p->n_curves : 1;
		for (size_t k = 0; k < p->n_curves && !p->strip; k++)
			*graphs += !p->curves[k].flat;
	}
	return lines;
}

void
chart_text(struct buf *b, const struct chart *c, size_t columns, size_t rows, enum glyphs glyphs,
    bool colour)
{
	struct canvas v = {.c = c, .b = b, .columns = columns, .plot = columns - LABEL,
	    .rows = ROWS, .glyphs = glyphs, .colour = colour};
	size_t graphs, lines = lines_of(c, &graphs);
	if (rows && graphs)
		v.rows = rows > lines + graphs ? (rows - lines) / graphs : 1;
	v.dots = xmalloc(v.rows * grids[glyphs].down * c->bins);
	put_words(&v, c->title, STYLE_HEADING);
	put_words(&v, c->subtitle, STYLE_NONE);
	put_marks(&v);
	for (size_t i = 0; i < c->n_panels; i++)
		put_panel(&v, &c->panels[i]);
	put_time_axis(&v);
	for (size_t i = 0; i < c->n_notes; i++)
		put_words(&v, c->notes[i], STYLE_NONE);
	free(v.dots);
}
