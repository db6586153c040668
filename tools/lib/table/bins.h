/* bins.h: named ranges of a column: memory:small<=5GB,medium<=20GB,high. */
#pragma once

#include "text/unit.h"

struct bins {
	char *column;
	struct range_bin {
		char *name, *limit;	/* limit: as written; NULL: everything above */
		double most;	/* in the column's unit */
		bool below;	/* < rather than <= */
	} *v;
	size_t n;
};
/* COLUMN:NAME<=LIMIT,...,NAME; dies with ST_USAGE, as xbins_limits() does. */
void xbins(struct bins *, const char *text);
/* Reads the limits, once the unit of the column is known. */
void xbins_limits(struct bins *);
void xbins_limits_in(struct bins *, const struct unit *);	/* the same in this unit */
size_t bins_find(const struct bins *, double x);	/* n: in none of them, or x is NaN */
