/* mismatch_words.c: the words for what explains a mismatch: its unit, its rounding. */
#include "mismatch_words.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "table/column_unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const unit_words[] = {"B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB",
    "ns", "us", "ms", "s", "min", "h", "d", "%", "J", "kJ", "Wh", "kWh"};

static bool
is_near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fabs(b);
}

double
mismatch_words_ratio(const struct figure_pairs *p)
{
	struct unit own = column_unit(p->s->of[p->column.of]->name);
	bool known = p->column.unit.quantity != OF_NOTHING &&
	    p->column.unit.quantity == own.quantity && p->column.kind != FIGURE_COUNT;
	return known ? own.factor / p->column.unit.factor : 1;
}

char *
mismatch_words_unit(const struct figure_pairs *p, double *k, double tolerance)
{
	double fitted = *k;
	if (is_near(fitted, mismatch_words_ratio(p), tolerance))
		return NULL;
	struct unit own = column_unit(p->s->of[p->column.of]->name), u, v;
	bool named = p->column.unit.quantity != OF_NOTHING;
	for (size_t i = 0; own.quantity != OF_NOTHING && i < COUNT(unit_words); i++) {
		if (unit_parse(unit_words[i], &v) != 0 || v.quantity != own.quantity ||
		    !is_near(own.factor / v.factor, fitted, tolerance))
			continue;
		*k = own.factor / v.factor;
		return named && strcmp(p->column.unit.symbol, v.symbol) != 0
		    ? xasprintf("its name says %s, but it is in %s", p->column.unit.symbol,
		    v.symbol)
			: xasprintf("it is in %s, but the rows are in %s", v.symbol, own.symbol);
	}
	for (size_t i = 0; own.quantity == OF_NOTHING && i < COUNT(unit_words); i++)
		for (size_t j = 0; j < COUNT(unit_words); j++)
			if (i != j && unit_parse(unit_words[i], &u) == 0 &&
			    unit_parse(unit_words[j], &v) == 0 && u.quantity == v.quantity &&
			    is_near(u.factor / v.factor, fitted, tolerance) &&
			    (!named || strcmp(p->column.unit.symbol, v.symbol) == 0)) {
				*k = u.factor / v.factor;
				return xasprintf("the summary is in %s, the rows in %s", v.symbol,
				    u.symbol);
			}
	if (!is_near(fitted, 100, tolerance) && !is_near(fitted, 0.01, tolerance))
		return NULL;
	*k = fitted > 1 ? 100 : 0.01;
	return xstrdup("one is in percent, the other a fraction");
}

void
mismatch_words_explained(struct figure_pairs *p, const char *what, char *unit, int decimals)
{
	/* Relative to the unit of the name. */
	double k = p->ratio / mismatch_words_ratio(p);
	char *ratio = !unit ? NULL : k < 1 ? xasprintf("a ratio of %.5g (1/%.5g): %s", k, 1 / k,
	    unit) : xasprintf("a ratio of %.5g: %s", k, unit);
	p->verdict = what || unit ? PAIRS_EXPLAINED : decimals >= 0 ? PAIRS_ROUNDED : PAIRS_SAME;
	p->differ = p->verdict == PAIRS_EXPLAINED ? p->n : 0;
	p->why = xasprintf("%s%s%s", ratio ? ratio : "", ratio && what ? "; " : "", what
	    ? what : "");
	if (decimals >= 0) {
		char *more = xasprintf("%s%srounded to %d decimal%s", p->why, *p->why ? "; " : "",
		    decimals, decimals == 1 ? "" : "s");
		free(p->why);
		p->why = more;
	}
	free(ratio);
}
