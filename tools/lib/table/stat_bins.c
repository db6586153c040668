/* statbins.c: sizes with names, as in memory:small<=5GB,medium<=20GB,high. */
#include "table/stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct bin
xbin(const char *text, bool last)
{
	size_t n = strcspn(text, "<");
	const char *limit = text + n;
	struct bin b = {.name = xasprintf("%.*s", (int)n, text), .most = (double)INFINITY};
	if (*limit) {
		b.below = limit[1] != '=';
		b.limit = xstrdup(limit + (b.below ? 1 : 2));
	}
	if (n == 0 || (!b.limit && !last))
		die(ST_USAGE, "--category: '%s': each but the last wants NAME<=LIMIT", text);
	return b;
}

void
xbins(struct bins *bins, const char *text)
{
	const char *colon = strchr(text, ':');
	struct list parts = {0};
	if (!colon || colon == text)
		die(ST_USAGE, "--category wants COLUMN:NAME<=LIMIT,...,NAME, not '%s'", text);
	xlist_split(&parts, colon + 1, "--category");
	bins->column = xasprintf("%.*s", (int)(colon - text), text);
	bins->v = xmalloc(parts.n * sizeof *bins->v);
	for (size_t i = 0; i < parts.n; i++)
		bins->v[bins->n++] = xbin(parts.v[i], i + 1 == parts.n);
}

void
xbins_limits(struct bins *bins)
{
	struct unit u = stat_unit(bins->column);
	for (size_t i = 0; i < bins->n; i++) {
		struct bin *b = &bins->v[i];
		if (b->limit && unit_read(b->limit, &u, &b->most) != 0)
			die(ST_USAGE, "--category: '%s' is no limit of '%s', which is in %s: --unit says otherwise", b->limit, bins->column,
			    *u.symbol ? u.symbol : "no unit");
		if (i && b->most < b[-1].most)
			die(ST_USAGE, "--category: the limits of '%s' must ascend", bins->column);
	}
}

size_t
bin_of(const struct bins *bins, double x)
{
	size_t i = 0;
	while (i < bins->n && !(bins->v[i].below ? x < bins->v[i].most : x <= bins->v[i].most))
		i++;
	return i;
}
