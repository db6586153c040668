/* oversized.h: the combinations that need more memory than there is, by parameter values. */
#ifndef OVERSIZED_H
#define OVERSIZED_H

#include "json/scan.h"
#include "text/expr.h"

struct oversized_row {
	char *what;		/* "side=10000,100000" */
	size_t n;		/* combinations that are skipped */
	double low, high;	/* bytes that they need */
};
struct oversized {
	const struct expr *need;	/* bytes, in the parameters */
	double limit;		/* bytes */
	/* private */
	struct oversized_set *sets;	/* of values of those parameters */
	size_t n_sets, cap;
	bool too_many;		/* more sets than are stored */
	json_t *numbers;	/* of sets, by their values */
	json_t *fitting;	/* values with which a combination fits, as "side=1000" */
	struct oversized_row all;
	struct buf text;
};
void oversized_start(struct oversized *, const struct expr *need, double limit);
void oversized_add(struct oversized *, struct scan *params, double bytes, bool skipped);
/* Values of one parameter with which nothing fits, and other sets of values; those with the most
 * combinations first.  Returns how many rows. */
size_t oversized_table(struct oversized *, struct oversized_row **);

#endif
