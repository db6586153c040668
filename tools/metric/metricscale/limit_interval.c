/* limit_interval.c: where a limit is reached, and how certain that is. */
#include "limit_interval.h"
#include "base/die.h"
#include "stats/quantile.h"
#include "stats/random.h"

enum { LAWS = 200, SEED = 25 };
static const double largest_value = 1e15, least_share = 0.01;

double
limit_value(const struct scaling *g, const struct limit_runs *r, size_t j, double limit)
{
	double grown = scaling_at(g, r->max, r->params) - g->fixed, x = NAN;
	if (limit > g->fixed && g->k[j] > 0 && grown > 0 && !g->fits_badly)
		x = r->max[j] * pow((limit - g->fixed) / grown, 1 / g->k[j]);
	return x < largest_value ? x : (double)NAN;
}

/* Relative errors as large as those of runs that a law was not fitted to. */
static double *
residuals_of(const struct scaling *g, const struct limit_runs *r)
{
	double at[SCALING_MAX_PARAMS], mean = 0, unknowns = (double)r->params + 1 + g->has_fixed;
	double *e = xmalloc((r->n + 1) * sizeof *e);
	for (size_t i = 0; i < r->n; i++) {
		for (size_t j = 0; j < r->params; j++)
			at[j] = r->x[j][i];
		e[i] = r->y[i] / scaling_at(g, at, r->params) - 1;
		mean += e[i] / (double)r->n;
	}
	double more = sqrt((double)r->n / fmax((double)r->n - unknowns, 1));
	for (size_t i = 0; i < r->n; i++)
		e[i] = (e[i] - mean) * more;
	return e;
}

/* The costs of the law with errors of other runs. */
static void
draw_costs(const struct scaling *g, const struct limit_runs *r, const double *e, uint64_t *state,
    double *y)
{
	double at[SCALING_MAX_PARAMS];
	for (size_t i = 0; i < r->n; i++) {
		for (size_t j = 0; j < r->params; j++)
			at[j] = r->x[j][i];
		y[i] = scaling_at(g, at, r->params) *
		    fmax(1 + e[random_below(state, r->n)], least_share);
	}
}

static void
fit_laws(const struct scaling *g, struct limit_runs *r)
{
	double *y = xmalloc((r->n + 1) * sizeof *y), *e = residuals_of(g, r);
	uint64_t state = SEED;
	r->law = xmalloc(LAWS * sizeof *r->law);
	for (size_t k = 0; k < LAWS; k++) {
		draw_costs(g, r, e, &state, y);
		r->laws += scaling_fit_brief(&r->law[r->laws], r->x, r->params, y, r->n);
	}
	free(e);
	free(y);
}

void
limit_interval(const struct scaling *g, struct limit_runs *r, size_t j, double limit,
    double *low, double *high)
{
	double value[LAWS];
	if (!r->law)
		fit_laws(g, r);
	for (size_t k = 0; k < r->laws; k++) {
		double x = limit_value(&r->law[k], r, j, limit);
		value[k] = isnan(x) ? (double)INFINITY : x;
	}
	*low = *high = NAN;
	if (!r->laws)
		return;
	quantile_sort(value, r->laws);
	*low = quantile_sorted(value, r->laws, 0.025, Q_LOWER);
	*high = quantile_sorted(value, r->laws, 0.975, Q_HIGHER);
	*low = isfinite(*low) ? *low : (double)NAN;
	*high = isfinite(*high) ? *high : (double)NAN;
}
