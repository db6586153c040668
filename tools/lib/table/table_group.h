/* table_group.h: the rows of a table in groups with the same values. */
#pragma once

#include "table/table.h"

/* Rows are sorted by group, within each in the order of the table:
 * rows[first[g]] .. rows[first[g+1]-1] are group g's. */
struct groups {
	size_t n;
	uint32_t *first;	/* n + 1 */
	uint32_t *rows;
	/* private */
	const struct table *t;
	struct column **by;
	size_t n_by;
};
/* Groups by these columns (none: one group of all), in the order of their keys:
 * numbers by value, other words by bytes, missing last.  Only rows with `keep`,
 * one per row; NULL: all. */
void table_group_make(struct groups *, const struct table *, struct column **by, size_t n_by,
    const bool *keep);
/* The group's key in by[i] as text; NULL: missing.  The caller frees it. */
char *table_group_key(const struct groups *, size_t group, size_t i);
/* Copies the group's known values of a column to `v` (room for all its rows); returns
 * how many, and in *invalid how many were invalid. */
size_t table_group_values(const struct groups *, size_t group, const struct column *, double *v,
    size_t *invalid);
void table_group_free(struct groups *);
