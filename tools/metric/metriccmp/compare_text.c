/* compare_text.c: what a comparison says of one test, in the same words and units everywhere. */
#include "compare_text.h"

#include "base/die.h"
#include "metric/metric_text.h"

enum { MAX_SHOWN_PCT = 1000 };
static const char *const results[] = {
	[NO_WORSE] = "no worse", [BETTER] = "better", [WORSE] = "worse", [UNKNOWN] = "cannot tell"};

char *
compare_name(const struct comparison *cmp, size_t at)
{
	char *cell = metric_text_cell(cmp->m, cmp->row[at].cell);
	char *name = xasprintf("%s of %s", metric_title(cmp->m->metric[cmp->row[at].metric]), cell);
	free(cell);
	return name;
}

struct change_scale {	/* for all numbers of a row */
	struct unit unit;
	double ratio;	/* from the metric's unit */
	int decimals;
	bool positive;	/* the base's values */
};

static struct change_scale
scale_of(const struct comparison *cmp, size_t at)
{
	const struct test *t = &cmp->test[at];
	struct change_scale s = {.unit = {.symbol = "%"}, .ratio = 100 / fabs(t->x_median),
	    .positive = t->x[0] >= 0};
	bool bounded = isfinite(t->shift.high - t->shift.low);
	double most = fabs(t->shift.shift), wide = bounded ? t->shift.high - t->shift.low : most;
	if (!isfinite(s.ratio)) {
		s.unit = metric_unit_of(cmp->m->metric[cmp->row[at].metric]);
		most = bounded ? fmax(fabs(t->shift.low), fabs(t->shift.high)) : most;
		s.unit = unit_suits(&s.unit, most, false, &s.ratio);
	}
	wide *= s.ratio;
	s.decimals = wide >= 10 ? 0 : wide >= 0.1 || !(wide > 1e-6) ? 1 : 2;
	return s;
}

/* What cannot be negative is never less by more than all of it. */
static void
add_change(struct buf *b, const struct change_scale *s, double shift)
{
	double x = shift * s->ratio;
	if (*s->unit.symbol == '%' && s->positive)
		x = fmax(x, -100);
	bool rounds_to_zero = fabs(x) * pow(10, s->decimals) < 0.5;
	buf_addf(b, "%+.*f", s->decimals, rounds_to_zero ? 0 : x);
}

char *
compare_change(const struct comparison *cmp, size_t at)
{
	const struct rank_shift *shift = &cmp->test[at].shift;
	struct change_scale s = scale_of(cmp, at);
	struct buf b = {0};
	add_change(&b, &s, shift->shift);
	buf_addf(&b, "%s%s (", *s.unit.symbol ? " " : "", s.unit.symbol);
	if (isfinite(shift->low) && isfinite(shift->high)) {
		add_change(&b, &s, shift->low);
		buf_addf(&b, " to ");
		add_change(&b, &s, shift->high);
	} else {
		buf_addf(&b, "no bounds");
	}
	buf_addf(&b, ")");
	return b.p;
}

char *
compare_spread(const struct test *t)
{
	double x = 100 * t->x_mad / fabs(t->x_median), y = 100 * t->y_mad / fabs(t->y_median);
	int decimals = fmax(x, y) < 10 ? 1 : 0;
	return xasprintf("%.*f %% to %.*f %%", decimals, x, decimals, y);
}

char *
compare_result(const struct comparison *cmp, size_t at)
{
	const struct test *t = &cmp->test[at];
	struct change_scale s = scale_of(cmp, at);
	struct buf b = {0};
	buf_addf(&b, "%s", t->gate ? results[t->result] : "not in the gate");
	if (t->small)
		buf_addf(&b, "; certain, but below the floor");
	if (t->gate && t->result == UNKNOWN) {
		double least = t->detectable * s.ratio;
		if (isfinite(least) && least > MAX_SHOWN_PCT && *s.unit.symbol == '%')
			buf_addf(&b, "; detectable: more than ten times");
		else if (isfinite(least))
			buf_addf(&b, "; detectable: %.*f%s%s", least < 10 ? 1 : 0, least,
			    *s.unit.symbol ? " " : "", s.unit.symbol);
		if (t->runs_needed && !cmp->busy)
			buf_addf(&b, "; %zu runs needed", t->runs_needed);
	}
	if (t->spread != SPREAD_SAME) {
		char *spread = compare_spread(t);
		buf_addf(&b, "; spread %s: %s", two_samples_spreads[t->spread], spread);
		free(spread);
	}
	return b.p;
}
