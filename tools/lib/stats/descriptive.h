/* descriptive.h: sums and moments of many numbers.  Values are finite; the caller leaves
 * missing ones out. */
#pragma once

#include <stddef.h>

/* NaN where there are too few values: mean, min and max of none, std of one. */
struct descriptive {
	size_t n;
	double sum, mean;	/* rounded once */
	double std;		/* of the sample (n - 1), from deviations: no cancellation */
	double min, max;
};
void descriptive_of(struct descriptive *, const double *v, size_t n);
