/* chart_names.c: the names of a graph's cells and events, above its first plot. */
#include "chart_names.h"
#include "base/die.h"
#include "text/text.h"

enum { MAX_ROWS = 3, NAME_GAP = 4, MAX_COLUMNS = 4000 };
#define LETTER_EM 0.62

double
chart_names_px(const char *text, double size)
{
	struct buf b = {0};
	double n = (double)text_show(&b, text, MAX_COLUMNS);
	buf_free(&b);
	return LETTER_EM * size * n;
}

static double
px_of(const struct chart *c, double plot_px, double at)
{
	return plot_px * (at - c->from) / (c->to - c->from);
}

/* Each has the first row in which it does not overlap another, or the last. */
struct chart_name *
chart_names_of_marks(const struct chart *c, double plot_px, double size, size_t *n, size_t *rows)
{
	struct chart_name *v = xmalloc((c->n_marks + 1) * sizeof *v);
	double used[MAX_ROWS] = {-INFINITY, -INFINITY, -INFINITY};
	*n = *rows = 0;
	for (size_t i = 0; i < c->n_marks; i++) {
		const struct chart_mark *m = &c->marks[i];
		if (!m->name)
			continue;
		double x = px_of(c, plot_px, m->at), wide = chart_names_px(m->name, size);
		bool before = x + wide > plot_px;
		double from = before ? x - wide : x;
		size_t row = 0;
		while (row + 1 < MAX_ROWS && from < used[row] + NAME_GAP)
			row++;
		used[row] = from + wide;
		*rows = row + 1 > *rows ? row + 1 : *rows;
		v[(*n)++] = (struct chart_name){m->name, x, wide, before, row};
	}
	return v;
}

static bool
is_free(const struct chart_name *v, size_t n, double x, double wide)
{
	for (size_t i = 0; i < n; i++)
		if (fabs(x - v[i].x) < (wide + v[i].wide) / 2 + NAME_GAP)
			return false;
	return true;
}

/* First within their cells, then in the free space of a neighbour. */
struct chart_name *
chart_names_of_cells(const struct chart *c, double plot_px, double size, size_t *n)
{
	struct chart_name *v = xmalloc((c->n_bands + 1) * sizeof *v);
	*n = 0;
	for (int narrow = 0; narrow < 2 && c->n_bands > 1; narrow++)
		for (size_t i = 0; i < c->n_bands; i++) {
			const struct band *b = &c->bands[i];
			double at = (b->from + b->to) / 2;
			double room = px_of(c, plot_px, b->to) - px_of(c, plot_px, b->from);
			const char *name = room > chart_names_px(b->name, size) + NAME_GAP
			    ? b->name : b->brief;
			struct chart_name one = {.text = name,
				.x = px_of(c, plot_px, at), .wide = chart_names_px(name, size)};
			if ((room <= one.wide + NAME_GAP) == narrow &&
			    is_free(v, *n, one.x, one.wide))
				v[(*n)++] = one;
		}
	return v;
}
