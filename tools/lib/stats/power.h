/* power.h: the power of a rank test. */
#ifndef POWER_H
#define POWER_H

#include <stddef.h>

/* The minimum detectable effect of m against n runs: the shift that is significant at
 * `alpha` with a probability of 80 %.  `error` is the standard error of the shift.
 * Infinite where no order of so few values is significant. */
double power_detectable(double error, size_t m, size_t n, double alpha);
/* The runs of each sample that would detect `effect`; 0: more than a million.  Where
 * `error` is NaN (one run: the noise is unknown), the fewest that can be significant. */
size_t power_runs(double effect, double error, size_t m, size_t n, double alpha);

#endif
