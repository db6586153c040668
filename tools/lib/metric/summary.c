/* summary.c: a summary of the metrics of many notebooks. */
#include "metric/summary.h"
#include "base/die.h"
#include "json/json_value.h"
#include "layout/layout.h"
#include "text/param_text.h"
#include "text/text.h"

bool
summary_skipped(const struct run_summary *r)
{
	return r->ended == CELL_SKIPPED;
}

bool
summary_failed(const struct run_summary *r)
{
	return r->ended != CELL_COMPLETED && !summary_skipped(r);
}

static long
whole_number(const struct metrics_record *r, enum metric_id id)
{
	double x = metrics_record_number(r, id);
	return x >= 0 && x <= 1e9 ? (long)x : 0;
}

void
summary_start(struct summary *s, size_t most, size_t most_each)
{
	*s = (struct summary){.slow.most = most,
		.most_each = most > most_each ? most : most_each,
		.marks = json_object(), .versions = json_object(), .by_key = json_object()};
}

/* ---- which notebook a record belongs to ------------------------------------------------------ */

static void
append_result(struct summary *s, const struct metrics_record *record)
{
	struct run_summary *r = XAPPEND(s->v, s->n);
	*r = (struct run_summary){.repetition = whole_number(record, M_repetition), .client_s = NAN,
		.received_mb = NAN, .params = span_json(metrics_record_span(record, M_params)),
		.slow.most = s->most_each};
	r->name = metrics_record_text(record, M_name);
	r->label = metrics_record_text(record, M_label);
	r->file = metrics_record_text(record, M_notebook_filename);
	if (!r->name)
		r->name = xstrdup("?");
	if (!r->label)
		r->label = xstrdup("");
	if (s->n == 1)
		s->usecase = metrics_record_text(record, M_usecase);
}

size_t
summary_result_of(struct summary *s, const struct metrics_record *r)
{
	static const enum metric_id identity[] =
	    {M_usecase, M_name, M_label, M_repetition, M_attempt};
	static struct buf key;
	key.n = 0;
	for (size_t i = 0; i < COUNT(identity); i++) {
		struct span v = metrics_record_span(r, identity[i]);
		buf_add(&key, v.p ? v.p : "", v.n);
		buf_add(&key, "\n", 1);
	}
	if (s->last_key.n == key.n && memcmp(s->last_key.p, key.p, key.n) == 0)
		return s->last;
	json_t *at = json_object_get(s->by_key, key.p);
	if (!at) {
		at = json_integer((json_int_t)s->n);
		json_object_set_new(s->by_key, key.p, at);
		append_result(s, r);
	}
	s->last = (size_t)json_integer_value(at);
	s->last_key.n = 0;
	buf_add(&s->last_key, key.p, key.n);
	return s->last;
}

/* ---- records ------------------------------------------------------------------------------ */

static void
free_slow(struct slow *c)
{
	free(c->line);
	free(c->diagnosis);
}

static void
insert_slow(struct slowest *list, const struct slow *c)
{
	size_t i = list->n;
	if (list->most == 0 ||
	    (list->n == list->most && list->v[list->n - 1].client_s >= c->client_s))
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

void
summary_add_slowest(struct summary *s, size_t result)
{
	const struct slowest *list = &s->v[result].slow;
	for (size_t i = 0; i < list->n; i++)
		insert_slow(&s->slow, &list->v[i]);
}

size_t
summary_cell(struct summary *s, struct scan *members)
{
	struct metrics_record r = metrics_record_of(members, NULL);
	size_t at = summary_result_of(s, &r);
	s->v[at].bad_cells += r.has_status && cell_status_is_bad(r.status);
	double client_s = metrics_record_time(&r, NULL);
	if (!(client_s > 0))
		return at;
	struct slow c = {.result = at, .index = whole_number(&r, M_cell_index),
	    .client_s = client_s,
		.spent = phase_spent(&r), .diagnosis = metrics_record_text(&r, M_diagnosis),
		.line = metrics_record_text(&r, M_source_line)};
	if (!c.line)
		c.line = xstrdup("");
	char *heading = metrics_record_text(&r, M_heading);
	heading_times_cell(&s->v[at].headings, heading, client_s);
	free(heading);
	contention_cell(&s->contention, &r);
	insert_slow(&s->v[at].slow, &c);
	free_slow(&c);
	return at;
}

static void
count_word(json_t *counts, const char *word)
{
	json_int_t n = json_integer_value(json_object_get(counts, word));
	json_object_set_new(counts, word, json_integer(n + 1));
}

/* Some marks describe a cell and are no doubts about its numbers. */
static bool
is_doubt(const char *mark)
{
	return strcmp(mark, "empty") != 0 && strcmp(mark, "expected_error") != 0 &&
	    strcmp(mark, "no_browser") != 0;
}

static void
count_marks(struct summary *s, struct run_summary *r, struct span marks)
{
	json_t *list = span_json(marks), *mark;
	size_t i;
	json_array_foreach(list, i, mark) {
		const char *word = json_string_value(mark);
		if (word && strcmp(word, "incomplete") == 0)
			r->interrupted = true;
		else if (word && strcmp(word, "filmed") == 0)
			r->filmed = true;
		else if (word && is_doubt(word))
			count_word(s->marks, word);
	}
	json_decref(list);
}

size_t
summary_notebook(struct summary *s, struct scan *members)
{
	struct metrics_record record = metrics_record_of(members, NULL);
	size_t at = summary_result_of(s, &record);
	struct run_summary *r = &s->v[at];
	if (record.has_status) {
		r->ended = record.status;
		r->status = cell_status_shown(record.status);
	}
	r->total = whole_number(&record, M_total_cells);
	r->executed = whole_number(&record, M_executed_cells);
	r->failed_cell = whole_number(&record, M_failed_cell);
	r->client_s = metrics_record_time(&record, &r->kernel_only);
	r->received_mb = metrics_record_number(&record, M_client_total_data_received_metric);
	r->spent = phase_spent(&record);
	r->speed_index_s = metrics_record_number(&record, M_speed_index_s);
	r->error_name = metrics_record_text(&record, M_error_name);
	r->error_value = metrics_record_text(&record, M_error_value);
	r->reason = metrics_record_text(&record, M_reason);
	contention_notebook(&s->contention, &record);
	count_marks(s, r, metrics_record_span(&record, M_marks));
	char *version = metrics_record_text(&record, M_nbscope_version);
	if (version)
		count_word(s->versions, version);
	free(version);
	return at;
}

/* ---- names as short as can be ------------------------------------------------------------- */

/* The parameters that differ between results, in the order of the first one. */
static json_t *
differing_params(const struct summary *s)
{
	json_t *keys = json_object();
	for (size_t i = 1; i < s->n; i++)
		param_text_add_differing(keys, s->v[i].params, s->v[0].params);
	json_t *ordered = param_text_ordered(keys, s->v[0].params);
	json_decref(keys);
	return ordered;
}

/* How many bytes all names have in common, up to the end of a word; none if they are the same. */
static size_t
common_prefix(const struct summary *s, bool *same)
{
	size_t n = strlen(s->v[0].name);
	for (size_t i = 1; i < s->n; i++)
		for (size_t k = 0; k < n; k++)
			if (s->v[i].name[k] != s->v[0].name[k])
				n = k;
	*same = true;
	for (size_t i = 0; i < s->n; i++)
		*same = *same && s->v[i].name[n] == '\0';
	while (n && !strchr("-_.", s->v[0].name[n - 1]))
		n--;
	return *same ? 0 : n;
}

static char *
with_label(const struct summary *s, const struct run_summary *r, const char *name)
{
	return xasprintf("%s%s%s", s->labels ? r->label : "", s->labels ? ": " : "", name);
}

static char *
with_repetition(const struct run_summary *r, char *name)
{
	if (r->repetition <= 1 && !r->filmed)
		return name;
	char *suffix = layout_run_suffix(
	    &(struct layout_run){name, NULL, r->filmed ? LAYOUT_FILM : r->repetition});
	char *text = xasprintf("%s %s", name, suffix);
	free(suffix);
	free(name);
	return text;
}

char *
summary_name(const struct summary *s, const struct run_summary *r, size_t key_bytes)
{
	char *values = param_text(r->params, s->keys, key_bytes);
	char *text = with_label(s, r, values ? values : r->rest);
	free(values);
	return text;
}

size_t
summary_key_bytes(const struct summary *s, size_t columns)
{
	enum { LEAST = 3, MOST = 64 };
	size_t bytes = MOST;
	for (size_t i = 0; i < s->n && json_object_size(s->keys); i++)
		for (; bytes > LEAST; bytes--) {
			char *name = summary_name(s, &s->v[i], bytes);
			size_t wide = text_columns(name);
			free(name);
			if (wide <= columns)
				break;
		}
	return bytes;
}

static void
name_results(struct summary *s)
{
	bool one;
	size_t prefix = common_prefix(s, &one);
	s->keys = differing_params(s);
	for (size_t i = 0; i < s->n; i++)
		s->labels = s->labels || strcmp(s->v[i].label, s->v[0].label) != 0;
	s->legend = json_value_keys(s->keys, "/");
	/* The only notebook is called as during its run. */
	if (one && !s->legend)
		json_object_update(s->keys, s->v[0].params);
	for (size_t i = 0; i < s->n; i++) {
		struct run_summary *r = &s->v[i];
		r->rest = r->name[prefix] ? r->name + prefix : r->name;
		char *values = param_text(r->params, s->keys, SIZE_MAX);
		r->shown = with_repetition(r, with_label(s, r, values ? values : r->rest));
		r->full_name = with_repetition(r, with_label(s, r, values ? values : r->name));
		free(values);
	}
}

static char *
reason_of(const struct run_summary *r)
{
	if (r->error_name)
		return xasprintf("%s%s%s", r->error_name, r->error_value ? ": " : "",
		    r->error_value ? r->error_value : "");
	return r->reason ? xstrdup(r->reason) : NULL;
}

/* Kernel times are not shown next to client times. */
static void
choose_time(struct summary *s)
{
	size_t with_client = 0;
	for (size_t i = 0; i < s->n; i++) {
		with_client += isfinite(s->v[i].client_s) && !s->v[i].kernel_only;
		s->kernel_only = s->kernel_only || s->v[i].kernel_only;
	}
	s->kernel_only = s->kernel_only && !with_client;
	for (size_t i = 0; i < s->n && !s->kernel_only; i++)
		if (s->v[i].kernel_only) {
			s->v[i].client_s = NAN;
			s->v[i].slow.n = 0;
		}
}

enum metric_id
summary_time(const struct summary *s)
{
	return s->kernel_only ? M_kernel_execution_time_metric : M_client_execution_time_metric;
}

void
summary_finish(struct summary *s)
{
	size_t inseparable = 0;
	choose_time(s);
	for (size_t i = 0; i < s->n; i++) {
		struct run_summary *r = &s->v[i];
		if (!r->status) {
			r->ended = CELL_NOT_RUN;
			r->status = cell_status_shown(r->ended);
			r->reason = xstrdup("there is no notebook_metrics record");
		}
		r->why = reason_of(r);
		s->failed += summary_failed(r);
		s->interrupted += r->interrupted && summary_failed(r);
		s->skipped += summary_skipped(r);
		s->films += r->filmed;
		s->cells += r->filmed ? 0 : r->executed;
		inseparable += !phase_is_separable(&r->spent);
		s->apart = s->apart || isfinite(r->spent.s[PHASE_QUEUE]);
	}
	s->apart = s->apart && !inseparable;
	if (s->n)
		name_results(s);
}

char *
summary_cells_text(const struct run_summary *r)
{
	if (!r->bad_cells)
		return xasprintf("%ld/%ld", r->executed, r->total);
	struct buf b = {0};
	buf_addf(&b, "%ld ok, %ld ", r->executed - r->bad_cells, r->bad_cells);
	for (const char *p = cell_status_word(r->ended); *p; p++)
		buf_add(&b, *p == '_' ? " " : p, 1);
	return b.p;
}

json_t *
summary_result_json(const struct run_summary *r)
{
	return json_pack("{s:s, s:s?, s:s, s:I, s:s, s:o, s:s?, s:s?, s:s?}", "name", r->name,
	    "notebook_filename", r->file, "label", r->label,
	    "repetition", (json_int_t)r->repetition, "execution_status", r->status,
	    "failed_cell", json_value_above_0(r->failed_cell), "error_name", r->error_name,
	    "error_value", r->error_value, "reason", r->reason);
}
