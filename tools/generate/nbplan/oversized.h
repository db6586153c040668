/* oversized.h: the combinations that need more memory than there is, by parameter values. */
#pragma once

#include "json/scan.h"
#include "text/expr.h"

enum { OVERSIZED_ROWS = 2 };
struct oversized_row {
	char *what;		/* "side=10000,100000"; the caller's */
	size_t n;		/* combinations that are skipped */
	double low, high;	/* bytes that they need */
};
struct oversized {
	const struct expr *need;	/* bytes, in the parameters */
	double limit;		/* bytes */
	/* private */
	struct oversized_value *values;	/* of those parameters */
	size_t n_values;
	json_t *numbers;	/* their indices, by parameter and value */
	struct oversized_row all;
	bool any_fits;
};
void oversized_start(struct oversized *, const struct expr *need, double limit);
void oversized_add(struct oversized *, struct scan *params, double bytes, bool skipped);
/* The values of that parameter which explain most: nothing fits with them.  Then all other
 * combinations, whose values are too large only together.  Returns how many rows. */
size_t oversized_table(const struct oversized *, struct oversized_row[OVERSIZED_ROWS]);
