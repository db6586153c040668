/* growth.h: how a cost grows with parameters: y = fixed + scale * x1^k1 * x2^k2 ... */
#ifndef SCALING_H
#define SCALING_H

#include <stdbool.h>
#include <stddef.h>

enum { SCALING_MOST_PARAMS = 12 };
struct scaling {
	double fixed, scale;
	double k[SCALING_MOST_PARAMS];	/* exponents */
	double low[SCALING_MOST_PARAMS], high[SCALING_MOST_PARAMS];	/* 95 %, whatever `fixed` is; infinite: no end */
	double spread;	/* what is left: relative, one standard deviation */
	size_t points;
	bool has_fixed;	/* clearly better than without */
};
/* From n points: x[j][i] and y[i] all above 0, `params` of them, each with more
 * than one value.  False where they are too few or go up and down together. */
bool scaling_fit(struct scaling *, double *const *x, size_t params, const double *y, size_t n);
/* At x. */
double scaling_at(const struct scaling *, const double *x, size_t params);
/* "quadratic", "linear", "between linear and quadratic"...; the caller's. */
char *scaling_word(double k, double low, double high);
/* "1.91 to 2.05", "1.20 or more", "any"; the caller's. */
char *scaling_interval(double low, double high);

#endif
