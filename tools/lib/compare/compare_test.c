/* abtest.c: labels against a base, cell by cell, and what they differ in besides. */
#include "compare/compare_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/effect.h"

/* ---- words for people -------------------------------------------------------------- */

char *
ab_cell_name(const struct measured_cell *c)
{
	return c->index > 0 ? xasprintf("%s cell %ld", c->name, c->index) : xstrdup(c->name);
}

char *
ab_value(double x, const char *column)
{
	static const struct { double least, scale; const char *unit; } times[] = {
		{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {0, 1e-6, "us"}}, sizes[] = {
		{1e9, 1e9, "GB"}, {1e6, 1e6, "MB"}, {1e3, 1e3, "kB"}, {0, 1, "bytes"}};
	const char *unit = metric_unit(column);
	if (!isfinite(x))
		return xstrdup("-");
	if (strcmp(unit, "MB") == 0) {
		unit = "bytes";
		x *= 1e6;
	}
	for (size_t i = 0; strcmp(unit, "s") == 0 && i < COUNT(times); i++)
		if (fabs(x) >= times[i].least)
			return fabs(x) > 0 ? xasprintf("%.4g %s", x / times[i].scale, times[i].unit) : xstrdup("0 s");
	for (size_t i = 0; strcmp(unit, "bytes") == 0 && i < COUNT(sizes); i++)
		if (fabs(x) >= sizes[i].least)
			return xasprintf("%.4g %s", x / sizes[i].scale, sizes[i].unit);
	return xasprintf("%.4g%s%s", x, *unit ? " " : "", unit);
}

static const char *
plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- cells that fail ------------------------------------------------------------------------ */

static void
look_at_failures(struct ab *ab, const struct measured_cell *c, size_t label)
{
	const struct of_label *x = measured_of(c, ab->base), *y = measured_of(c, label);
	if (!x || !y || (!x->failed && !y->failed))
		return;
	struct ab_failure f = {c, label, x->failed, x->runs, y->failed, y->runs, UNKNOWN};
	if (!x->failed && y->failed == y->runs)
		f.answer = WORSE;
	else if (!y->failed)
		f.answer = BETTER;
	ab->failure = xrealloc(ab->failure, (ab->failures + 1) * sizeof *ab->failure);
	ab->failure[ab->failures++] = f;
}

/* ---- tests ------------------------------------------------------------------------------------ */

static double
floor_of(const char *column, const char *floors)
{
	for (const char *p = floors; p && *p;) {
		size_t n = strcspn(p, ", ");
		char *item = xasprintf("%.*s", (int)n, p), *value = strchr(item, '=');
		if (!value || value == item)
			die(ST_USAGE, "--floor must be NAME=VALUE, not '%s'", item);
		*value++ = '\0';
		double x = xopt_real(value, 0, 1e15, "--floor");
		bool is = strcmp(metric_name(item), column) == 0;
		free(item);
		if (is)
			return x;
		p += n;
		p += strspn(p, ", ");
	}
	return metric_floor(column);
}

static bool
in_gate(const char *column, const char *gate)
{
	if (!gate)
		return true;
	for (const char *p = gate; *p;) {
		size_t n = strcspn(p, ", ");
		char *name = xasprintf("%.*s", (int)n, p);
		bool is = strcmp(metric_name(name), column) == 0;
		free(name);
		if (is)
			return true;
		p += n;
		p += strspn(p, ", ");
	}
	return false;
}

/* Values that one side alone has, though the cell completed there too. */
static void
note_one_sided(struct ab *ab, struct ab_row row, const struct of_label *x, const struct of_label *y)
{
	const struct of_label *without = x->metric[row.metric].n ? y : x;
	if (without->failed == without->runs)
		return;
	if (!ab->one_sided++)
		ab->one_sided_first = row;
}

static void
add_tests(struct ab *ab, const struct measured_cell *c, size_t label, const struct ab_settings *s)
{
	const struct of_label *x = measured_of(c, ab->base), *y = measured_of(c, label);
	if (!x || !y) {
		ab->only_base += x && !y;
		ab->only_label += y && !x;
		return;
	}
	for (size_t i = 0; i < ab->m->metrics; i++) {
		const char *column = ab->m->metric[i];
		/* A cell that is not profiled has no value on either side. */
		if (!x->metric[i].n || !y->metric[i].n) {
			if (x->metric[i].n != y->metric[i].n && in_gate(column, s->gate))
				note_one_sided(ab, (struct ab_row){c, i, label}, x, y);
			continue;
		}
		struct test t = {x->metric[i].v, y->metric[i].v, x->metric[i].n, y->metric[i].n, .floor = floor_of(column, s->floors)};
		t.more_is_better = metric_more_is_better(column);
		t.gate = in_gate(column, s->gate);
		ab->test[ab->n] = t;
		ab->row[ab->n++] = (struct ab_row){c, i, label};
	}
}

static void
add_mean(struct ab *ab, size_t metric, size_t label)
{
	double *ratio = xmalloc((ab->n + 1) * sizeof *ratio);
	size_t k = 0;
	for (size_t i = 0; i < ab->n; i++)
		if (ab->row[i].metric == metric && ab->row[i].label == label && ab->test[i].x_median > 0 && ab->test[i].y_median > 0)
			ratio[k++] = ab->test[i].y_median / ab->test[i].x_median;
	if (k) {
		ab->mean = xrealloc(ab->mean, (ab->means + 1) * sizeof *ab->mean);
		ab->mean[ab->means++] = (struct ab_mean){metric, label, k, descriptive_geometric_mean(ratio, k)};
	}
	free(ratio);
}

/* Each column's values in order, once, whatever looks at them. */
static void
sort_values(struct measured *m)
{
	for (size_t i = 0; i < m->cells; i++)
		for (size_t l = 0; l < m->cell[i].labels; l++)
			for (size_t k = 0; k < m->metrics; k++)
				m->cell[i].label[l].metric[k].n = rank_sort(m->cell[i].label[l].metric[k].v, m->cell[i].label[l].metric[k].n);
}

/* ---- the verdict --------------------------------------------------------------------------------- */

/* The flagged test whose shift is the largest share of its median. */
static size_t
worst_of(const struct ab *ab, enum answer answer)
{
	size_t worst = SIZE_MAX;
	double most = -1;
	for (size_t i = 0; i < ab->n; i++) {
		const struct test *t = &ab->test[i];
		double share = fabs(t->shift.shift) / fabs(t->x_median);
		if (t->gate && t->answer == answer && !(share <= most)) {
			worst = i;
			most = share;
		}
	}
	return worst;
}

static void
say_worse(struct ab *ab, struct buf *b, size_t failing)
{
	size_t at = worst_of(ab, WORSE), others = ab->sum.count[WORSE] - (at != SIZE_MAX);
	if (at != SIZE_MAX) {
		const struct test *t = &ab->test[at];
		const char *column = ab->m->metric[ab->row[at].metric];
		char *name = ab_cell_name(ab->row[at].cell), *before = ab_value(t->x_median, column), *after = ab_value(t->y_median, column);
		buf_addf(b, "worse: %s of %s ", metric_title(column), name);
		if (fabs(t->x_median) > 0)
			buf_addf(b, "%+.1f %% (%s to %s)", 100 * t->shift.shift / fabs(t->x_median), before, after);
		else
			buf_addf(b, "from %s to %s", before, after);
		if (others)
			buf_addf(b, " and %zu more", others);
		free(name);
		free(before);
		free(after);
	}
	for (size_t i = 0; failing && i < ab->failures; i++)
		if (ab->failure[i].answer == WORSE) {
			char *name = ab_cell_name(ab->failure[i].cell);
			buf_addf(b, "%s%s fails now", at == SIZE_MAX ? "worse: " : "; ", name);
			if (failing > 1)
				buf_addf(b, " and %zu more", failing - 1);
			free(name);
			break;
		}
}

static void
say_unknown(const struct ab *ab, struct buf *b)
{
	const struct compared *c = &ab->sum;
	if (ab->refused) {
		const struct ab_difference *d = ab->difference;
		while (d->meant)
			d++;
		buf_addf(b, "cannot tell: %s differs (%s, %s)", d->what, d->base, d->label_value);
		if (ab->refused > 1)
			buf_addf(b, " and %zu more", ab->refused - 1);
		buf_addf(b, "; --allow tells that it is meant");
		return;
	}
	if (!c->family) {
		buf_addf(b, "cannot tell: no cell has a value on both sides");
		return;
	}
	buf_addf(b, "cannot tell: %zu", c->few);
	if (c->many != c->few)
		buf_addf(b, " to %zu", c->many);
	buf_addf(b, " run%s of each cannot answer %zu of %zu tests", plural(c->many), c->count[UNKNOWN], c->family);
	if (c->runs)
		buf_addf(b, "; %s%zu would", c->few < 2 ? "at least " : "about ", c->runs);
	else if (c->count[UNKNOWN])
		buf_addf(b, "; a million would not");
}

/* What the gate wants to know and nothing has: a name that was mistyped, most often. */
static void
look_for_metrics(struct ab *ab, const struct ab_settings *s)
{
	const struct measured *m = ab->m;
	for (size_t k = 0; k < m->metrics && !ab->nowhere; k++) {
		size_t values = 0;
		for (size_t i = 0; i < m->cells; i++)
			for (size_t l = 0; l < m->cell[i].labels; l++)
				values += m->cell[i].label[l].metric[k].n;
		if (!values && !metric_is_known(m->metric[k]) && s->gate && in_gate(m->metric[k], s->gate))
			ab->nowhere = m->metric[k];
	}
}

static void
say_missing(const struct ab *ab, struct buf *b)
{
	if (ab->nowhere) {
		buf_addf(b, "cannot tell: nothing has the metric '%s'", ab->nowhere);
		return;
	}
	const struct ab_row *r = &ab->one_sided_first;
	bool base_has = measured_of(r->cell, ab->base)->metric[r->metric].n;
	char *name = ab_cell_name(r->cell);
	buf_addf(b, "cannot tell: %s of %s has values in '%s' alone", metric_title(ab->m->metric[r->metric]), name,
	    ab->m->label[base_has ? ab->base : r->label].name);
	if (ab->one_sided > 1)
		buf_addf(b, ", and so have %zu more", ab->one_sided - 1);
	free(name);
}

static void
judge(struct ab *ab, const struct ab_settings *s)
{
	struct buf b = {0};
	size_t failing = 0, unsure = 0;
	for (size_t i = 0; i < ab->failures; i++) {
		failing += ab->failure[i].answer == WORSE;
		unsure += ab->failure[i].answer == UNKNOWN && ab->failure[i].failed > ab->failure[i].base_failed;
	}
	buf_addf(&b, "verdict: ");
	ab->answer = UNKNOWN;
	if (ab->refused) {
		ab->reason = "environment";
		say_unknown(ab, &b);
	} else if (ab->sum.count[WORSE] || failing) {
		ab->answer = WORSE;
		say_worse(ab, &b, failing);
	} else if (ab->nowhere || (ab->one_sided && !ab->sum.count[UNKNOWN])) {
		ab->reason = ab->nowhere ? "nothing" : "values";
		say_missing(ab, &b);
	} else if (!ab->sum.family || ab->sum.count[UNKNOWN]) {
		ab->reason = ab->sum.family ? "runs" : "nothing";
		say_unknown(ab, &b);
	} else if (unsure) {
		ab->reason = "failures";
		buf_addf(&b, "cannot tell: %zu cell%s failed in some runs", unsure, plural(unsure));
	} else {
		ab->answer = NO_WORSE;
		buf_addf(&b, "no worse: %zu test%s, no shift of %.3g %% or more", ab->sum.family, plural(ab->sum.family), 100 * s->how.detect);
		if (ab->sum.by_floors)
			buf_addf(&b, ", or of ten absolute floors in %zu", ab->sum.by_floors);
		if (ab->sum.count[BETTER])
			buf_addf(&b, "; %zu better", ab->sum.count[BETTER]);
	}
	ab->line = b.p;
}

void
ab_compare(struct ab *ab, struct measured *m, size_t base, const struct ab_settings *s)
{
	*ab = (struct ab){.m = m, .base = base};
	size_t most = m->cells * m->metrics * (m->labels ? m->labels : 1) + 1;
	ab->test = xmalloc(most * sizeof *ab->test);
	ab->row = xmalloc(most * sizeof *ab->row);
	sort_values(m);
	for (size_t l = 0; l < m->labels; l++) {
		if (l == base)
			continue;
		ab_differ(ab, l, s);
		ab_turns(ab, l);
		for (size_t i = 0; i < m->cells; i++) {
			look_at_failures(ab, &m->cell[i], l);
			add_tests(ab, &m->cell[i], l, s);
		}
	}
	ab->sum = compare(ab->test, ab->n, &s->how);
	for (size_t l = 0; l < m->labels; l++)
		for (size_t i = 0; l != base && i < m->metrics; i++)
			add_mean(ab, i, l);
	look_for_metrics(ab, s);
	judge(ab, s);
}
