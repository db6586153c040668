/* interleave.c: in which order the runs of two labels were made. */
#include "interleave.h"

#include "base/die.h"

/* The interleaving record of the two labels; NULL: there is none. */
static const json_t *
record_of(const struct results *m, const char *base, const char *label)
{
	const json_t *record;
	size_t i;
	json_array_foreach(m->orders, i, record) {
		const char *a = json_string_value(json_object_get(record, "a"));
		const char *b = json_string_value(json_object_get(record, "b"));
		if (a && b && json_is_string(json_object_get(record, "order")) &&
		    ((strcmp(a, base) == 0 && strcmp(b, label) == 0) ||
		    (strcmp(a, label) == 0 && strcmp(b, base) == 0)))
			return record;
	}
	return NULL;
}

static int
by_notebook_and_time(const void *a, const void *b)
{
	const struct result_run *x = a, *y = b;
	int d = strcmp(x->notebook, y->notebook);
	return d ? d : (x->t > y->t) - (x->t < y->t);
}

/* The runs of both labels whose times are known, sorted. */
static struct result_run *
runs_of(const struct results *m, size_t base, size_t label, size_t *n)
{
	struct result_run *run = xmalloc((m->runs + 1) * sizeof *run);
	*n = 0;
	for (size_t i = 0; i < m->runs; i++)
		if ((m->run[i].label == base || m->run[i].label == label) && isfinite(m->run[i].t))
			run[(*n)++] = m->run[i];
	qsort(run, *n, sizeof *run, by_notebook_and_time);
	return run;
}

/* "ABBA" */
static char *
order_text(const struct result_run *run, size_t n, size_t a)
{
	char *text = xmalloc(n + 1);
	for (size_t i = 0; i < n; i++)
		text[i] = run[i].label == a ? 'A' : 'B';
	text[n] = '\0';
	return text;
}

/* One run of each label has no order that matters. */
static bool
has_repetitions(const char *order)
{
	size_t a = 0, n = strlen(order);
	for (size_t i = 0; i < n; i++)
		a += order[i] == 'A';
	return a > 1 && n - a > 1;
}

/* "AAABBB" */
static bool
in_blocks(const char *order)
{
	size_t first = strspn(order, *order == 'A' ? "A" : "B");
	return strspn(order + first, *order == 'A' ? "B" : "A") == strlen(order) - first;
}

/* Sets the order of most notebooks. */
static void
find_order(struct interleave *t, const struct result_run *run, size_t n)
{
	json_t *counts = json_object(), *count;
	json_int_t most = 0;
	const char *order;
	t->interleaved = true;
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i; k < n && strcmp(run[k].notebook, run[i].notebook) == 0; k++)
			continue;
		char *text = order_text(run + i, k - i, t->a);
		if (has_repetitions(text)) {
			json_int_t others = json_integer_value(json_object_get(counts, text));
			json_object_set_new(counts, text, json_integer(others + 1));
			t->notebooks++;
			t->interleaved = t->interleaved && !in_blocks(text);
		}
		free(text);
	}
	json_object_foreach(counts, order, count)
		if (json_integer_value(count) > most) {
			most = json_integer_value(count);
			free(t->order);
			t->order = xstrdup(order);
		}
	t->other_orders = t->notebooks - (size_t)most;
	t->interleaved = t->interleaved && t->order;
	json_decref(counts);
}

static void
set_looks(struct interleave *t, const json_t *record)
{
	const json_t *list = json_object_get(record, "looks");
	json_int_t planned = json_integer_value(json_object_get(record, "planned"));
	t->planned = planned > 0 ? (size_t)planned : 0;
	t->look = xmalloc((json_array_size(list) + 1) * sizeof *t->look);
	for (; t->looks < json_array_size(list); t->looks++)
		t->look[t->looks] = (size_t)json_integer_value(json_array_get(list, t->looks));
}

struct interleave
interleave_of(const struct results *m, size_t base, size_t label)
{
	const struct result_label *x = &m->label[base], *y = &m->label[label];
	const json_t *record = record_of(m, x->name, y->name);
	struct interleave t = {.label = label, .a = base, .b = label, .gap_s = NAN};
	size_t n;
	if (record && strcmp(json_string_value(json_object_get(record, "a")), x->name) != 0) {
		t.a = label;
		t.b = base;
	}
	struct result_run *run = runs_of(m, base, label, &n);
	find_order(&t, run, n);
	free(run);
	if (!isnan(x->t) && !isnan(y->t))
		t.gap_s = fmax(0, fmax(y->t - x->t_last, x->t - y->t_last));
	t.label_first = y->t < x->t;
	if (record && t.order && !t.other_orders && strcmp(json_string_value(json_object_get(record,
	    "order")), t.order) == 0)
		t.seed = json_object_get(record, "seed");
	/* Also of an experiment that was interrupted, whose last runs are missing. */
	if (record)
		set_looks(&t, record);
	return t;
}
