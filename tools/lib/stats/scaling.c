/* scaling.c: how a cost grows with parameters: y = fixed + scale * x1^k1 * x2^k2 ..., or a sum
 * of powers (scaling_sum.c) where that fits better.
 *
 * scaling_fixed.c fits a power law with each of many fixed costs; an exponent's interval covers all
 * laws that fit nearly as well (a profile of the sum of squares).
 */
#include "stats/scaling.h"
#include "base/die.h"
#include "stats/normal.h"
#include "stats/scaling_fixed.h"
#include "stats/scaling_law.h"
#include "stats/scaling_repeats.h"
#include "stats/scaling_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_variance = 1e-12;	/* of runs that do not differ */
static const double clearly = 4;	/* by which a sum must be better than a product */
static const double plain = 0.05, strict = 0.001, least_off = 0.05;	/* of the lack of fit */
enum {
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

struct trial {
	struct scaling_fixed of;
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
	widen_intervals(g, &t->of.best, sqrt(most - t->of.best.squares), params);
	for (size_t i = 0; i <= t->of.steps; i++)
		if (t->of.tried[i].squares <= most)
			widen_intervals(g, &t->of.tried[i],
			    sqrt(most - t->of.tried[i].squares), params);
	for (size_t j = 0; j < params; j++) {
		if (!g->has_fixed)
			note_constant(g, &t->of.tried[0], j,
			    normal_t_quantile(0.975, t->freedom) * g->spread);
		g->low[j] = g->low[j] < -MAX_EXPONENT ? -INFINITY : g->low[j];
		g->high[j] = g->high[j] > MAX_EXPONENT ? INFINITY : g->high[j];
	}
}

/* Has a fixed cost if the law without one fits significantly worse. */
static void
choose_law(struct scaling *g, struct trial *t, const struct scaling_points *p, bool brief)
{
	double without = t->of.tried[0].squares;
	double freedom = t->of.steps ? t->freedom - 1 : t->freedom;
	double width = normal_t_quantile(0.975, freedom), variance = t->of.best.squares / freedom;
	double most = t->of.best.squares + width * width * variance;
	g->points = p->n;
	g->has_fixed = t->of.steps && without > most;
	set_law(g, g->has_fixed ? &t->of.best : &t->of.tried[0],
	    g->has_fixed ? t->of.fixed : 0, p->params);
	g->spread = sqrt(g->has_fixed ? variance : without / t->freedom);
	t->squares = g->has_fixed ? t->of.best.squares : without;
	t->unknowns = p->params + 1 + g->has_fixed;
	if (!brief)
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
choose_sum(struct scaling *g, const struct trial *t, const struct scaling_points *p, bool brief)
{
	struct scaling_sum sum;
	struct scaling_repeats repeats = scaling_repeats_of(p->x, p->params, p->y, p->n);
	struct scaling_choice choice = {cost_of_fit, p->n,
	    repeats.freedom >= MIN_FREEDOM ? fmax(repeats.variance, least_variance) : 0, brief};
	double squares = t->squares;
	size_t unknowns = t->unknowns;
	bool poor = !choice.variance || scaling_repeats_reject(&repeats, squares, unknowns, plain);
	if (poor && scaling_sum_fit(&sum, p->x, p->params, p->y, p->n, &choice) &&
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
			g->second_part[j] = sum.second_part[j];
			g->second_k[j] = sum.second_k[j];
			g->low[j] = sum.low[j] < -MAX_EXPONENT ? -INFINITY : sum.low[j];
			g->high[j] = sum.high[j] > MAX_EXPONENT ? INFINITY : sum.high[j];
		}
	}
	g->noise = g->off = NAN;
	if (!choice.variance || brief)
		return;
	g->noise = sqrt(repeats.variance);
	g->off = largest_distance(g, p);
	g->fits_badly = scaling_repeats_reject(&repeats, squares, unknowns, strict) &&
	    g->off > least_off;
}

static bool
fit_both(struct scaling *g, const struct scaling_points *p, bool brief)
{
	struct trial t = {.freedom = (double)p->n - (double)p->params - 1};
	if (t.freedom < 1)
		return false;
	bool ok = scaling_fixed_fit(&t.of, p, brief);
	if (ok) {
		choose_law(g, &t, p, brief);
		choose_sum(g, &t, p, brief);
	}
	free(t.of.tried);
	return ok;
}

static bool
fit(struct scaling *g, double *const *x, size_t params, const double *y, size_t n, bool brief)
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
	bool ok = fit_both(g, &(struct scaling_points){logs, y, params, n}, brief);
	for (size_t j = 0; j < params; j++)
		free(logs[j]);
	return ok;
}

bool
scaling_fit(struct scaling *g, double *const *x, size_t params, const double *y, size_t n)
{
	return fit(g, x, params, y, n, false);
}

bool
scaling_fit_brief(struct scaling *g, double *const *x, size_t params, const double *y, size_t n)
{
	return fit(g, x, params, y, n, true);
}

/* What parameter j adds to a sum. */
static double
parts_of_param(const struct scaling *g, double x, size_t j)
{
	double y = g->part[j] * pow(x, g->k[j]);
	return g->second_part[j] > 0 ? y + g->second_part[j] * pow(x, g->second_k[j]) : y;
}

double
scaling_at(const struct scaling *g, const double *x, size_t params)
{
	double y = g->is_sum ? 0 : g->scale;
	for (size_t j = 0; j < params; j++) {
		if (g->is_sum)
			y += parts_of_param(g, x[j], j);
		else
			y *= pow(x[j], g->k[j]);
	}
	return g->fixed + y;
}

double
scaling_rest(const struct scaling *g, const double *x, size_t params, size_t j)
{
	return g->is_sum ? scaling_at(g, x, params) - parts_of_param(g, x[j], j) : g->fixed;
}
