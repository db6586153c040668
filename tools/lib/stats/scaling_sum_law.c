/* scaling_sum_law.c: a sum of given parts: least squares of the relative errors, by Levenberg's
 * and Marquardt's method from the best of a grid of exponents. */
#include "stats/scaling_sum_law.h"

#include <math.h>

#include "base/nbscope.h"
#include "stats/cholesky.h"

static const double first_exponents[] = {0.5, 1, 2, 3};
static const double first_damping = 1e-3, most_damping = 1e9, same = 1e-10, tiny = 1e-12;
static const double finest = 1e-4, first_step = 0.05, max_exponent = 20;
enum {
	MAX_UNKNOWNS = 2 * SCALING_SUM_MAX_PARTS + 1,
	MAX_ITERATIONS = 60,
	NONE_HELD = -1,
};

double
scaling_sum_law_at(const struct scaling_sum_points *p, const struct scaling_sum_law *l, size_t i)
{
	double y = l->fixed;
	for (size_t j = 0; j < p->parts; j++)
		y += l->part[j] * exp(l->k[j] * p->x[j][i]);
	return y;
}

static double
squares_of(const struct scaling_sum_points *p, const struct scaling_sum_law *l)
{
	double squares = 0;
	for (size_t i = 0; i < p->n; i++) {
		double off = scaling_sum_law_at(p, l, i) / p->y[i] - 1;
		squares += off * off;
	}
	return squares;
}

/* ---- the best parts for given exponents ------------------------------------------------- */

/* Without the fixed cost if `from` is 1.  False: the equations are singular, or a part would
 * be negative. */
static bool
fit_parts(const struct scaling_sum_points *p, struct scaling_sum_law *l, size_t from)
{
	double a[MAX_UNKNOWNS][MAX_UNKNOWNS] = {{0}}, b[MAX_UNKNOWNS] = {0}, row[MAX_UNKNOWNS];
	size_t m = p->parts + 1 - from;
	for (size_t i = 0; i < p->n; i++) {
		for (size_t j = 0; j < m; j++)
			row[j] = (j + from == 0 ? 1 :
			    exp(l->k[j + from - 1] * p->x[j + from - 1][i])) / p->y[i];
		for (size_t j = 0; j < m; j++) {
			b[j] += row[j];
			for (size_t k = 0; k <= j; k++)
				a[j][k] += row[j] * row[k];
		}
	}
	struct cholesky_matrix normal = {a[0], MAX_UNKNOWNS, m};
	if (!cholesky_factor(normal))
		return false;
	cholesky_solve_lower(normal, b);
	cholesky_solve_upper(normal, b);
	l->fixed = from ? 0 : b[0];
	for (size_t j = 0; j < p->parts; j++)
		if (!((l->part[j] = b[j + 1 - from]) > 0))
			return false;
	l->squares = squares_of(p, l);
	return isfinite(l->squares) && (from || l->fixed >= 0 || fit_parts(p, l, 1));
}

/* Of two parts of a parameter, the first has the higher exponent. */
static bool
is_ordered(const struct scaling_sum_points *p, const struct scaling_sum_law *l)
{
	for (size_t j = 1; j < p->parts; j++)
		if (p->of[j] == p->of[j - 1] && l->k[j] >= l->k[j - 1])
			return false;
	return true;
}

/* The best of all combinations of the first exponents. */
static bool
first_sum(const struct scaling_sum_points *p, struct scaling_sum_law *best)
{
	size_t combinations = 1;
	best->squares = INFINITY;
	for (size_t j = 0; j < p->parts; j++)
		combinations *= COUNT(first_exponents);
	for (size_t c = 0; c < combinations; c++) {
		struct scaling_sum_law l = {0};
		for (size_t j = 0, rest = c; j < p->parts; j++, rest /= COUNT(first_exponents))
			l.k[j] = first_exponents[rest % COUNT(first_exponents)];
		if (is_ordered(p, &l) && fit_parts(p, &l, 0) && l.squares < best->squares)
			*best = l;
	}
	return isfinite(best->squares);
}

/* ---- all unknowns -------------------------------------------------------------------------- */

/* The derivatives of a relative error; that of an exponent that is held is 0. */
static void
derivatives(const struct scaling_sum_points *p, const struct scaling_sum_law *l, size_t i,
    int held, double *d)
{
	d[0] = 1 / p->y[i];
	for (size_t j = 0; j < p->parts; j++) {
		double grown = exp(l->k[j] * p->x[j][i]) / p->y[i];
		d[1 + j] = grown;
		d[1 + p->parts + j] = (int)j == held ? 0 : l->part[j] * grown * p->x[j][i];
	}
}

/* One damped step from l; false where the equations are singular. */
static bool
damped_step(const struct scaling_sum_points *p, const struct scaling_sum_law *l, int held,
    double damping, struct scaling_sum_law *next)
{
	double a[MAX_UNKNOWNS][MAX_UNKNOWNS] = {{0}}, b[MAX_UNKNOWNS] = {0}, d[MAX_UNKNOWNS];
	size_t m = 2 * p->parts + 1;
	for (size_t i = 0; i < p->n; i++) {
		double off = 1 - scaling_sum_law_at(p, l, i) / p->y[i];
		derivatives(p, l, i, held, d);
		for (size_t j = 0; j < m; j++) {
			b[j] += off * d[j];
			for (size_t k = 0; k <= j; k++)
				a[j][k] += d[j] * d[k];
		}
	}
	for (size_t j = 0; j < m; j++)
		a[j][j] += damping * a[j][j] + tiny * (a[0][0] + 1);
	struct cholesky_matrix normal = {a[0], MAX_UNKNOWNS, m};
	if (!cholesky_factor(normal))
		return false;
	cholesky_solve_lower(normal, b);
	cholesky_solve_upper(normal, b);
	next->fixed = fmax(l->fixed + b[0], 0);
	for (size_t j = 0; j < p->parts; j++) {
		next->part[j] = fmax(l->part[j] + b[1 + j], l->part[j] / 10);
		next->k[j] = l->k[j] + ((int)j == held ? 0 : b[1 + p->parts + j]);
	}
	next->squares = squares_of(p, next);
	return true;
}

/* The best law near l; the exponent `held` does not change. */
static void
descend(const struct scaling_sum_points *p, struct scaling_sum_law *l, int held)
{
	double damping = first_damping;
	l->squares = squares_of(p, l);
	for (int n = 0; n < MAX_ITERATIONS && damping < most_damping; n++) {
		struct scaling_sum_law next;
		if (!damped_step(p, l, held, damping, &next) || !(next.squares < l->squares)) {
			damping *= 10;
			continue;
		}
		bool done = next.squares > l->squares * (1 - same);
		*l = next;
		damping /= 10;
		if (done)
			return;
	}
}

bool
scaling_sum_law_fit(const struct scaling_sum_points *p, struct scaling_sum_law *l)
{
	if (!first_sum(p, l))
		return false;
	descend(p, l, NONE_HELD);
	return is_ordered(p, l);
}

double
scaling_sum_law_end(const struct scaling_sum_points *p, const struct scaling_sum_law *best,
    size_t j, double most, int direction)
{
	double inside = best->k[j], step = first_step;
	struct scaling_sum_law near = *best;
	while (step > finest) {
		struct scaling_sum_law l = near;
		l.k[j] = inside + direction * step;
		if (fabs(l.k[j]) > max_exponent)
			return direction * (double)INFINITY;
		descend(p, &l, (int)j);
		if (l.squares <= most && is_ordered(p, &l)) {
			near = l;
			inside = l.k[j];
			step *= 1.5;
		} else {
			step /= 4;
		}
	}
	return inside;
}
