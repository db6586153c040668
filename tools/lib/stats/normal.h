/* normal.h: the normal distribution and Student's. */
#pragma once

double normal_above(double z);	/* the probability of a value above z */
double normal_quantile(double p);	/* p in (0, 1) */
double normal_t_quantile(double p, double freedom);	/* of Student's t; p in (0, 1) */
