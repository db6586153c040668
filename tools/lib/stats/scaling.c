/* growth.c: how a cost grows with parameters: y = fixed + scale * x1^k1 * x2^k2 ...
 *
 * Least squares of the errors as shares of y.  With `fixed` given, the law beside it
 * is sought from the line through the logarithms of the rest on.  `fixed` is tried
 * from none to beyond the smallest y; an exponent's interval is that of all laws that
 * fit nearly as well (a profile of the squares).
 */
#include "stats/scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/cholesky.h"
#include "stats/effect.h"
#include "base/nbscope.h"

static const double same = 1e-9;
static const double finest_step = 1e-6, least_share = 1e-3;
enum { TERMS = SCALING_MOST_PARAMS + 1, STEPS = 100, CLOSEST = 5, MOST_DESCENTS = 30, MOST_EXPONENT = 20, WIDEST_TOLD = 1 };

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
predicted(const struct points *p, const double *c, size_t i)
{
	double sum = 0;
	for (size_t j = 0; j <= p->params; j++)
		sum += c[j] * term(p, j, i);
	return sum;
}

/* Adds a point to the normal equations; moment: its weight times its value. */
static void
add_point(double a[TERMS][TERMS], double *b, const struct points *p, size_t i, double weight, double moment)
{
	for (size_t j = 0; j <= p->params; j++) {
		b[j] += moment * term(p, j, i);
		for (size_t k = 0; k <= j; k++)
			a[j][k] += weight * term(p, j, i) * term(p, k, i);
	}
}

/* The matrix becomes its factor, b the coefficients. */
static bool
solve(struct cholesky_matrix normal, double *b)
{
	if (!cholesky_factor(normal))
		return false;
	cholesky_solve_lower(normal, b);
	cholesky_solve_upper(normal, b);
	return true;
}

/* Of the relative errors. */
static double
squares_of(const struct points *p, double fixed, const double *c)
{
	double squares = 0;
	for (size_t i = 0; i < p->n; i++) {
		double off = (fixed + exp(predicted(p, c, i))) / p->y[i] - 1;
		squares += off * off;
	}
	return squares;
}

/* A straight line among the logarithms of what is above the fixed cost, weighted so
 * that errors are shares of y: where the search begins. */
static bool
guess(const struct points *p, double fixed, double *c)
{
	double a[TERMS][TERMS] = {{0}};
	memset(c, 0, (p->params + 1) * sizeof *c);
	for (size_t i = 0; i < p->n; i++) {
		double rest = p->y[i] - fixed, share = rest / p->y[i], weight = share * share;
		if (rest > 0)
			add_point(a, c, p, i, weight, weight * log(rest));
	}
	return solve((struct cholesky_matrix){a[0], TERMS, p->params + 1}, c) && isfinite(squares_of(p, fixed, c));
}

/* One step of Gauss and Newton; false where the errors tell no direction. */
static bool
step(const struct points *p, double fixed, const struct line *l, double *by, double *error)
{
	double a[TERMS][TERMS] = {{0}};
	size_t m = p->params + 1;
	struct cholesky_matrix normal = {a[0], TERMS, m};
	memset(by, 0, m * sizeof *by);
	for (size_t i = 0; i < p->n; i++) {
		double grown = exp(predicted(p, l->c, i)) / p->y[i], off = 1 - fixed / p->y[i] - grown;
		add_point(a, by, p, i, grown * grown, grown * off);
	}
	if (!solve(normal, by))
		return false;
	for (size_t j = 0; j < m; j++) {
		double v[TERMS] = {0};
		v[j] = 1;
		cholesky_solve_lower(normal, v);
		error[j] = 0;
		for (size_t k = 0; k < m; k++)
			error[j] += v[k] * v[k];
		error[j] = sqrt(error[j]);
	}
	return true;
}

/* The law that fits best beside this fixed cost, sought from l->c on. */
static bool
descend(const struct points *p, double fixed, struct line *l)
{
	double by[TERMS];
	size_t m = p->params + 1;
	l->squares = squares_of(p, fixed, l->c);
	for (int n = 0; n < MOST_DESCENTS; n++) {
		struct line next = *l;
		if (!isfinite(l->squares) || !step(p, fixed, l, by, l->error))
			return false;
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

/* near: a law that fits well beside nearly this fixed cost; or NULL. */
static bool
fit_line(const struct points *p, double fixed, const struct line *near, struct line *l)
{
	if (near) {
		memcpy(l->c, near->c, sizeof l->c);
		if (descend(p, fixed, l))
			return true;
	}
	return guess(p, fixed, l->c) && descend(p, fixed, l);
}

/* ---- with and without a fixed cost -------------------------------------------------------- */

static void
take(struct scaling *g, const struct line *l, double fixed, size_t params)
{
	g->fixed = fixed;
	g->scale = exp(l->c[0]);
	for (size_t j = 0; j < params; j++)
		g->k[j] = l->c[j + 1];
}

static void
widen(struct scaling *g, const struct line *l, double by, size_t params)
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

/* A fixed cost and a power want three values of some parameter, and a run more than
 * there are numbers to find. */
static bool
can_have_fixed(const struct points *p)
{
	for (size_t j = 0; j < p->params; j++)
		if (different(p->x[j], p->n) >= 3)
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

/* From none at step 0 to the smallest value, closer and closer, since of a kernel's
 * memory all but a thousandth may be what it always has; and from there on to twice as
 * much, since noise puts values below the fixed cost. */
static double
fixed_at(double least, double step)
{
	return step <= STEPS ? least * (1 - pow(10, -CLOSEST * step / STEPS)) :
	    least * (1 + pow(10, -CLOSEST * (2 * STEPS - step) / STEPS));
}

/* The law beside each of the fixed costs; of one that has none the squares are infinite. */
static struct line *
try_all(const struct points *p, double least, size_t steps)
{
	struct line *tried = xmalloc((steps + 1) * sizeof *tried);
	const struct line *near = NULL;
	for (size_t i = 0; i <= steps; i++) {
		tried[i] = (struct line){0};
		if (fit_line(p, fixed_at(least, (double)i), near, &tried[i]))
			near = &tried[i];
		else
			tried[i].squares = INFINITY;
	}
	return tried;
}

/* The fixed cost that fits best, between the steps too, and its law. */
static double
best_fixed(const struct points *p, double least, const struct line *tried, size_t steps, struct line *best)
{
	double at = 0;
	*best = tried[0];
	for (size_t i = 1; i <= steps; i++)
		if (tried[i].squares < best->squares) {
			*best = tried[i];
			at = (double)i;
		}
	for (double width = at > 0 ? 0.5 : 0; width > finest_step; width /= 2)
		for (double step = at - width, end = fmin(at + width, (double)steps); step <= end; step += 2 * width) {
			struct line l = {0};
			if (fit_line(p, fixed_at(least, step), best, &l) && l.squares < best->squares) {
				*best = l;
				at = step;
			}
		}
	return fixed_at(least, at);
}

/* What does not grow as far as can be seen fits beside a fixed cost with any exponent:
 * of it is said how little it grows without one. */
static void
note_constant(struct scaling *g, const struct line *without, size_t j, double by)
{
	double k = without->c[j + 1], off = by * without->error[j + 1];
	if (fabs(k) <= off && 2 * off <= WIDEST_TOLD) {
		g->low[j] = k - off;
		g->high[j] = k + off;
	}
}

/* The laws beside all fixed costs that were tried, and the best of all. */
struct trial {
	struct line *tried, best;
	size_t steps;
	double freedom;	/* without a fixed cost */
};

/* All that fit nearly as well are in the interval; one without bounds is infinite. */
static void
find_intervals(struct scaling *g, const struct trial *t, double most, size_t params)
{
	for (size_t j = 0; j < params; j++)
		g->low[j] = INFINITY, g->high[j] = -INFINITY;
	widen(g, &t->best, sqrt(most - t->best.squares), params);
	for (size_t i = 0; i <= t->steps; i++)
		if (t->tried[i].squares <= most)
			widen(g, &t->tried[i], sqrt(most - t->tried[i].squares), params);
	for (size_t j = 0; j < params; j++) {
		if (!g->has_fixed)
			note_constant(g, &t->tried[0], j, normal_t_quantile(0.975, t->freedom) * g->spread);
		g->low[j] = g->low[j] < -MOST_EXPONENT ? -INFINITY : g->low[j];
		g->high[j] = g->high[j] > MOST_EXPONENT ? INFINITY : g->high[j];
	}
}

/* With a fixed cost where none fits significantly worse. */
static void
choose(struct scaling *g, struct trial *t, const struct points *p, double least)
{
	double at = best_fixed(p, least, t->tried, t->steps, &t->best), without = t->tried[0].squares;
	double left = t->steps ? t->freedom - 1 : t->freedom, width = normal_t_quantile(0.975, left);
	double variance = t->best.squares / left, most = t->best.squares + width * width * variance;
	g->points = p->n;
	g->has_fixed = t->steps && without > most;
	take(g, g->has_fixed ? &t->best : &t->tried[0], g->has_fixed ? at : 0, p->params);
	g->spread = sqrt(g->has_fixed ? variance : without / t->freedom);
	find_intervals(g, t, most, p->params);
}

static bool
fit_both(struct scaling *g, const struct points *p)
{
	struct trial t = {.steps = can_have_fixed(p) ? 2 * STEPS : 0, .freedom = (double)p->n - (double)p->params - 1};
	double least = smallest(p->y, p->n);
	if (t.freedom < 1)
		return false;
	t.tried = try_all(p, least, t.steps);
	bool ok = isfinite(t.tried[0].squares);
	if (ok)
		choose(g, &t, p, least);
	free(t.tried);
	return ok;
}

bool
scaling_fit(struct scaling *g, double *const *x, size_t params, const double *y, size_t n)
{
	double *logs[SCALING_MOST_PARAMS];
	memset(g, 0, sizeof *g);
	if (!params || params > SCALING_MOST_PARAMS)
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
scaling_at(const struct scaling *g, const double *x, size_t params)
{
	double y = g->scale;
	for (size_t j = 0; j < params; j++)
		y *= pow(x[j], g->k[j]);
	return g->fixed + y;
}

/* ---- words ------------------------------------------------------------------------------- */

char *
scaling_word(double k, double low, double high)
{
	static const struct { double k; const char *word; } known[] = {
		{0, "constant"}, {0.5, "square root"}, {1, "linear"}, {2, "quadratic"}, {3, "cubic"}};
	size_t nearest = 0;
	for (size_t i = 1; i < COUNT(known); i++)
		if (fabs(known[i].k - k) < fabs(known[nearest].k - k))
			nearest = i;
	if (!(high - low <= WIDEST_TOLD))
		return xstrdup(low > 0 ? "growing" : high < 0 ? "falling" : "unknown");
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

char *
scaling_interval(double low, double high)
{
	if (isfinite(low) && isfinite(high))
		return xasprintf("%.2f to %.2f", low, high);
	if (isfinite(low) || isfinite(high))
		return xasprintf("%.2f or %s", isfinite(low) ? low : high, isfinite(low) ? "more" : "less");
	return xstrdup("any");
}
