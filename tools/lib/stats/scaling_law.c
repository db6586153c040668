/* scaling_law.c: the power law that fits best with a given fixed cost: least squares of the
 * relative errors.  The search starts at the line through the logarithms of the rest. */
#include "stats/scaling_law.h"

#include <math.h>
#include <string.h>

static const double same = 1e-9, least_share = 1e-3;
enum { TERMS = SCALING_LAW_TERMS, MAX_ITERATIONS = 30 };

size_t
scaling_law_levels(const double *x, size_t n, size_t most)
{
	size_t levels = 0;
	for (size_t i = 0; i < n && levels < most; i++) {
		size_t k = 0;
		while (k < i && fabs(x[k] - x[i]) > same)
			k++;
		levels += k == i;
	}
	return levels;
}

static double
term_of_param(const struct scaling_points *p, size_t j, size_t i)
{
	return j ? p->x[j - 1][i] : 1;
}

static double
predicted(const struct scaling_points *p, const double *c, size_t i)
{
	double sum = 0;
	for (size_t j = 0; j <= p->params; j++)
		sum += c[j] * term_of_param(p, j, i);
	return sum;
}

/* Adds a point to the normal equations; moment: its weight times its value. */
static void
add_point(double a[TERMS][TERMS], double *b, const struct scaling_points *p, size_t i,
    double weight, double moment)
{
	for (size_t j = 0; j <= p->params; j++) {
		b[j] += moment * term_of_param(p, j, i);
		for (size_t k = 0; k <= j; k++)
			a[j][k] += weight * term_of_param(p, j, i) * term_of_param(p, k, i);
	}
}

/* Replaces the lower left part of a symmetric m by m matrix by its triangular factor (Cholesky's);
 * false where too little of a column remains after the columns before it are projected out. */
static bool
factor_matrix(double a[TERMS][TERMS], size_t m)
{
	for (size_t i = 0; i < m; i++) {
		double whole = a[i][i];
		for (size_t j = 0; j <= i; j++) {
			double rest = a[i][j];
			for (size_t k = 0; k < j; k++)
				rest -= a[i][k] * a[j][k];
			if (j < i)
				a[i][j] = rest / a[j][j];
			else if (rest > same * whole)
				a[i][i] = sqrt(rest);
			else
				return false;
		}
	}
	return true;
}

static void
solve_lower(double a[TERMS][TERMS], size_t m, double *v)
{
	for (size_t i = 0; i < m; i++) {
		for (size_t k = 0; k < i; k++)
			v[i] -= a[i][k] * v[k];
		v[i] /= a[i][i];
	}
}

/* Replaces the matrix by its factor and b by the coefficients. */
static bool
solve_normal(double a[TERMS][TERMS], size_t m, double *b)
{
	if (!factor_matrix(a, m))
		return false;
	solve_lower(a, m, b);
	for (size_t i = m; i-- > 0; ) {
		for (size_t k = i + 1; k < m; k++)
			b[i] -= a[k][i] * b[k];
		b[i] /= a[i][i];
	}
	return true;
}

/* The sum of squares of the relative errors. */
static double
squares_of(const struct scaling_points *p, double fixed, const double *c)
{
	double squares = 0;
	for (size_t i = 0; i < p->n; i++) {
		double off = (fixed + exp(predicted(p, c, i))) / p->y[i] - 1;
		squares += off * off;
	}
	return squares;
}

/* Finds where the search starts: a straight line through the logarithms of y - fixed, weighted by
 * the relative errors. */
static bool
first_law(const struct scaling_points *p, double fixed, double *c)
{
	double a[TERMS][TERMS] = {{0}};
	memset(c, 0, (p->params + 1) * sizeof *c);
	for (size_t i = 0; i < p->n; i++) {
		double rest = p->y[i] - fixed, share = rest / p->y[i], weight = share * share;
		if (rest > 0)
			add_point(a, c, p, i, weight, weight * log(rest));
	}
	return solve_normal(a, p->params + 1, c) && isfinite(squares_of(p, fixed, c));
}

/* One Gauss-Newton step, and by how much it should lower the squares; false where the equations
 * are singular. */
static bool
newton_step(const struct scaling_points *p, double fixed, const struct scaling_law *l, double *by,
    double *error, double *gain)
{
	double a[TERMS][TERMS] = {{0}}, slope[TERMS];
	size_t m = p->params + 1;
	memset(by, 0, m * sizeof *by);
	for (size_t i = 0; i < p->n; i++) {
		double grown = exp(predicted(p, l->c, i)) / p->y[i];
		double off = 1 - fixed / p->y[i] - grown;
		add_point(a, by, p, i, grown * grown, grown * off);
	}
	memcpy(slope, by, sizeof slope);
	if (!solve_normal(a, m, by))
		return false;
	*gain = 0;
	for (size_t j = 0; j < m; j++) {
		*gain += slope[j] * by[j];
		double v[TERMS] = {0};
		v[j] = 1;
		solve_lower(a, m, v);
		error[j] = 0;
		for (size_t k = 0; k < m; k++)
			error[j] += v[k] * v[k];
		error[j] = sqrt(error[j]);
	}
	return true;
}

/* The law that fits best with this fixed cost; the search starts at l->c. */
static bool
descend_to_fit(const struct scaling_points *p, double fixed, struct scaling_law *l)
{
	double by[TERMS] = {0}, gain = 0;
	size_t m = p->params + 1;
	l->squares = squares_of(p, fixed, l->c);
	for (int n = 0; n < MAX_ITERATIONS; n++) {
		struct scaling_law next = *l;
		if (!isfinite(l->squares) || !newton_step(p, fixed, l, by, l->error, &gain))
			return false;
		if (gain < l->squares * same)
			return true;
		double share = 1;
		do {
			for (size_t j = 0; j < m; j++)
				next.c[j] = l->c[j] + share * by[j];
			next.squares = squares_of(p, fixed, next.c);
			share /= 2;
		} while (!(next.squares < l->squares) && share > least_share);
		if (!(next.squares < l->squares * (1 - same)))
			return true;
		memcpy(l->c, next.c, sizeof l->c);
		l->squares = next.squares;
	}
	return true;
}

bool
scaling_law_fit(const struct scaling_points *p, double fixed, const struct scaling_law *near,
    struct scaling_law *l)
{
	if (near) {
		memcpy(l->c, near->c, sizeof l->c);
		if (descend_to_fit(p, fixed, l))
			return true;
	}
	return first_law(p, fixed, l->c) && descend_to_fit(p, fixed, l);
}
