/* scaling.c: how a cost grows with parameters: y = fixed + scale * x1^k1 * x2^k2 ..., or a sum
 * of powers (scaling_sum.c) where that fits better.
 *
 * `fixed` is varied from 0 to above the smallest y, and scaling_law.c fits a power law with each;
 * an exponent's interval covers all laws that fit nearly as well (a profile of the sum of squares).
 */
#include "stats/scaling.h"
#include "base/die.h"
#include "stats/normal.h"
#include "stats/scaling_law.h"
#include "stats/scaling_repeats.h"
#include "stats/scaling_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double same = 1e-9, finest_step = 1e-6;
static const double least_variance = 1e-12;	/* of runs that do not differ */
static const double clearly = 4;	/* by which a sum must be better than a product */
static const double plain = 0.05, strict = 0.001, least_off = 0.05;	/* of the lack of fit */
enum {
	STEPS = 100,	/* fixed costs that are tried below the smallest value */
	CLOSEST = 5,	/* decimal digits in which the last of them agrees with it */
	MAX_EXPONENT = 20,
	MIN_FREEDOM = 3,	/* of repetitions whose noise is known */
};

/* ---- with and without a fixed cost -------------------------------------------------------- */

static void
set_law(struct scaling *g, const struct scaling_law *l, double fixed, size_t params)
{
	g->fixed = fixed;
	g->scale = exp(l->c[0]);
	for (size_t j = 0; j < params; j++)
		g->k[j] = l->c[j + 1];
}

static void
widen_intervals(struct scaling *g, const struct scaling_law *l, double by, size_t params)
{
	for (size_t j = 0; j < params; j++) {
		g->low[j] = fmin(g->low[j], l->c[j + 1] - by * l->error[j + 1]);
		g->high[j] = fmax(g->high[j], l->c[j + 1] + by * l->error[j + 1]);
	}
}

static size_t
count_different(const double *x, size_t n)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		bool seen = false;
		for (size_t k = 0; k < i && !seen; k++)
			seen = fabs(x[k] - x[i]) <= same;
		count += !seen;
	}
	return count;
}

/* A fixed cost and an exponent need three values of some parameter, and one point more than
 * there are unknowns. */
static bool
can_have_fixed(const struct scaling_points *p)
{
	for (size_t j = 0; j < p->params; j++)
		if (count_different(p->x[j], p->n) >= 3)
			return p->n > p->params + 2;
	return false;
}

static double
min_of(const double *y, size_t n)
{
	double least = INFINITY;
	for (size_t i = 0; i < n; i++)
		least = fmin(least, y[i]);
	return least;
}

/* From 0 at step 0 towards the smallest value in decreasing steps, since the fixed part may
 * be all but a thousandth of a kernel's memory; then up to twice that value, since noise may
 * put values below the fixed cost. */
static double
fixed_at(double least, double step)
{
	return step <= STEPS ? least * (1 - pow(10, -CLOSEST * step / STEPS)) :
	    least * (1 + pow(10, -CLOSEST * (2 * STEPS - step) / STEPS));
}

/* The law for each of the fixed costs; where there is none, the squares are infinite. */
static struct scaling_law *
try_fixed_costs(const struct scaling_points *p, double least, size_t steps)
{
	struct scaling_law *tried = xmalloc((steps + 1) * sizeof *tried);
	const struct scaling_law *near = NULL;
	for (size_t i = 0; i <= steps; i++) {
		tried[i] = (struct scaling_law){0};
		if (scaling_law_fit(p, fixed_at(least, (double)i), near, &tried[i]))
			near = &tried[i];
		else
			tried[i].squares = INFINITY;
	}
	return tried;
}

/* The fixed cost that fits best, between the steps too, and its law. */
static double
best_fixed(const struct scaling_points *p, double least, const struct scaling_law *tried,
    size_t steps, struct scaling_law *best)
{
	double at = 0;
	*best = tried[0];
	for (size_t i = 1; i <= steps; i++)
		if (tried[i].squares < best->squares) {
			*best = tried[i];
			at = (double)i;
		}
	for (double width = at > 0 ? 0.5 : 0; width > finest_step; width /= 2) {
		double end = fmin(at + width, (double)steps);
		for (double step = at - width; step <= end; step += 2 * width) {
			struct scaling_law l = {0};
			if (!scaling_law_fit(p, fixed_at(least, step), best, &l) ||
			    l.squares >= best->squares)
				continue;
			*best = l;
			at = step;
		}
	}
	return fixed_at(least, at);
}

/* A cost without visible growth fits with a fixed cost and any exponent: its interval is that
 * of the law without a fixed cost. */
static void
note_constant(struct scaling *g, const struct scaling_law *without, size_t j, double by)
{
	double k = without->c[j + 1], off = by * without->error[j + 1];
	if (fabs(k) <= off && 2 * off <= SCALING_MAX_WIDTH) {
		g->low[j] = k - off;
		g->high[j] = k + off;
	}
}

/* The laws for all fixed costs that were tried, and the best of all. */
struct trial {
	struct scaling_law *tried, best;
	size_t steps;
	double freedom;	/* without a fixed cost */
	double squares;	/* of the law that was chosen, and its unknowns */
	size_t unknowns;
};

/* Each interval covers all laws that fit nearly as well; one without bounds is infinite. */
static void
find_intervals(struct scaling *g, const struct trial *t, double most, size_t params)
{
	for (size_t j = 0; j < params; j++)
		g->low[j] = INFINITY, g->high[j] = -INFINITY;
	widen_intervals(g, &t->best, sqrt(most - t->best.squares), params);
	for (size_t i = 0; i <= t->steps; i++)
		if (t->tried[i].squares <= most)
			widen_intervals(g, &t->tried[i], sqrt(most - t->tried[i].squares), params);
	for (size_t j = 0; j < params; j++) {
		if (!g->has_fixed)
			note_constant(g, &t->tried[0], j,
			    normal_t_quantile(0.975, t->freedom) * g->spread);
		g->low[j] = g->low[j] < -MAX_EXPONENT ? -INFINITY : g->low[j];
		g->high[j] = g->high[j] > MAX_EXPONENT ? INFINITY : g->high[j];
	}
}

/* Has a fixed cost if the law without one fits significantly worse. */
static void
choose_law(struct scaling *g, struct trial *t, const struct scaling_points *p, double least)
{
	double at = best_fixed(p, least, t->tried, t->steps, &t->best);
	double without = t->tried[0].squares, freedom = t->steps ? t->freedom - 1 : t->freedom;
	double width = normal_t_quantile(0.975, freedom), variance = t->best.squares / freedom;
	double most = t->best.squares + width * width * variance;
	g->points = p->n;
	g->has_fixed = t->steps && without > most;
	set_law(g, g->has_fixed ? &t->best : &t->tried[0], g->has_fixed ? at : 0, p->params);
	g->spread = sqrt(g->has_fixed ? variance : without / t->freedom);
	t->squares = g->has_fixed ? t->best.squares : without;
	t->unknowns = p->params + 1 + g->has_fixed;
	find_intervals(g, t, most, p->params);
}

/* ---- a product or a sum ------------------------------------------------------------------- */

/* The largest relative distance of the mean of repetitions from the law. */
static double
largest_distance(const struct scaling *g, const struct scaling_points *p)
{
	double most = 0, x[SCALING_MAX_PARAMS];
	for (size_t i = 0; i < p->n; i++) {
		double mean = scaling_repeats_mean(p->x, p->params, p->y, p->n, i);
		for (size_t j = 0; j < p->params; j++)
			x[j] = exp(p->x[j][i]);
		most = fmax(most, fabs(scaling_at(g, x, p->params) / mean - 1));
	}
	return most;
}

/* Akaike's criterion: with the variance of repetitions, else with that of the fit. */
static double
cost_of_fit(const struct scaling_choice *c, double squares, size_t unknowns)
{
	double n = (double)c->n, m = (double)unknowns, more = n - m - 1;
	if (c->variance > 0)
		return squares / c->variance + 2 * m;
	return more > 0 ? n * log(squares / n + least_variance) + 2 * m + 2 * m * (m + 1) / more :
	    (double)INFINITY;
}

/* A sum has more freedom than a product: it must be clearly better. */
static void
choose_sum(struct scaling *g, const struct trial *t, const struct scaling_points *p)
{
	struct scaling_sum sum;
	struct scaling_repeats repeats = scaling_repeats_of(p->x, p->params, p->y, p->n);
	struct scaling_choice choice = {cost_of_fit, p->n,
	    repeats.freedom >= MIN_FREEDOM ? fmax(repeats.variance, least_variance) : 0};
	double squares = t->squares;
	size_t unknowns = t->unknowns;
	bool poor = !choice.variance || scaling_repeats_reject(&repeats, squares, unknowns, plain);
	if (p->params > 1 && poor && scaling_sum_fit(&sum, p->x, p->params, p->y, p->n, &choice) &&
	    cost_of_fit(&choice, sum.squares, sum.unknowns) + clearly <
	    cost_of_fit(&choice, squares, unknowns)) {
		squares = sum.squares;
		unknowns = sum.unknowns;
		g->is_sum = true;
		g->has_fixed = sum.fixed > 0;
		g->fixed = sum.fixed;
		g->scale = 0;
		g->spread = sqrt(squares / (double)(p->n - unknowns));
		for (size_t j = 0; j < p->params; j++) {
			g->part[j] = sum.part[j];
			g->k[j] = sum.k[j];
			g->low[j] = sum.low[j] < -MAX_EXPONENT ? -INFINITY : sum.low[j];
			g->high[j] = sum.high[j] > MAX_EXPONENT ? INFINITY : sum.high[j];
		}
	}
	g->noise = g->off = NAN;
	if (!choice.variance)
		return;
	g->noise = sqrt(repeats.variance);
	g->off = largest_distance(g, p);
	g->fits_badly = scaling_repeats_reject(&repeats, squares, unknowns, strict) &&
	    g->off > least_off;
}

static bool
fit_both(struct scaling *g, const struct scaling_points *p)
{
	struct trial t = {.steps = can_have_fixed(p) ? 2 * STEPS : 0,
	    .freedom = (double)p->n - (double)p->params - 1};
	double least = min_of(p->y, p->n);
	if (t.freedom < 1)
		return false;
	t.tried = try_fixed_costs(p, least, t.steps);
	bool ok = isfinite(t.tried[0].squares);
	if (ok) {
		choose_law(g, &t, p, least);
		choose_sum(g, &t, p);
	}
	free(t.tried);
	return ok;
}

bool
scaling_fit(struct scaling *g, double *const *x, size_t params, const double *y, size_t n)
{
	double *logs[SCALING_MAX_PARAMS];
	memset(g, 0, sizeof *g);
	if (!params || params > SCALING_MAX_PARAMS)
		return false;
	for (size_t j = 0; j < params; j++) {
		logs[j] = xmalloc(n * sizeof *logs[j]);
		for (size_t i = 0; i < n; i++)
			logs[j][i] = log(x[j][i]);
	}
	bool ok = fit_both(g, &(struct scaling_points){logs, y, params, n});
	for (size_t j = 0; j < params; j++)
		free(logs[j]);
	return ok;
}

double
scaling_at(const struct scaling *g, const double *x, size_t params)
{
	double y = g->is_sum ? 0 : g->scale;
	for (size_t j = 0; j < params; j++) {
		if (g->is_sum)
			y += g->part[j] * pow(x[j], g->k[j]);
		else
			y *= pow(x[j], g->k[j]);
	}
	return g->fixed + y;
}

double
scaling_rest(const struct scaling *g, const double *x, size_t params, size_t j)
{
	return g->is_sum ? scaling_at(g, x, params) - g->part[j] * pow(x[j], g->k[j]) : g->fixed;
}
