/* growth.c: how a cost grows with parameters: y = fixed + scale * x1^k1 * x2^k2 ...
 *
 * With `fixed` given, the logarithm of the rest is a straight line, by least
 * squares with weights that make errors shares of y.  `fixed` is tried from none
 * up to the smallest y; an exponent's interval is that of all that fit nearly as
 * well.
 */
#include "growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cholesky.h"
#include "effect.h"
#include "nbscope.h"

static const double same = 1e-9;
static const double finest_step = 1e-3;
enum { TERMS = GROWTH_MOST_PARAMS + 1, STEPS = 200, CLOSEST = 5 };

struct points {
	double *const *x;	/* logarithms */
	const double *y;
	size_t params, n;
};
struct line {
	double c[TERMS], error[TERMS];	/* coefficients, the first the constant; standard errors for a spread of 1 */
	double squares;	/* of relative errors */
};

/* ---- weighted least squares -------------------------------------------------------- */

static double
term(const struct points *p, size_t j, size_t i)
{
	return j ? p->x[j - 1][i] : 1;
}

static double
foretold(const struct points *p, const double *c, size_t i)
{
	double sum = 0;
	for (size_t j = 0; j <= p->params; j++)
		sum += c[j] * term(p, j, i);
	return sum;
}

static bool
fit_line(const struct points *p, double fixed, struct line *l)
{
	double a[TERMS][TERMS] = {{0}};
	size_t m = p->params + 1;
	struct square normal = {a[0], TERMS, m};
	memset(l, 0, sizeof *l);
	for (size_t i = 0; i < p->n; i++) {
		double rest = p->y[i] - fixed, share = rest / p->y[i], weight = share * share;
		for (size_t j = 0; j < m; j++) {
			l->c[j] += weight * term(p, j, i) * log(rest);
			for (size_t k = 0; k <= j; k++)
				a[j][k] += weight * term(p, j, i) * term(p, k, i);
		}
	}
	if (!cholesky(normal))
		return false;
	solve_lower(normal, l->c);
	solve_upper(normal, l->c);
	for (size_t j = 0; j < m; j++) {
		double v[TERMS] = {0};
		v[j] = 1;
		solve_lower(normal, v);
		for (size_t k = 0; k < m; k++)
			l->error[j] += v[k] * v[k];
		l->error[j] = sqrt(l->error[j]);
	}
	for (size_t i = 0; i < p->n; i++) {
		double off = (fixed + exp(foretold(p, l->c, i))) / p->y[i] - 1;
		l->squares += off * off;
	}
	return isfinite(l->squares);
}

/* ---- with and without a fixed cost -------------------------------------------------------- */

static void
take(struct growth *g, const struct line *l, double fixed, size_t params)
{
	g->fixed = fixed;
	g->scale = exp(l->c[0]);
	for (size_t j = 0; j < params; j++)
		g->k[j] = l->c[j + 1];
}

static void
widen(struct growth *g, const struct line *l, double by, size_t params)
{
	for (size_t j = 0; j < params; j++) {
		g->low[j] = fmin(g->low[j], l->c[j + 1] - by * l->error[j + 1]);
		g->high[j] = fmax(g->high[j], l->c[j + 1] + by * l->error[j + 1]);
	}
}

static size_t
different(const double *x, size_t n)
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

/* A constant and a curve want four values of some parameter. */
static bool
can_have_fixed(const struct points *p)
{
	for (size_t j = 0; j < p->params; j++)
		if (different(p->x[j], p->n) >= 4)
			return p->n > p->params + 2;
	return false;
}

static double
smallest(const double *y, size_t n)
{
	double least = INFINITY;
	for (size_t i = 0; i < n; i++)
		least = fmin(least, y[i]);
	return least;
}

/* From none at step 0 to nearly the smallest value, closer and closer: of a kernel's
 * memory all but a thousandth may be what it always has. */
static double
fixed_at(double least, double step)
{
	return least * (1 - pow(10, -CLOSEST * step / STEPS));
}

/* The step whose fixed cost fits best, and its line. */
static double
best_step(const struct points *p, double least, struct line *best)
{
	struct line l;
	double at = 0;
	for (int i = 1; i <= STEPS; i++) {
		if (fit_line(p, fixed_at(least, i), &l) && l.squares < best->squares) {
			*best = l;
			at = i;
		}
	}
	for (double width = at > 0 ? 0.5 : 0; width > finest_step; width /= 2) {
		for (double step = at - width, end = at + width; step <= end; step += 2 * width) {
			if (fit_line(p, fixed_at(least, step), &l) && l.squares < best->squares) {
				*best = l;
				at = step;
			}
		}
	}
	return at;
}

static bool
fit_both(struct growth *g, const struct points *p)
{
	struct line without, best, l;
	double freedom = (double)p->n - (double)p->params - 1, least = smallest(p->y, p->n), at = 0;
	if (freedom < 1 || !fit_line(p, 0, &without))
		return false;
	take(g, &without, 0, p->params);
	for (size_t j = 0; j < p->params; j++)
		g->low[j] = INFINITY, g->high[j] = -INFINITY;
	g->points = p->n;
	best = without;
	bool fixed = can_have_fixed(p);
	if (fixed)
		at = fixed_at(least, best_step(p, least, &best));
	double left = fixed ? freedom - 1 : freedom, t = t_quantile(0.975, left), variance = best.squares / left;
	g->has_fixed = fixed && without.squares - best.squares > t * t * variance;
	if (g->has_fixed)
		take(g, &best, at, p->params);
	g->spread = sqrt(g->has_fixed ? variance : without.squares / freedom);
	/* All that fit nearly as well widen the interval. */
	widen(g, &best, t * g->spread, p->params);
	for (int i = 0; i < (fixed ? STEPS : 1); i++) {
		if (fit_line(p, fixed_at(least, i), &l) && l.squares <= best.squares + t * t * variance * (1 + same))
			widen(g, &l, t * g->spread, p->params);
	}
	return true;
}

bool
growth_fit(struct growth *g, double *const *x, size_t params, const double *y, size_t n)
{
	double *logs[GROWTH_MOST_PARAMS];
	memset(g, 0, sizeof *g);
	if (!params || params > GROWTH_MOST_PARAMS)
		return false;
	for (size_t j = 0; j < params; j++) {
		logs[j] = xmalloc(n * sizeof *logs[j]);
		for (size_t i = 0; i < n; i++)
			logs[j][i] = log(x[j][i]);
	}
	bool ok = fit_both(g, &(struct points){logs, y, params, n});
	for (size_t j = 0; j < params; j++)
		free(logs[j]);
	return ok;
}

double
growth_at(const struct growth *g, const double *x, size_t params)
{
	double y = g->scale;
	for (size_t j = 0; j < params; j++)
		y *= pow(x[j], g->k[j]);
	return g->fixed + y;
}

/* ---- words ------------------------------------------------------------------------------- */

char *
growth_word(double k, double low, double high)
{
	static const struct { double k; const char *word; } known[] = {
		{0, "constant"}, {0.5, "square root"}, {1, "linear"}, {2, "quadratic"}, {3, "cubic"}};
	size_t nearest = 0;
	for (size_t i = 1; i < COUNT(known); i++)
		if (fabs(known[i].k - k) < fabs(known[nearest].k - k))
			nearest = i;
	if (!(high - low <= 1))
		return xstrdup("unknown");
	if ((known[nearest].k >= low && known[nearest].k <= high) || fabs(known[nearest].k - k) < 0.02)
		return xstrdup(known[nearest].word);
	if (fabs(known[nearest].k - k) < 0.1)
		return xasprintf("nearly %s", known[nearest].word);
	if (k < 0)
		return xstrdup("falling");
	for (size_t i = 0; i + 1 < COUNT(known); i++)
		if (k > known[i].k && k < known[i + 1].k)
			return xasprintf("between %s and %s", known[i].word, known[i + 1].word);
	return xstrdup("more than cubic");
}
