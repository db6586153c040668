/* power.h: the power of a rank test whose estimate must also exceed a threshold. */
#pragma once

#include <stddef.h>

/* The noise of a shift and how it grows with the values.  Where all values are positive it is
 * that of their logarithms: a measured time varies by a share of itself, so a slower cell varies
 * by more. */
struct power_noise {
	double deviation;	/* of one run; NaN: unknown */
	double center;	/* > 0: `deviation` is of logarithms of values around it; else 0 */
	double threshold;	/* smaller estimates do not count, in the metric's unit */
};
struct power_noise power_noise_of(const double *x, size_t m, const double *y, size_t n,
    double center, double threshold);
struct power_aim {
	double alpha;	/* of the test */
	double power;	/* the probability with which a change is found */
};
/* The minimum detectable effect of m against n runs: the shift that is significant and exceeds
 * the threshold with the probability of the aim.  Infinite where no order of so few values is
 * significant. */
double power_detectable(const struct power_noise *, size_t m, size_t n, struct power_aim);
/* The runs of each sample that would detect `effect`; 0: more than a million.  Where the noise
 * is unknown, the fewest that can be significant. */
size_t power_runs(const struct power_noise *, double effect, struct power_aim);
