/* scaling_fixed.c: the power law, with the fixed cost, that fits best: the fixed cost is varied
 * from 0 to above the smallest value, and scaling_law.c fits a power law with each. */
#include "stats/scaling_fixed.h"

#include <math.h>

#include "base/die.h"

static const double finest = 1e-6, finest_in_brief = 5e-2;
enum {
	LEVELS = 3,	/* values of a parameter that show a fixed cost */
	STEPS = 100,	/* fixed costs below the smallest value */
	CLOSEST = 5,	/* decimal digits in which the last of them agrees with it */
	BRIEF_STRIDE = 20,	/* steps between those that are tried */
};

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
search_between(struct scaling_fixed *f, const struct scaling_points *p, double least, double end,
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

bool
scaling_fixed_fit(struct scaling_fixed *f, const struct scaling_points *p, bool brief)
{
	const struct scaling_law *near = NULL;
	double least = min_of(p->y, p->n), at = 0, stride = brief ? BRIEF_STRIDE : 1;
	*f = (struct scaling_fixed){.steps = !can_have_fixed(p) ? 0 :
	    brief ? 2 * STEPS / BRIEF_STRIDE : 2 * STEPS};
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
