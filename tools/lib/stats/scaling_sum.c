/* scaling_sum.c: a cost in which each parameter has a part of its own, or one has two.
 *
 * scaling_sum_law.c fits each choice of parts.  An exponent's interval is a profile: the
 * exponents for which the best of the other unknowns fits nearly as well.
 */
#include "stats/scaling_sum.h"

#include <math.h>
#include <stdlib.h>

#include "base/die.h"
#include "stats/normal.h"
#include "stats/scaling_law.h"
#include "stats/scaling_sum_law.h"

static const double tiny = 1e-12;
enum {
	LEVELS_OF_TWO = 6,	/* values of a parameter that show two parts and a fixed cost */
	NONE_TWICE = SCALING_SUM_MAX_PARAMS,
};

/* The exponent that the whole cost could have: a line through the relative errors. */
static void
interval_without_part(const struct scaling_sum_points *p, const struct scaling_sum_law *l,
    const double *x, double freedom, double *low, double *high)
{
	double xx = 0, xr = 0, rr = 0;
	for (size_t i = 0; i < p->n; i++) {
		double r = p->y[i] / scaling_sum_law_at(p, l, i) - 1;
		xx += x[i] * x[i];
		xr += x[i] * r;
		rr += r * r;
	}
	double slope = xr / xx, variance = fmax(rr - slope * xr, 0) / freedom;
	double off = normal_t_quantile(0.975, freedom) * sqrt(variance / xx);
	*low = slope - off;
	*high = slope + off;
}

/* The parts that a sum has: each parameter in the set, and `twice` again, or NONE_TWICE. */
struct sum_choice {
	unsigned set;
	size_t twice;
};

static void
choose_parts(struct scaling_sum_points *p, double *const *x, size_t params, struct sum_choice c)
{
	p->parts = 0;
	for (size_t j = 0; j < params; j++)
		for (size_t k = 0; k < (c.set >> j & 1) + (j == c.twice); k++) {
			p->x[p->parts] = x[j];
			p->of[p->parts++] = j;
		}
}

static void
set_sum(struct scaling_sum *s, const struct scaling_sum_points *p,
    const struct scaling_sum_law *l, const double *mean)
{
	s->fixed = l->fixed;
	for (size_t i = 0; i < p->parts; i++) {
		size_t j = p->of[i];
		double part = l->part[i] * exp(-l->k[i] * mean[j]), k = l->k[i];
		bool second = i && p->of[i - 1] == j;
		*(second ? &s->second_part[j] : &s->part[j]) = part;
		*(second ? &s->second_k[j] : &s->k[j]) = k;
	}
}

/* Of the law that set_sum() set. */
static void
set_intervals(struct scaling_sum *s, const struct scaling_sum_points *p,
    const struct scaling_sum_law *l, double *const *x, size_t params)
{
	double freedom = (double)p->n - (double)s->unknowns, t = normal_t_quantile(0.975, freedom);
	double most = l->squares + t * t * fmax(l->squares / freedom, tiny * tiny);
	for (size_t j = 0; j < params; j++) {
		size_t i = 0;
		while (i < p->parts && p->of[i] != j)
			i++;
		if (i == p->parts) {
			interval_without_part(p, l, x[j], freedom, &s->low[j], &s->high[j]);
			continue;
		}
		s->low[j] = scaling_sum_law_end(p, l, i, most, -1);
		s->high[j] = scaling_sum_law_end(p, l, i, most, 1);
	}
}

/* The best sum with these parts, if it is better than the best so far, which it replaces. */
static void
try_parts(struct scaling_sum *s, double *cost, struct scaling_sum_points *best,
    struct scaling_sum_law *law, double *const *x, size_t params, struct sum_choice parts,
    const struct scaling_choice *choice)
{
	struct scaling_sum_points p = {.y = best->y, .n = best->n};
	struct scaling_sum_law l;
	choose_parts(&p, x, params, parts);
	size_t unknowns = 2 * p.parts + 1;
	if (p.parts < 2 || p.parts > SCALING_SUM_MAX_PARTS || p.n < unknowns + 2 ||
	    !scaling_sum_law_fit(&p, &l))
		return;
	double this = choice->cost(choice, l.squares, unknowns);
	if (this < *cost) {
		*cost = this;
		*best = p;
		*law = l;
		s->unknowns = unknowns;
		s->squares = l.squares;
	}
}

static double *
centre(const double *x, size_t n, double *mean)
{
	double *to = xmalloc((n + 1) * sizeof *to);
	*mean = 0;
	for (size_t i = 0; i < n; i++)
		*mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		to[i] = x[i] - *mean;
	return to;
}

bool
scaling_sum_fit(struct scaling_sum *s, double *const *x, size_t params, const double *y, size_t n,
    const struct scaling_choice *choice)
{
	double mean[SCALING_SUM_MAX_PARAMS], *centred[SCALING_SUM_MAX_PARAMS], cost = INFINITY;
	struct scaling_sum_points best = {.y = y, .n = n};
	struct scaling_sum_law law = {0};
	*s = (struct scaling_sum){0};
	if (params > SCALING_SUM_MAX_PARAMS)
		return false;
	for (size_t j = 0; j < params; j++)
		centred[j] = centre(x[j], n, &mean[j]);
	for (unsigned set = 1; set < 1U << params; set++) {
		struct sum_choice parts = {set, NONE_TWICE};
		try_parts(s, &cost, &best, &law, centred, params, parts, choice);
		for (parts.twice = 0; parts.twice < params; parts.twice++)
			if (set >> parts.twice & 1 && LEVELS_OF_TWO ==
			    scaling_law_levels(x[parts.twice], n, LEVELS_OF_TWO))
				try_parts(s, &cost, &best, &law, centred, params, parts, choice);
	}
	if (best.parts) {
		set_sum(s, &best, &law, mean);
		if (!choice->brief)
			set_intervals(s, &best, &law, centred, params);
	}
	for (size_t j = 0; j < params; j++)
		free(centred[j]);
	return best.parts > 0;
}
