/* summary.c: what a summary of many notebooks must remember of their metrics. */
#include "metric/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double
known(double x)
{
	return isfinite(x) ? x : 0;
}

double
spent_all(const struct spent *s)
{
	return known(s->wait_delivery) + known(s->kernel) + known(s->render);
}

bool
is_skipped(const struct result *r)
{
	return strcmp(r->status, "Skipped") == 0;
}

bool
is_failed(const struct result *r)
{
	return strcmp(r->status, "Completed") != 0 && !is_skipped(r);
}

static double
number_of(struct scan *s, const char *key)
{
	return span_number(scan_get(s, key));
}

static long
whole_of(struct scan *s, const char *key)
{
	double x = number_of(s, key);
	return x >= 0 && x <= 1e9 ? (long)x : 0;
}

static struct spent
read_spent(struct scan *s)
{
	double dispatch = number_of(s, "dispatch_s");
	return (struct spent){
		.wait = dispatch + number_of(s, "queue_s"), .delivery = number_of(s, "delivery_s"),
		.wait_delivery = dispatch + number_of(s, "transport_s"),
		.kernel = number_of(s, "kernel_s"), .render = number_of(s, "render_s")};
}

void
summary_start(struct summary *s, size_t most, size_t most_each)
{
	*s = (struct summary){.apart = true, .slow.most = most, .most_each = most_each,
		.marks = json_object(), .versions = json_object(), .by_key = json_object()};
}

/* ---- which notebook a line is of ------------------------------------------------------ */

static struct result *
new_result(struct summary *s, struct scan *line)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 64;
		s->v = xrealloc(s->v, s->cap * sizeof *s->v);
	}
	struct result *r = &s->v[s->n++];
	*r = (struct result){.repetition = whole_of(line, "repetition"), .client_s = NAN, .received_mb = NAN,
		.params = span_json(scan_get(line, "params")), .slow.most = s->most_each,
		.spent = {NAN, NAN, NAN, NAN, NAN}};
	r->name = scan_string(line, "name");
	r->label = scan_string(line, "label");
	r->file = scan_string(line, "notebook_filename");
	if (!r->name)
		r->name = xstrdup("?");
	if (!r->label)
		r->label = xstrdup("");
	if (s->n == 1)
		s->usecase = scan_string(line, "usecase");
	return r;
}

static size_t
result_of(struct summary *s, struct scan *line)
{
	static const char *const identity[] = {"usecase", "name", "label", "repetition", "attempt"};
	static struct buf key;
	key.n = 0;
	for (size_t i = 0; i < COUNT(identity); i++) {
		struct span v = scan_get(line, identity[i]);
		buf_add(&key, v.p ? v.p : "", v.n);
		buf_add(&key, "\n", 1);
	}
	if (s->last_key.n == key.n && memcmp(s->last_key.p, key.p, key.n) == 0)
		return s->last;
	json_t *at = json_object_get(s->by_key, key.p);
	if (!at) {
		at = json_integer((json_int_t)s->n);
		json_object_set_new(s->by_key, key.p, at);
		new_result(s, line);
	}
	s->last = (size_t)json_integer_value(at);
	s->last_key.n = 0;
	buf_add(&s->last_key, key.p, key.n);
	return s->last;
}

/* ---- lines ------------------------------------------------------------------------------ */

static void
free_slow(struct slow *c)
{
	free(c->line);
	free(c->diagnosis);
}

static void
keep_slow(struct slowest *list, const struct slow *c)
{
	size_t i = list->n;
	if (list->most == 0 || (list->n == list->most && list->v[list->n - 1].client_s >= c->client_s))
		return;
	if (list->n == list->most)
		free_slow(&list->v[--list->n]);
	else
		list->v = xrealloc(list->v, (list->n + 1) * sizeof *list->v);
	for (i = list->n++; i > 0 && list->v[i - 1].client_s < c->client_s; i--)
		list->v[i] = list->v[i - 1];
	list->v[i] = *c;
	list->v[i].line = xstrdup(c->line);
	list->v[i].diagnosis = c->diagnosis ? xstrdup(c->diagnosis) : NULL;
}

size_t
summary_cell(struct summary *s, struct scan *line)
{
	size_t at = result_of(s, line);
	double client_s = number_of(line, "client_execution_time_metric");
	if (!(client_s > 0))
		return at;
	struct slow c = {.result = at, .index = whole_of(line, "cell_index"), .client_s = client_s,
		.spent = read_spent(line), .diagnosis = scan_string(line, "diagnosis"), .line = scan_string(line, "source_line")};
	if (!c.line)
		c.line = xstrdup("");
	keep_slow(&s->slow, &c);
	keep_slow(&s->v[at].slow, &c);
	free_slow(&c);
	return at;
}

static void
count(json_t *counts, const char *word)
{
	json_int_t n = json_integer_value(json_object_get(counts, word));
	json_object_set_new(counts, word, json_integer(n + 1));
}

/* Marks that say what a cell is, and cast no doubt on its numbers. */
static bool
is_doubt(const char *mark)
{
	static const char *const not[] = {"empty", "expected_error"};
	for (size_t i = 0; i < COUNT(not); i++)
		if (strcmp(mark, not[i]) == 0)
			return false;
	return true;
}

static void
count_marks(struct summary *s, struct span marks)
{
	json_t *list = span_json(marks), *word;
	size_t i;
	json_array_foreach(list, i, word)
		if (json_is_string(word) && is_doubt(json_string_value(word)))
			count(s->marks, json_string_value(word));
	json_decref(list);
}

size_t
summary_notebook(struct summary *s, struct scan *line)
{
	size_t at = result_of(s, line);
	struct result *r = &s->v[at];
	char *version = scan_string(line, "nbscope_version");
	free(r->status);
	r->status = scan_string(line, "execution_status");
	r->total = whole_of(line, "total_cells");
	r->executed = whole_of(line, "executed_cells");
	r->failed_cell = whole_of(line, "failed_cell");
	r->client_s = number_of(line, "client_execution_time_metric");
	r->received_mb = number_of(line, "client_total_data_received_metric");
	r->spent = read_spent(line);
	r->error_name = scan_string(line, "error_name");
	r->error_value = scan_string(line, "error_value");
	r->reason = scan_string(line, "reason");
	count_marks(s, scan_get(line, "marks"));
	if (version)
		count(s->versions, version);
	free(version);
	return at;
}

/* ---- names as short as can be ------------------------------------------------------------- */

/* Those of `params` that `other` lacks or has otherwise, into `keys`. */
static void
add_differing(json_t *keys, json_t *params, json_t *other)
{
	const char *key;
	json_t *value;
	json_object_foreach(params, key, value)
		if (!json_equal(value, json_object_get(other, key)))
			json_object_set_new(keys, key, json_true());
}

/* The parameters that differ between results, in the order in which they stand. */
static json_t *
differing(const struct summary *s)
{
	json_t *keys = json_object(), *ordered = json_object(), *value;
	const char *key;
	for (size_t i = 1; i < s->n; i++) {
		add_differing(keys, s->v[i].params, s->v[0].params);
		add_differing(keys, s->v[0].params, s->v[i].params);
	}
	json_object_foreach(s->v[0].params, key, value)
		if (json_object_get(keys, key))
			json_object_set_new(ordered, key, json_true());
	json_object_update(ordered, keys);
	json_decref(keys);
	return ordered;
}

/* "3/500", or "n_images=3 side=500"; NULL if it has none of the keys. */
static char *
by_params(const struct result *r, json_t *keys, bool named)
{
	struct buf b = {0};
	const char *key;
	json_t *yes;
	json_object_foreach(keys, key, yes) {
		json_t *value = json_object_get(r->params, key);
		char *text = json_is_string(value) ? xstrdup(json_string_value(value)) : value ? json_text_of(value) : xstrdup("-");
		if (named)
			buf_addf(&b, "%s%s=%s", b.n ? " " : "", key, text);
		else
			buf_addf(&b, "%s%s", b.n ? "/" : "", text);
		free(text);
	}
	return b.p;
}

static char *
join_keys(json_t *keys)
{
	struct buf b = {0};
	const char *key;
	json_t *yes;
	json_object_foreach(keys, key, yes)
		buf_addf(&b, "%s%s", b.n ? "/" : "", key);
	return b.p;
}

/* How much of all names is the same, up to a word's end. */
static size_t
common_prefix(const struct summary *s)
{
	size_t n = strlen(s->v[0].name);
	for (size_t i = 1; i < s->n; i++)
		for (size_t k = 0; k < n; k++)
			if (s->v[i].name[k] != s->v[0].name[k])
				n = k;
	bool same = true;
	for (size_t i = 0; i < s->n; i++)
		same = same && s->v[i].name[n] == '\0';
	while (n && !strchr("-_.", s->v[0].name[n - 1]))
		n--;
	return same ? 0 : n;
}

static char *
dress(const struct result *r, const char *name, bool labels)
{
	char *at = r->repetition > 1 ? xasprintf(" @%ld", r->repetition) : xstrdup("");
	char *text = xasprintf("%s%s%s%s", labels ? r->label : "", labels ? ": " : "", name, at);
	free(at);
	return text;
}

static void
name_results(struct summary *s)
{
	json_t *keys = differing(s);
	size_t prefix = common_prefix(s);
	for (size_t i = 0; i < s->n; i++)
		s->labels = s->labels || strcmp(s->v[i].label, s->v[0].label) != 0;
	s->legend = join_keys(keys);
	for (size_t i = 0; i < s->n; i++) {
		struct result *r = &s->v[i];
		char *values = by_params(r, keys, false), *named = by_params(r, keys, true);
		r->shown = dress(r, values ? values : r->name[prefix] ? r->name + prefix : r->name, s->labels);
		r->told = dress(r, named && strlen(named) < strlen(r->name) ? named : r->name, s->labels);
		free(values);
		free(named);
	}
	json_decref(keys);
}

static char *
why(const struct result *r)
{
	if (r->error_name)
		return xasprintf("%s%s%s", r->error_name, r->error_value ? ": " : "", r->error_value ? r->error_value : "");
	return r->reason ? xstrdup(r->reason) : NULL;
}

void
summary_finish(struct summary *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct result *r = &s->v[i];
		if (!r->status) {
			r->status = xstrdup("Not Run");
			r->reason = xstrdup("its notebook_metrics did not come");
		}
		r->why = why(r);
		s->failed += is_failed(r);
		s->skipped += is_skipped(r);
		s->cells += r->executed;
		if (r->spent.wait_delivery > 0 && !(isfinite(r->spent.wait) && isfinite(r->spent.delivery)))
			s->apart = false;
	}
	if (s->n)
		name_results(s);
}

static json_t *
text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

json_t *
result_json(const struct result *r)
{
	return json_pack("{s:s, s:o, s:s, s:I, s:s, s:o, s:o, s:o, s:o}", "name", r->name, "notebook_filename", text_or_null(r->file),
	    "label", r->label, "repetition", (json_int_t)r->repetition, "execution_status", r->status,
	    "failed_cell", r->failed_cell ? json_integer(r->failed_cell) : json_null(), "error_name", text_or_null(r->error_name),
	    "error_value", text_or_null(r->error_value), "reason", text_or_null(r->reason));
}
