/* space.c: which combinations a parameter file describes: excludes and includes
 * sorted by the values that they ask for, what --where leaves, how many.
 */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

uint64_t
times(uint64_t a, uint64_t b)
{
	uint64_t c;
	return __builtin_mul_overflow(a, b, &c) ? UINT64_MAX : c;
}

void
set_bit(uint64_t *mask, size_t i)
{
	mask[i / 64] |= (uint64_t)1 << (i % 64);
}

uint64_t *
new_masks(const struct space *s, size_t n)
{
	uint64_t *m = xmalloc(n * s->words * sizeof *m);
	memset(m, 0, n * s->words * sizeof *m);
	return m;
}

/* ---- classes: rows that meet the same patterns ---- */

static bool
asks(const struct pattern *p, const struct axis *a)
{
	const char *key;
	json_t *v;
	json_object_foreach(a->rows[0].values, key, v)
		if (json_object_get(p->wants, key))
			return true;
	return false;
}

static bool
meets(const struct row *r, const struct pattern *p)
{
	const char *key;
	json_t *v, *want;
	json_object_foreach(r->values, key, v)
		if ((want = json_object_get(p->wants, key)) && !json_equal(v, want))
			return false;
	return true;
}

/* The row of an axis of one parameter that a pattern asks for, or n_rows. */
static size_t
wanted_row(const struct axis *a, const struct pattern *p)
{
	const char *key = json_object_iter_key(json_object_iter(a->rows[0].values));
	struct buf b = {0};
	buf_addf(&b, "\"%s\":", key);
	dump_json(&b, json_object_get(p->wants, key));
	json_t *i = json_object_get(a->index, b.p);
	buf_free(&b);
	return i ? (size_t)json_integer_value(i) : a->n_rows;
}

/* Class 0 is of the rows that no pattern asks for; every other has a class. */
static void
join(struct space *s, struct axis *a, struct row *r, size_t pattern)
{
	if (r->class == 0) {
		r->class = a->n_classes++;
		a->masks = xrealloc(a->masks, a->n_classes * s->words * sizeof *a->masks);
		memcpy(a->masks + r->class * s->words, a->masks, s->words * sizeof *a->masks);
	}
	set_bit(a->masks + r->class * s->words, pattern);
}

static void
classify(struct space *s, struct axis *a)
{
	a->n_classes = 1;
	a->masks = new_masks(s, 1);
	for (size_t i = 0; i < s->n_patterns; i++)
		if (!asks(&s->patterns[i], a))
			set_bit(a->masks, i);
	for (size_t i = 0; i < s->n_patterns; i++) {
		const struct pattern *p = &s->patterns[i];
		if (!asks(p, a))
			continue;
		if (a->n_params == 1) {
			size_t k = wanted_row(a, p);
			if (k < a->n_rows)
				join(s, a, &a->rows[k], i);
			else if (p->exclude)
				warn("%s: exclude: entry %zu asks for a value that its parameter does not have", s->source->name,
				    p->member + 1);
			continue;
		}
		for (size_t k = 0; k < a->n_rows; k++)
			if (meets(&a->rows[k], p))
				join(s, a, &a->rows[k], i);
	}
}

/* What follows from which rows an axis has now. */
static void
count_rows(struct axis *a)
{
	free(a->class_rows);
	free(a->runs);
	a->class_rows = xmalloc(a->n_classes * sizeof *a->class_rows);
	memset(a->class_rows, 0, a->n_classes * sizeof *a->class_rows);
	a->runs = NULL;
	a->n_runs = 0;
	for (size_t i = 0; i < a->n_rows; i++) {
		size_t class = a->rows[i].class;
		a->class_rows[class]++;
		if (a->n_runs && a->runs[a->n_runs - 1].class == class) {
			a->runs[a->n_runs - 1].n++;
			continue;
		}
		if ((a->n_runs & (a->n_runs - 1)) == 0)
			a->runs = xrealloc(a->runs, (a->n_runs ? 2 * a->n_runs : 1) * sizeof *a->runs);
		a->runs[a->n_runs++] = (struct run){i, 1, class};
	}
}

static void
count_axes(struct space *s)
{
	s->suffix[s->n_axes] = 1;
	for (size_t l = s->n_axes; l-- > 0;) {
		count_rows(&s->axes[l]);
		s->suffix[l] = times(s->suffix[l + 1], s->axes[l].n_rows);
	}
}

/* ---- settling ---- */

static void
make_masks(struct space *s)
{
	s->words = s->n_patterns / 64 + 1;
	s->excludes = new_masks(s, 1);
	s->relevant = new_masks(s, 1);
	s->gives = new_masks(s, 1);
	s->open = new_masks(s, s->n_axes + 1);
	s->suffix = xmalloc((s->n_axes + 1) * sizeof *s->suffix);
	for (size_t i = 0; i < s->n_patterns; i++) {
		if (s->patterns[i].exclude) {
			set_bit(s->excludes, i);
			set_bit(s->relevant, i);
		} else if (s->patterns[i].extra) {
			set_bit(s->gives, i);
		}
	}
	for (size_t l = s->n_axes; l-- > 0;) {
		uint64_t *open = s->open + l * s->words;
		memcpy(open, open + s->words, s->words * sizeof *open);
		for (size_t i = 0; i < s->n_patterns; i++)
			if (asks(&s->patterns[i], &s->axes[l]))
				set_bit(open, i);
		classify(s, &s->axes[l]);
	}
}

/* An include entry that no combination of the matrix meets is one itself. */
static void
find_alone(struct space *s)
{
	s->alone = xmalloc((s->n_patterns + 1) * sizeof *s->alone);
	for (size_t i = 0; i < s->n_patterns; i++) {
		const struct pattern *p = &s->patterns[i];
		struct graph g = {.space = s, .within = p};
		if (p->exclude)
			continue;
		bool met = s->n_axes > 0 && build_graph(&g) != NULL;
		if (g.too_large && !met)
			die_at(s->source, p->list, p->member, "exclude has too many entries to tell what this meets");
		if (s->n_axes > 0)
			free_graph(&g);
		if (met)
			continue;
		json_t *values = json_object(), *v, *number;
		const char *key;
		json_object_foreach(s->params, key, number)
			if ((v = json_object_get(json_array_get(p->list, p->member), key)))
				json_object_set(values, key, v);
		s->alone[s->n_alone++] = make_row(s, values);
		json_decref(values);
	}
}

static bool
all_hold(const struct where *w, const json_t *values, bool whole)
{
	for (size_t i = 0; i < w->n; i++) {
		const json_t *v = json_object_get(values, w->conditions[i].name);
		if (v ? !condition_holds(&w->conditions[i], v) : whole)
			return false;
	}
	return true;
}

static size_t
keep_rows(struct row *rows, size_t n, const struct where *w, bool whole)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (all_hold(w, rows[i].values, whole))
			rows[kept++] = rows[i];
	return kept;
}

static void
apply_where(struct space *s)
{
	for (size_t i = 0; i < s->where->n; i++) {
		const char *name = s->where->conditions[i].name;
		json_t *number = json_object_get(s->params, name);
		if (!number)
			die(ST_USAGE, "--where: '%s' has no parameter '%s'", s->source->name, name);
		bool given_only = (size_t)json_integer_value(number) >= s->n_matrix;
		for (size_t k = 0; given_only && k < s->n_patterns; k++)
			if (json_object_get(s->patterns[k].gives, name))
				set_bit(s->relevant, k);
	}
	for (size_t l = 0; l < s->n_axes; l++)
		s->axes[l].n_rows = keep_rows(s->axes[l].rows, s->axes[l].n_rows, s->where, false);
	s->n_alone = keep_rows(s->alone, s->n_alone, s->where, true);
}

void
xsettle_space(struct space *s, struct where *where)
{
	bool only_include = s->n_axes == 0 && s->n_patterns > 0;
	make_masks(s);
	count_axes(s);
	find_alone(s);
	s->where = where;
	apply_where(s);
	count_axes(s);
	struct graph g = {.space = s};
	s->top = only_include ? NULL : build_graph(&g);
	s->tested = g.too_large;
	if (s->tested)
		s->top = s->suffix[0] ? &everything : NULL;
	s->count = count_of(s, s->top, 0);
}
