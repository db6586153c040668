/* scaling_fixed.h: the power law, with the fixed cost, that fits best. */
#ifndef SCALING_FIXED_H
#define SCALING_FIXED_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/scaling_law.h"

struct scaling_fixed {
	/* The laws for the fixed costs that were tried, the first of which is 0; where there is
	 * none, the squares are infinite.  The caller frees them. */
	struct scaling_law *tried, best;
	size_t steps;	/* after the first; 0: the points cannot show a fixed cost */
	double fixed;	/* of the best law */
};
/* brief: fewer fixed costs are tried.  False: not even a law without one fits. */
bool scaling_fixed_fit(struct scaling_fixed *, const struct scaling_points *, bool brief);

#endif
