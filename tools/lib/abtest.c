/* abtest.c: labels against a base, cell by cell, and what they differ in besides. */
#include "abtest.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "effect.h"

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
	for (size_t i = 0; strcmp(unit, "s") == 0 && i < COUNT(times); i++)
		if (fabs(x) >= times[i].least)
			return x ? xasprintf("%.4g %s", x / times[i].scale, times[i].unit) : xstrdup("0 s");
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

/* ---- lists of names -------------------------------------------------------------------- */

static bool
listed(const char *list, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = list; p && *p;) {
		size_t k = strcspn(p, ", ");
		if (k == n && strncmp(p, name, n) == 0)
			return true;
		p += k;
		p += strspn(p, ", ");
	}
	return false;
}

/* A package's name as indexes write it: lower case, runs of - _ . as one dash. */
static char *
normal_name(const char *name, size_t n)
{
	char *text = xmalloc(n + 1);
	size_t k = 0;
	for (size_t i = 0; i < n; i++) {
		bool mark = strchr("-_.", name[i]) != NULL;
		if (!mark || (k && text[k - 1] != '-'))
			text[k++] = mark ? '-' : (char)tolower((unsigned char)name[i]);
	}
	text[k] = '\0';
	return text;
}

static bool
required(const char *with, const char *package)
{
	for (const char *p = with ? with : ""; *p;) {
		p += strspn(p, ", ");
		size_t word = strcspn(p, " "), n = strcspn(p, " <>=!~;@[");
		char *name = normal_name(p, n);
		bool same = n && strcmp(name, package) == 0;
		free(name);
		if (same)
			return true;
		p += word;
	}
	return false;
}

static bool
in_array(const json_t *list, const char *package)
{
	const json_t *item;
	size_t i;
	json_array_foreach(list, i, item) {
		const char *text = json_string_value(item);
		char *name = text ? normal_name(text, strlen(text)) : NULL;
		bool same = name && strcmp(name, package) == 0;
		free(name);
		if (same)
			return true;
	}
	return false;
}

/* ---- what differs besides ------------------------------------------------------------------ */

/* {value: count} as "a" or "a, b". */
static char *
values_text(const json_t *counts)
{
	struct buf b = {0};
	const char *value;
	json_t *n;
	json_object_foreach((json_t *)(uintptr_t)counts, value, n)
		buf_addf(&b, "%s%s", b.n ? ", " : "", value);
	return b.p ? b.p : xstrdup("not known");
}

static void
add_difference(struct ab *ab, struct ab_difference d)
{
	ab->difference = xrealloc(ab->difference, (ab->differences + 1) * sizeof *ab->difference);
	ab->difference[ab->differences++] = d;
	ab->refused += !d.meant;
}

/* "machine cores" is told by "machine". */
static bool
allowed(const char *list, const char *what)
{
	char *first = xstrdup(what);
	first[strcspn(first, " ")] = '\0';
	bool is = listed(list, "all") || listed(list, first) || (strcmp(first, "window") == 0 && listed(list, "browser")) ||
	    (strcmp(first, "nbscope_version") == 0 && listed(list, "nbscope"));
	free(first);
	return is;
}

static bool
same_keys(const json_t *a, const json_t *b)
{
	const char *key;
	json_t *v;
	if (json_object_size(a) != json_object_size(b))
		return false;
	json_object_foreach((json_t *)(uintptr_t)a, key, v)
		if (!json_object_get(b, key))
			return false;
	return true;
}

static void
diff_env(struct ab *ab, size_t label, const char *allow)
{
	const struct measured_label *x = &ab->m->label[ab->base], *y = &ab->m->label[label];
	const char *what;
	json_t *of_x;
	json_object_foreach(x->env, what, of_x) {
		const json_t *of_y = json_object_get(y->env, what);
		if (!of_y || same_keys(of_x, of_y))
			continue;
		add_difference(ab, (struct ab_difference){xstrdup(what), values_text(of_x), values_text(of_y), label, allowed(allow, what)});
	}
}

static void
diff_package(struct ab *ab, size_t label, const char *name, const struct ab_settings *s)
{
	const struct measured_label *x = &ab->m->label[ab->base], *y = &ab->m->label[label];
	const char *of_x = json_string_value(json_object_get(x->packages, name)), *of_y = json_string_value(json_object_get(y->packages, name));
	if (of_x && of_y && strcmp(of_x, of_y) == 0)
		return;
	char *normal = normal_name(name, strlen(name));
	bool meant = listed(s->allow, "all") || listed(s->allow, "packages") || listed(s->allow, normal) || required(s->with, normal) ||
	    in_array(x->named, normal) || in_array(y->named, normal);
	add_difference(ab, (struct ab_difference){xasprintf("package %s", name), xstrdup(of_x ? of_x : "not there"),
	    xstrdup(of_y ? of_y : "not there"), label, meant});
	free(normal);
}

static void
diff_packages(struct ab *ab, size_t label, const struct ab_settings *s)
{
	json_t *x = ab->m->label[ab->base].packages, *y = ab->m->label[label].packages;
	const char *name;
	json_t *version;
	if (!x || !y)
		return;
	json_object_foreach(x, name, version)
		diff_package(ab, label, name, s);
	json_object_foreach(y, name, version)
		if (!json_object_get(x, name))
			diff_package(ab, label, name, s);
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
		double x = xreal(value, 0, 1e15, "--floor");
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
		if (!x->metric[i].n || !y->metric[i].n)
			continue;
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
		ab->mean[ab->means++] = (struct ab_mean){metric, label, k, geometric_mean(ratio, k)};
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
		buf_addf(b, "worse: %s of %s %+.1f %% (%s to %s)", metric_title(column), name, 100 * t->shift.shift / t->x_median, before, after);
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
	} else if (!ab->sum.family || ab->sum.count[UNKNOWN]) {
		ab->reason = ab->sum.family ? "runs" : "nothing";
		say_unknown(ab, &b);
	} else if (unsure) {
		ab->reason = "failures";
		buf_addf(&b, "cannot tell: %zu cell%s failed in some runs", unsure, plural(unsure));
	} else {
		ab->answer = NO_WORSE;
		buf_addf(&b, "no worse: %zu test%s, no shift of %.3g %% or more", ab->sum.family, plural(ab->sum.family), 100 * s->how.detect);
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
		diff_env(ab, l, s->allow);
		diff_packages(ab, l, s);
		for (size_t i = 0; i < m->cells; i++) {
			look_at_failures(ab, &m->cell[i], l);
			add_tests(ab, &m->cell[i], l, s);
		}
	}
	ab->sum = compare(ab->test, ab->n, &s->how);
	for (size_t l = 0; l < m->labels; l++)
		for (size_t i = 0; l != base && i < m->metrics; i++)
			add_mean(ab, i, l);
	judge(ab, s);
}
