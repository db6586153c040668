/* derive.h: columns that are computed from others, in the order of the options. */
#pragma once

#include "table/bins.h"
#include "base/list.h"
#include "table/table.h"

/* Options: NAME=EXPRESSION; [NAME=]A/B, also in percent, where negative parts are unknown;
 * [NAME:]CONDITIONS; as xbins() reads; CONDITIONS. */
void xderive_expr(const char *);
void xderive_ratio(const char *);
void xderive_efficiency(const char *);
void xderive_cohort(const char *);
void xderive_category(const char *);
void xderive_where(const char *);
bool derive_makes(const char *name);	/* a column of this name */
/* Adds the names of the computed columns that are groups, or of those that are numbers. */
void derive_names(struct list *, bool groups);
/* Calls `need` for every column that must be read. */
void derive_needs(void (*need)(const char *name, enum keep));
/* Adds the columns.  Returns which rows the conditions select (the caller frees it);
 * NULL: all. */
bool *xderive(struct table *);
/* Adds a column with the class of each row, in the order of the classes; missing where there is
 * none. */
struct column *xderive_classes(struct table *, const char *name, const struct bins *);
/* The column below another in a ratio.  Efficiency is per core: elapsed time below CPU time is that
 * of all cores of each row, if a column says how many. */
struct column *xderive_divisor(struct table *, const char *above, const char *below);
/* The two parts of a ratio, row by row, both NaN where the ratio is; NULL: no ratio. */
const double *derive_parts(const char *name, const double **below, double *scale);
