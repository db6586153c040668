/* derive.h: columns that are computed from others, in the order of the options. */
#ifndef DERIVE_H
#define DERIVE_H

#include "table/bins.h"
#include "base/list.h"
#include "table/table.h"

struct derived;
struct derived *derive_new(void);
void xderive_expr(struct derived *, const char *text);	/* NAME=EXPRESSION */
/* [NAME=]A/B, in percent if `efficiency`: then negative parts are unknown. */
void xderive_ratio(struct derived *, const char *text, bool efficiency);
void xderive_cohort(struct derived *, const char *text);	/* [NAME:]CONDITIONS */
void xderive_category(struct derived *, const char *text);	/* as xbins() reads */
void xderive_where(struct derived *, const char *text);
bool derive_makes(const struct derived *, const char *name);	/* a column of this name */
/* Names of the computed columns that are groups, and of those that are numbers. */
void derive_groups(const struct derived *, struct list *);
void derive_numbers(const struct derived *, struct list *);
/* Calls `need` for every column that must be read. */
void derive_needs(const struct derived *, void (*need)(const char *name, enum keep));
/* Adds the columns.  Returns which rows the conditions select (the caller frees it);
 * NULL: all. */
bool *xderive(struct derived *, struct table *);
/* Adds a column with the class of each row, in the order of the classes; missing where there is
 * none. */
struct column *xderive_classes(struct table *, const char *name, const struct bins *);
/* The two parts of a ratio, row by row, both NaN where the ratio is; NULL: no ratio. */
const double *derive_parts(const struct derived *, const char *name, const double **below,
    double *scale);

#endif
