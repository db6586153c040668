/* bins.c: named ranges of a column: memory:small<=5GB,medium<=20GB,high. */
#include "table/bins.h"
#include "base/die.h"
#include "table/column_unit.h"
#include "base/list.h"
#include "text/amount.h"

static struct range_bin
xbin(const char *text, bool last)
{
	size_t n = strcspn(text, "<");
	const char *limit = text + n;
	struct range_bin b = {.name = xasprintf("%.*s", (int)n, text), .most = (double)INFINITY};
	if (*limit) {
		b.below = limit[1] != '=';
		b.limit = xstrdup(limit + (b.below ? 1 : 2));
	}
	if (n == 0 || (!b.limit && !last))
		die(ST_USAGE, "--category: '%s' must be NAME<=LIMIT (only the last may be "
		    "NAME)", text);
	return b;
}

void
xbins(struct bins *bins, const char *text)
{
	const char *colon = strchr(text, ':');
	struct list parts = {0};
	if (!colon || colon == text)
		die(ST_USAGE, "--category: expected COLUMN:NAME<=LIMIT,...,NAME, not '%s'", text);
	xlist_split(&parts, colon + 1, "--category");
	bins->column = xasprintf("%.*s", (int)(colon - text), text);
	bins->v = xmalloc(parts.n * sizeof *bins->v);
	for (size_t i = 0; i < parts.n; i++)
		bins->v[bins->n++] = xbin(parts.v[i], i + 1 == parts.n);
}

void
xbins_limits(struct bins *bins)
{
	struct unit u = column_unit(bins->column);
	xbins_limits_in(bins, &u);
}

void
xbins_limits_in(struct bins *bins, const struct unit *u)
{
	for (size_t i = 0; i < bins->n; i++) {
		struct range_bin *b = &bins->v[i];
		if (b->limit && amount_read(b->limit, u, &b->most) != 0)
			die(ST_USAGE, "--category: cannot convert '%s' to the unit of '%s' (%s); "
			    "set it with --unit", b->limit, bins->column, *u->symbol
			    ? u->symbol : "none");
		if (i && b->most < b[-1].most)
			die(ST_USAGE, "--category: the limits of '%s' must ascend", bins->column);
	}
}

size_t
bins_find(const struct bins *bins, double x)
{
	size_t i = 0;
	while (i < bins->n && !(bins->v[i].below ? x < bins->v[i].most : x <= bins->v[i].most))
		i++;
	return i;
}
