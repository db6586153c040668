/* scaling.c: how a cost grows with parameters: y = fixed + scale * x1^k1 * x2^k2 ...
 *
 * The fixed cost is varied from 0 to above the smallest value, and scaling_law.c fits a power law
 * with each; an exponent's interval covers all laws that fit nearly as well (a profile of the sum
 * of squares).
 */
#include "stats/scaling.h"
#include "base/die.h"
#include "stats/normal.h"
#include "stats/scaling_law.h"
#include "stats/scaling_repeats.h"

static const double lack_level = 0.001, least_off = 0.05;	/* of the lack of fit */
static const double finest = 1e-6, finest_in_brief = 5e-2;	/* steps of fixed costs */
enum {
	LEVELS = 3,	/* values of a parameter that show a fixed cost */
	STEPS = 100,	/* fixed costs below the smallest value */
	CLOSEST = 5,	/* decimal digits in which the last of them agrees with it */
	BRIEF_STRIDE = 20,	/* steps between those that are tried */
	MAX_EXPONENT = 20,
	MIN_FREEDOM = 3,	/* of repetitions whose noise is known */
};

struct trial {
	/* The laws for the fixed costs that were tried, the first of which is 0; where there is
	 * none, the squares are infinite. */
	struct scaling_law *tried, best;
	size_t steps;	/* after the first; 0: the points cannot show a fixed cost */
	double fixed;	/* of the best law */
	double freedom;	/* without a fixed cost */
	double squares;	/* of the law that was chosen, and its unknowns */
	size_t unknowns;
};

/* ---- the fixed cost --------------------------------------------------------------------- */

/* A fixed cost and an exponent need three values of some parameter, and one point more than
 * there are unknowns. */
static bool
can_have_fixed(const struct scaling_points *p)
{
	for (size_t j = 0; j < p->params; j++)
		if (scaling_law_levels(p->x[j], p->n, LEVELS) == LEVELS)
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

/* The fixed cost of a step: from 0 at step 0 towards the smallest value in decreasing steps, since
 * the fixed part may be all but a thousandth of a kernel's memory; then up to twice that value,
 * since noise may put values below the fixed cost. */
static double
fixed_at(double least, double step)
{
	return step <= STEPS ? least * (1 - pow(10, -CLOSEST * step / STEPS)) :
	    least * (1 + pow(10, -CLOSEST * (2 * STEPS - step) / STEPS));
}

/* The fixed cost that fits best, between the steps too, and its law. */
static void
search_between(struct trial *f, const struct scaling_points *p, double least, double end,
    double at, double width, double least_width)
{
	for (; width > least_width; width /= 2) {
		double last = fmin(at + width, end);
		for (double step = at - width; step <= last; step += 2 * width) {
			struct scaling_law l = {0};
			if (step < 0 ||
			    !scaling_law_fit(p, fixed_at(least, step), &f->best, &l) ||
			    l.squares >= f->best.squares)
				continue;
			f->best = l;
			at = step;
		}
	}
	f->fixed = fixed_at(least, at);
}

/* Finds the fixed cost that fits best, and its law; brief: fewer are tried.  False: not even a law
 * without one fits. */
static bool
search_fixed(struct trial *f, const struct scaling_points *p, bool brief)
{
	const struct scaling_law *near = NULL;
	double least = min_of(p->y, p->n), at = 0, stride = brief ? BRIEF_STRIDE : 1;
	f->steps = !can_have_fixed(p) ? 0 : brief ? 2 * STEPS / BRIEF_STRIDE : 2 * STEPS;
	f->tried = xmalloc((f->steps + 1) * sizeof *f->tried);
	for (size_t i = 0; i <= f->steps; i++) {
		struct scaling_law *l = &f->tried[i];
		*l = (struct scaling_law){0};
		if (scaling_law_fit(p, fixed_at(least, stride * (double)i), near, l))
			near = l;
		else
			l->squares = INFINITY;
		if (!i || l->squares < f->best.squares) {
			f->best = *l;
			at = stride * (double)i;
		}
	}
	/* In brief, the first step is a long one. */
	search_between(f, p, least, f->steps ? 2 * STEPS : 0, at,
	    at > 0 || brief ? stride / 2 : 0, brief ? finest_in_brief : finest);
	return isfinite(f->tried[0].squares);
}

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

/* Each interval covers all laws that fit nearly as well; one without bounds is infinite. */
static void
find_intervals(struct scaling *g, const struct trial *t, double most, size_t params)
{
	for (size_t j = 0; j < params; j++)
		g->low[j] = INFINITY, g->high[j] = -INFINITY;
	widen_intervals(g, &t->best, sqrt(most - t->best.squares), params);
	for (size_t i = 0; i <= t->steps; i++)
		if (t->tried[i].squares <= most)
			widen_intervals(g, &t->tried[i],
			    sqrt(most - t->tried[i].squares), params);
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
choose_law(struct scaling *g, struct trial *t, const struct scaling_points *p, bool brief)
{
	double without = t->tried[0].squares;
	double freedom = t->steps ? t->freedom - 1 : t->freedom;
	double width = normal_t_quantile(0.975, freedom), variance = t->best.squares / freedom;
	double most = t->best.squares + width * width * variance;
	g->points = p->n;
	g->has_fixed = t->steps && without > most;
	set_law(g, g->has_fixed ? &t->best : &t->tried[0],
	    g->has_fixed ? t->fixed : 0, p->params);
	g->spread = sqrt(g->has_fixed ? variance : without / t->freedom);
	t->squares = g->has_fixed ? t->best.squares : without;
	t->unknowns = p->params + 1 + g->has_fixed;
	if (!brief)
		find_intervals(g, t, most, p->params);
}

/* ---- whether the law fits ----------------------------------------------------------------- */

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

static void
judge_fit(struct scaling *g, const struct trial *t, const struct scaling_points *p)
{
	struct scaling_repeats repeats = scaling_repeats_of(p->x, p->params, p->y, p->n);
	g->noise = g->off = NAN;
	if (repeats.freedom < MIN_FREEDOM)
		return;
	g->noise = sqrt(repeats.variance);
	g->off = largest_distance(g, p);
	g->fits_badly = scaling_repeats_reject(&repeats, t->squares, t->unknowns, lack_level) &&
	    g->off > least_off;
}

static bool
fit_both(struct scaling *g, const struct scaling_points *p, bool brief)
{
	struct trial t = {.freedom = (double)p->n - (double)p->params - 1};
	if (t.freedom < 1)
		return false;
	bool ok = search_fixed(&t, p, brief);
	if (ok) {
		choose_law(g, &t, p, brief);
		if (!brief)
			judge_fit(g, &t, p);
	}
	free(t.tried);
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

double
scaling_at(const struct scaling *g, const double *x, size_t params)
{
	double y = g->scale;
	for (size_t j = 0; j < params; j++)
		y *= pow(x[j], g->k[j]);
	return g->fixed + y;
}
