/* beta.h: the beta distribution. */
#pragma once

/* The regularised incomplete beta function: the probability of a value up to x; a, b > 0. */
double beta_share(double x, double a, double b);
double beta_quantile(double p, double a, double b);	/* p in (0, 1) */
