/* scaling_repeats.c: how much runs with the same parameters differ, and whether a law is further
 * from them than that: the test for lack of fit. */
#include "stats/scaling_repeats.h"

#include "base/die.h"
#include "stats/normal.h"

static const double same = 1e-9;

static bool
same_parameters(double *const *x, size_t params, size_t a, size_t b)
{
	for (size_t j = 0; j < params; j++)
		if (fabs(x[j][a] - x[j][b]) > same * fmax(1, fabs(x[j][a])))
			return false;
	return true;
}

double
scaling_repeats_mean(double *const *x, size_t params, const double *y, size_t n, size_t i)
{
	double sum = 0, count = 0;
	for (size_t k = 0; k < n; k++)
		if (same_parameters(x, params, i, k)) {
			sum += y[k];
			count++;
		}
	return sum / count;
}

struct scaling_repeats
scaling_repeats_of(double *const *x, size_t params, const double *y, size_t n)
{
	struct scaling_repeats r = {.n = n};
	struct group { size_t first; double sum, count; } *group = xmalloc((n + 1) * sizeof *group);
	size_t *of = xmalloc((n + 1) * sizeof *of);
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;
		while (k < r.groups && !same_parameters(x, params, group[k].first, i))
			k++;
		if (k == r.groups)
			group[r.groups++] = (struct group){.first = i};
		group[k].sum += y[i];
		group[k].count++;
		of[i] = k;
	}
	for (size_t i = 0; i < n; i++) {
		double off = y[i] / (group[of[i]].sum / group[of[i]].count) - 1;
		r.squares += off * off;
	}
	free(of);
	free(group);
	r.freedom = (double)(n - r.groups);
	r.variance = r.freedom > 0 ? r.squares / r.freedom : (double)NAN;
	return r;
}

/* The probability of a larger F, by Paulson's approximation. */
static double
f_above(double f, double above, double below)
{
	double a = 2 / (9 * above), b = 2 / (9 * below), root = cbrt(f);
	return normal_above(((1 - b) * root - (1 - a)) / sqrt(b * root * root + a));
}

bool
scaling_repeats_reject(const struct scaling_repeats *r, double squares, size_t unknowns,
    double level)
{
	double lack = (double)r->groups - (double)unknowns, variance = fmax(r->variance, 1e-12);
	if (lack < 1 || !(r->freedom >= 1))
		return false;
	double f = fmax(squares - r->squares, 0) / lack / variance;
	return f_above(f, lack, r->freedom) < level;
}
