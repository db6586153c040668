/* scaling_sum.c: a cost in which each parameter has a part of its own.
 *
 * Least squares of the relative errors, by Levenberg's and Marquardt's method from the best of
 * a grid of exponents.  An exponent's interval is a profile: the exponents for which the best
 * of the other unknowns fits nearly as well.
 */
#include "stats/scaling_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/cholesky.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "stats/normal.h"

static const double first_exponents[] = {0.5, 1, 2, 3};
static const double first_damping = 1e-3, most_damping = 1e9, same = 1e-10, tiny = 1e-12;
static const double finest = 1e-4, first_step = 0.05, max_exponent = 20;
enum {
	MAX_UNKNOWNS = 2 * SCALING_SUM_MAX_PARAMS + 1,
	MAX_ITERATIONS = 60,
	NONE_HELD = -1,
};

/* The unknowns: the fixed cost; the parts, where the logarithm of the parameter is its mean; the
 * exponents. */
struct sum_law {
	double fixed, part[SCALING_SUM_MAX_PARAMS], k[SCALING_SUM_MAX_PARAMS], squares;
};
struct sum_points {
	double *x[SCALING_SUM_MAX_PARAMS];	/* logarithms less their mean */
	const double *y;
	size_t params, n;
};

static double
sum_at(const struct sum_points *p, const struct sum_law *l, size_t i)
{
	double y = l->fixed;
	for (size_t j = 0; j < p->params; j++)
		y += l->part[j] * exp(l->k[j] * p->x[j][i]);
	return y;
}

static double
squares_of(const struct sum_points *p, const struct sum_law *l)
{
	double squares = 0;
	for (size_t i = 0; i < p->n; i++) {
		double off = sum_at(p, l, i) / p->y[i] - 1;
		squares += off * off;
	}
	return squares;
}

/* ---- the best parts for given exponents ------------------------------------------------- */

/* Without the fixed cost if `from` is 1.  False: the equations are singular, or a part would
 * be negative. */
static bool
fit_parts(const struct sum_points *p, struct sum_law *l, size_t from)
{
	double a[MAX_UNKNOWNS][MAX_UNKNOWNS] = {{0}}, b[MAX_UNKNOWNS] = {0}, row[MAX_UNKNOWNS];
	size_t m = p->params + 1 - from;
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
	for (size_t j = 0; j < p->params; j++)
		if (!((l->part[j] = b[j + 1 - from]) > 0))
			return false;
	l->squares = squares_of(p, l);
	return isfinite(l->squares) && (from || l->fixed >= 0 || fit_parts(p, l, 1));
}

/* The best of all combinations of the first exponents. */
static bool
first_sum(const struct sum_points *p, struct sum_law *best)
{
	size_t combinations = 1;
	best->squares = INFINITY;
	for (size_t j = 0; j < p->params; j++)
		combinations *= COUNT(first_exponents);
	for (size_t c = 0; c < combinations; c++) {
		struct sum_law l = {0};
		for (size_t j = 0, rest = c; j < p->params; j++, rest /= COUNT(first_exponents))
			l.k[j] = first_exponents[rest % COUNT(first_exponents)];
		if (fit_parts(p, &l, 0) && l.squares < best->squares)
			*best = l;
	}
	return isfinite(best->squares);
}

/* ---- all unknowns -------------------------------------------------------------------------- */

/* The derivatives of a relative error; that of an exponent that is held is 0. */
static void
derivatives(const struct sum_points *p, const struct sum_law *l, size_t i, int held, double *d)
{
	d[0] = 1 / p->y[i];
	for (size_t j = 0; j < p->params; j++) {
		double grown = exp(l->k[j] * p->x[j][i]) / p->y[i];
		d[1 + j] = grown;
		d[1 + p->params + j] = (int)j == held ? 0 : l->part[j] * grown * p->x[j][i];
	}
}

/* One damped step from l; false where the equations are singular. */
static bool
damped_step(const struct sum_points *p, const struct sum_law *l, int held, double damping,
    struct sum_law *next)
{
	double a[MAX_UNKNOWNS][MAX_UNKNOWNS] = {{0}}, b[MAX_UNKNOWNS] = {0}, d[MAX_UNKNOWNS];
	size_t m = 2 * p->params + 1;
	for (size_t i = 0; i < p->n; i++) {
		double off = 1 - sum_at(p, l, i) / p->y[i];
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
	for (size_t j = 0; j < p->params; j++) {
		next->part[j] = fmax(l->part[j] + b[1 + j], l->part[j] / 10);
		next->k[j] = l->k[j] + ((int)j == held ? 0 : b[1 + p->params + j]);
	}
	next->squares = squares_of(p, next);
	return true;
}

/* The best law near l; the exponent `held` does not change. */
static void
descend(const struct sum_points *p, struct sum_law *l, int held)
{
	double damping = first_damping;
	l->squares = squares_of(p, l);
	for (int n = 0; n < MAX_ITERATIONS && damping < most_damping; n++) {
		struct sum_law next;
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

/* How far the exponent can go in this direction (1, -1) before the squares exceed `most`. */
static double
end_of_profile(const struct sum_points *p, const struct sum_law *best, size_t j, double most,
    int direction)
{
	double inside = best->k[j], step = first_step;
	struct sum_law near = *best;
	while (step > finest) {
		struct sum_law l = near;
		l.k[j] = inside + direction * step;
		if (fabs(l.k[j]) > max_exponent)
			return direction * (double)INFINITY;
		descend(p, &l, (int)j);
		if (l.squares <= most) {
			near = l;
			inside = l.k[j];
			step *= 1.5;
		} else {
			step /= 4;
		}
	}
	return inside;
}

/* ---- the parameters that have a part ------------------------------------------------------ */

/* The exponent that the whole cost could have: a line through the relative errors. */
static void
interval_without_part(const struct sum_points *p, const struct sum_law *l, const double *x,
    double freedom, double *low, double *high)
{
	double xx = 0, xr = 0, rr = 0;
	for (size_t i = 0; i < p->n; i++) {
		double r = p->y[i] / sum_at(p, l, i) - 1;
		xx += x[i] * x[i];
		xr += x[i] * r;
		rr += r * r;
	}
	double slope = xr / xx, variance = fmax(rr - slope * xr, 0) / freedom;
	double off = normal_t_quantile(0.975, freedom) * sqrt(variance / xx);
	*low = slope - off;
	*high = slope + off;
}

/* The logarithms less their mean, of the parameters in the set. */
static void
centre(struct sum_points *p, double *const *x, size_t params, unsigned set, double *mean)
{
	p->params = 0;
	for (size_t j = 0; j < params; j++) {
		mean[j] = 0;
		for (size_t i = 0; i < p->n; i++)
			mean[j] += x[j][i] / (double)p->n;
		if (!(set >> j & 1))
			continue;
		double *to = p->x[p->params++] = xmalloc((p->n + 1) * sizeof *to);
		for (size_t i = 0; i < p->n; i++)
			to[i] = x[j][i] - mean[j];
	}
}

static void
set_sum(struct scaling_sum *s, const struct sum_law *l, size_t params, unsigned set,
    const double *mean)
{
	s->fixed = l->fixed;
	for (size_t j = 0, own = 0; j < params; j++) {
		bool has = set >> j & 1;
		s->k[j] = has ? l->k[own] : 0;
		s->part[j] = has ? l->part[own] * exp(-l->k[own] * mean[j]) : 0;
		own += has;
	}
}

/* Of the law that set_sum() set. */
static void
set_intervals(struct scaling_sum *s, const struct sum_points *p, const struct sum_law *l,
    double *const *x, size_t params, unsigned set, const double *mean)
{
	double freedom = (double)p->n - (double)s->unknowns, t = normal_t_quantile(0.975, freedom);
	double most = l->squares + t * t * fmax(l->squares / freedom, tiny * tiny);
	for (size_t j = 0, own = 0; j < params; j++) {
		if (set >> j & 1) {
			s->low[j] = end_of_profile(p, l, own, most, -1);
			s->high[j] = end_of_profile(p, l, own, most, 1);
			own++;
			continue;
		}
		double *centred = xmalloc((p->n + 1) * sizeof *centred);
		for (size_t i = 0; i < p->n; i++)
			centred[i] = x[j][i] - mean[j];
		interval_without_part(p, l, centred, freedom, &s->low[j], &s->high[j]);
		free(centred);
	}
}

bool
scaling_sum_fit(struct scaling_sum *s, double *const *x, size_t params, const double *y, size_t n,
    const struct scaling_choice *choice)
{
	double mean[SCALING_SUM_MAX_PARAMS], best = INFINITY;
	struct sum_law chosen = {0};
	unsigned of = 0;
	*s = (struct scaling_sum){0};
	if (params > SCALING_SUM_MAX_PARAMS)
		return false;
	for (unsigned set = 1; set < 1U << params; set++) {
		struct sum_points p = {.y = y, .n = n};
		struct sum_law l;
		size_t parts = (size_t)__builtin_popcount(set), unknowns = 2 * parts + 1;
		if (parts < 2 || n < unknowns + 2)
			continue;
		centre(&p, x, params, set, mean);
		if (first_sum(&p, &l)) {
			descend(&p, &l, NONE_HELD);
			double cost = choice->cost(choice, l.squares, unknowns);
			if (cost < best) {
				best = cost;
				chosen = l;
				of = set;
				s->unknowns = unknowns;
				s->squares = l.squares;
			}
		}
		for (size_t j = 0; j < p.params; j++)
			free(p.x[j]);
	}
	if (!of)
		return false;
	struct sum_points p = {.y = y, .n = n};
	centre(&p, x, params, of, mean);
	set_sum(s, &chosen, params, of, mean);
	if (!choice->brief)
		set_intervals(s, &p, &chosen, x, params, of, mean);
	for (size_t j = 0; j < p.params; j++)
		free(p.x[j]);
	return true;
}
