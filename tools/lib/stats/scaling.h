/* growth.h: how a cost grows with parameters: y = fixed + scale * x1^k1 * x2^k2 ... */
#ifndef GROWTH_H
#define GROWTH_H

#include <stdbool.h>
#include <stddef.h>

enum { GROWTH_MOST_PARAMS = 12 };
struct growth {
	double fixed, scale;
	double k[GROWTH_MOST_PARAMS];	/* exponents */
	double low[GROWTH_MOST_PARAMS], high[GROWTH_MOST_PARAMS];	/* 95 %, whatever `fixed` is; infinite: no end */
	double spread;	/* what is left: relative, one standard deviation */
	size_t points;
	bool has_fixed;	/* clearly better than without */
};
/* From n points: x[j][i] and y[i] all above 0, `params` of them, each with more
 * than one value.  False where they are too few or go up and down together. */
bool growth_fit(struct growth *, double *const *x, size_t params, const double *y, size_t n);
/* At x. */
double growth_at(const struct growth *, const double *x, size_t params);
/* "quadratic", "linear", "between linear and quadratic"...; the caller's. */
char *growth_word(double k, double low, double high);
/* "1.91 to 2.05", "1.20 or more", "any"; the caller's. */
char *growth_interval(double low, double high);

#endif
