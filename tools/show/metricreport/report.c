/* report.c: a label's metrics, as cells and notebooks over their repetitions.
 * The repetitions of a cell are one row, which shows the run nearest to the median time: its
 * phases add up to a time that was measured. */
#include "report.h"
#include "base/die.h"
#include "base/num.h"
#include "base/str.h"
#include "json/json_value.h"
#include "run/run_state.h"

enum { MAX_INDEX = 1000000000 };

/* ---- records ------------------------------------------------------------------------ */

/* What templates read of a cell. */
static const struct { const char *name; enum metric_id id; } texts[] = {
	{"id", M_cell_id}, {"line", M_source_line}, {"heading", M_heading},
	{"diagnosis", M_diagnosis}, {"screenshot", M_screenshot},
	{"items_unit", M_items_unit}, {"items_done_meaning", M_items_done_meaning}};
static const struct { const char *name; enum metric_id id; double unit; } numbers[] = {
	{"t", M_t, 1}, {"peak_mb", M_kernel_peak_rss_bytes, 1e6},
	{"received_mb", M_client_total_data_received_metric, 1},
	{"outputs", M_outputs, 1}, {"outputs_bytes", M_outputs_bytes, 1},
	{"speed_index_s", M_speed_index_s, 1}, {"script_ms", M_script_s, 1e-3},
	{"items_per_s", M_items_per_s, 1}, {"items_done_pct", M_items_done_pct, 1}};
static const char *const others[] = {"source", "frames"};

static json_t *
object_of_cell(const struct metrics_record *m)
{
	json_t *o = json_object();
	for (size_t i = 0; i < COUNT(texts); i++) {
		char *text = metrics_record_text(m, texts[i].id);
		json_object_set_new(o, texts[i].name, text ? json_string(text) : json_null());
		free(text);
	}
	for (size_t i = 0; i < COUNT(numbers); i++)
		json_object_set_new(o, numbers[i].name, json_value_real(
		    metrics_record_number(m, numbers[i].id) / numbers[i].unit));
	for (size_t i = 0; i < COUNT(others); i++) {
		json_t *v = span_json(scan_get(m->members, others[i]));
		json_object_set_new(o, others[i], v ? v : json_null());
	}
	return o;
}

static void
add_member(struct buf *b, const char *name, struct span v)
{
	if (span_null(v))
		return;
	buf_add(b, ",\"", 2);
	buf_add(b, name, strlen(name));
	buf_add(b, "\":", 2);
	buf_add(b, v.p, v.n);
}

/* The record with only what templates read.  Dies if some of it has another type. */
static char *
xrecord_of_cell(const struct metrics_record *m)
{
	static struct buf b;
	b.n = 0;
	buf_addf(&b, "{\"type\":\"cell_metrics\"");
	for (size_t i = 0; i < COUNT(texts); i++) {
		free(metrics_record_text(m, texts[i].id));
		add_member(&b, metric_catalogue[texts[i].id].column,
		    metrics_record_span(m, texts[i].id));
	}
	for (size_t i = 0; i < COUNT(numbers); i++)
		if (isfinite(metrics_record_number(m, numbers[i].id)))
			add_member(&b, metric_catalogue[numbers[i].id].column,
			    metrics_record_span(m, numbers[i].id));
	for (size_t i = 0; i < COUNT(others); i++)
		add_member(&b, others[i], scan_get(m->members, others[i]));
	buf_add(&b, "}", 1);
	return xstrdup(b.p);
}

const char *
report_text(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static void
read_cell(struct report *r, struct scan *s)
{
	struct metrics_record m = metrics_record_of(s, NULL);
	size_t result = summary_cell(&r->sum, s);
	struct report_cell *c = XAPPEND(r->cells, r->n_cells);
	*c = (struct report_cell){.result = result, .status = m.status,
		.index = m.index > 0 && m.index < MAX_INDEX ? (long)m.index : 0,
		.spent = phase_spent(&m)};
	c->client_s = metrics_record_time(&m, &c->kernel_only);
	c->record = xrecord_of_cell(&m);
	c->t = metrics_record_number(&m, M_t);
	c->id = metrics_record_text(&m, M_cell_id);
	c->heading = metrics_record_text(&m, M_heading);
	c->diagnosed = !span_null(metrics_record_span(&m, M_diagnosis));
	c->has_items = isfinite(metrics_record_number(&m, M_items_per_s));
	r->clock_bound_s = fmax(r->clock_bound_s, metrics_record_number(&m, M_clock_bound_s));
	r->script_s = fmax(r->script_s, metrics_record_number(&m, M_script_s));
	r->load_known |= isfinite(metrics_record_number(&m, M_machine_cpu_s));
}

void
report_start(struct report *r)
{
	*r = (struct report){.figures = json_array(), .links = json_array(),
	    .excluded = json_object(), .missing = json_array(), .notes = json_object(),
	    .mixed = json_object(), .others = json_object(), .from_t = NAN, .to_t = NAN,
	    .clock_bound_s = NAN, .script_s = NAN};
	summary_start(&r->sum, 10, 0);
}

json_t *
report_records(const struct report *r, const char *type)
{
	json_t *list = json_object_get(r->others, type);
	if (!list) {
		list = json_array();
		json_object_set_new(r->others, type, list);
	}
	return list;
}

static void
read_notebook(struct report *r, struct scan *s, struct span line)
{
	static const char *const members[] = {"browser", "window", "jupyterlab", "kernel",
		"language", "nbscope_version", "machine"};
	double t = span_number(scan_get(s, "t"));
	summary_notebook(&r->sum, s);
	r->wall_s += num_or_0(span_number(scan_get(s, "wall_s")));
	r->from_t = fmin(r->from_t, t);
	r->to_t = fmax(r->to_t, t);
	r->first = r->first ? r->first : span_json(line);
	for (size_t i = 0; i < COUNT(members); i++) {
		json_t *v = span_json(scan_get(s, members[i]));
		const json_t *first = json_object_get(r->first, members[i]);
		bool differ = v && first ? !json_equal(v, first) : v || first;
		if (differ || !json_object_get(r->mixed, members[i]))
			json_object_set_new(r->mixed, members[i], json_boolean(differ));
		json_decref(v);
	}
}

/* A run on disk whose results are not in the metrics. */
static void
read_run_state(struct report *r, struct scan *s)
{
	enum run_state state = run_state_of(s);
	char *reason = scan_string(s, "reason"), *missing = run_state_missing(s);
	if (missing)
		json_array_append_new(r->missing, json_string(missing));
	free(missing);
	if (run_state_is_left_out(state)) {
		const char *word = run_state_word(state);
		char *key = xasprintf("%s%s%s", word, reason ? ": " : "", reason ? reason : "");
		json_int_t n = json_integer_value(json_object_get(r->excluded, key));
		json_object_set_new(r->excluded, key, json_integer(n + 1));
		free(key);
	}
	free(reason);
}

void
report_read_record(struct report *r, struct scan *s, struct span line)
{
	static const char *const types[] = {"truth", "comparison", "comparison_verdict", "outlier",
		"scaling", "environment", "report", "stat", "summary_check", "largest",
		"request", "run_plan", "spark_application", "spark_stage", "finding",
		"label_history", "step", "interaction_metrics", "mistake"};
	enum metrics_kind kind = metrics_kind_of(s);
	if (kind == METRICS_CELL) {
		read_cell(r, s);
	} else if (run_state_is_record(s)) {
		read_run_state(r, s);
	} else if (scan_type_is(s, "table_note")) {
		char *text = scan_string(s, "text");
		bool many = span_is_word(scan_get(s, "note"), "values_left_out") &&
		    span_number(scan_get(s, "rows")) > 0.01 * span_number(scan_get(s, "of_rows"));
		json_object_set_new(r->notes, text ? text : "", json_boolean(many));
		free(text);
	} else if (kind == METRICS_NOTEBOOK) {
		read_notebook(r, s, line);
	} else {
		for (size_t i = 0; i < COUNT(types); i++)
			if (scan_type_is(s, types[i]))
				json_array_append_new(report_records(r, types[i]),
				    span_json(line));
	}
}

/* ---- rows over repetitions ---------------------------------------------------------- */

static const struct report *sorted;	/* for qsort */

static int
compare_cells(const void *a, const void *b)
{
	const struct report_cell *x = a, *y = b;
	const struct run_summary *p = &sorted->sum.v[x->result], *q = &sorted->sum.v[y->result];
	int names = x->result == y->result ? 0 : strcmp(p->name, q->name);
	if (names)
		return names;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	/* Runs of a cell are sorted by time, for the median; those without a time are last. */
	return num_descending(&(struct num_at){-x->client_s, x->result},
	    &(struct num_at){-y->client_s, y->result});
}

static struct cell_row
make_row(const struct report *r, size_t from, size_t to)
{
	struct cell_row row = {.least_s = NAN, .median_s = NAN, .most_s = NAN};
	const struct report_cell *c = &r->cells[from];
	while (from + row.n < to && isfinite(c[row.n].client_s))
		row.n++;
	row.shown = from + (row.n ? (row.n - 1) / 2 : 0);
	if (row.n) {
		row.least_s = c[0].client_s;
		row.median_s = (c[(row.n - 1) / 2].client_s + c[row.n / 2].client_s) / 2;
		row.most_s = c[row.n - 1].client_s;
	}
	for (size_t i = to; i-- > from; )
		if (cell_status_is_bad(r->cells[i].status))
			row.shown = i;
	return row;
}

static int
compare_times(const void *a, const void *b)
{
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	return num_descending(&(struct num_at){sorted->cells[sorted->row[i].shown].client_s, i},
	    &(struct num_at){sorted->cells[sorted->row[k].shown].client_s, k});
}

static size_t *
sorted_numbers(const struct report *r, size_t n, int (*compare)(const void *, const void *))
{
	size_t *at = xmalloc((n + 1) * sizeof *at);
	for (size_t i = 0; i < n; i++)
		at[i] = i;
	sorted = r;
	qsort(at, n, sizeof *at, compare);
	return at;
}

char *
report_without_run(const char *name, const struct run_summary *v)
{
	char *text = xstrdup(name), *at = strrchr(text, ' ');
	if (v->repetition > 1 && at && at[1] == '@')
		*at = '\0';
	return text;
}

/* ---- notebooks ---------------------------------------------------------------------- */

static int
compare_names(const void *a, const void *b)
{
	size_t p = *(const size_t *)a, q = *(const size_t *)b;
	int order = strcmp(sorted->sum.v[p].name, sorted->sum.v[q].name);
	return order ? order : p < q ? -1 : p > q;
}

/* Its cells follow those of the notebook before: they are sorted by the same names.  Those of one
 * index are a row. */
static void
add_notebook(struct report *r, const struct repeated *runs, size_t film)
{
	const struct run_summary *v = &r->sum.v[runs->shown];
	struct report_notebook *k = &r->notebook[r->n_notebooks];
	size_t i = k == r->notebook ? 0 : k[-1].cell_first + k[-1].cell_n, to;
	*k = (struct report_notebook){.name = v->name, .all = *runs, .film = film,
	    .first = r->n_rows, .title = report_without_run(v->shown, v), .cell_first = i};
	for (; i < r->n_cells && strcmp(r->sum.v[r->cells[i].result].name, k->name) == 0; i = to) {
		for (to = i + 1; to < r->n_cells && r->cells[to].index == r->cells[i].index &&
		    strcmp(r->sum.v[r->cells[to].result].name, k->name) == 0; to++)
			;
		r->row[r->n_rows] = make_row(r, i, to);
		r->row[r->n_rows++].notebook = r->n_notebooks;
		k->cell_n += to - i;
		k->rows++;
	}
	r->most_s = fmax(r->most_s, v->client_s);
	r->most_runs = runs->n > r->most_runs ? runs->n : r->most_runs;
	r->n_notebooks++;
}

static void
make_notebooks(struct report *r)
{
	/* The notebooks refer to it. */
	size_t *at = sorted_numbers(r, r->sum.n, compare_names);
	if (r->n_cells)
		qsort(r->cells, r->n_cells, sizeof *r->cells, compare_cells);
	r->row = xmalloc((r->n_cells + 1) * sizeof *r->row);
	r->notebook = xmalloc((r->sum.n + 1) * sizeof *r->notebook);
	for (size_t i = 0, k; i < r->sum.n; i = k) {
		for (k = i + 1; k < r->sum.n &&
		    strcmp(r->sum.v[at[k]].name, r->sum.v[at[i]].name) == 0; k++)
			;
		struct repeated runs = repeated_of(&r->sum, at + i, k - i);
		add_notebook(r, &runs, r->sum.v[at[k - 1]].filmed ? at[k - 1] : NO_FILM);
	}
	if (r->n_notebooks == 1 && r->sum.usecase)
		r->notebook[0].title = r->sum.usecase;
}

/* Sums over the cells that have a time. */
static void
sum_times(struct report *r)
{
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct report_cell *c = &r->cells[r->row[i].shown];
		if (!(c->client_s > 0))
			continue;
		for (size_t k = 0; k < N_PHASES; k++)
			r->all.s[k] += c->kernel_only ? c->spent.s[k] : num_or_0(c->spent.s[k]);
		r->all.handling_s += num_or_0(c->spent.handling_s);
		r->all_s += c->client_s;
	}
}

void
report_finish(struct report *r)
{
	summary_finish(&r->sum);
	r->phases_separable = true;
	for (size_t i = 0; i < r->n_cells; i++) {
		struct report_cell *c = &r->cells[i];
		r->by_heading |= !str_same(r->cells[0].heading, c->heading);
		if (c->kernel_only && !r->sum.kernel_only)
			c->client_s = NAN;
		if (c->client_s > 0 && !phase_is_separable(&c->spent))
			r->phases_separable = false;
	}
	make_notebooks(r);
	r->slowest = sorted_numbers(r, r->n_rows, compare_times);
	sum_times(r);
}

json_t *
report_cell_object(const struct report_cell *c)
{
	static struct scan s;
	return c && scan_record(&s, c->record, strlen(c->record))
	    ? object_of_cell(&(struct metrics_record){.members = &s}) : NULL;
}

const struct report_cell *
report_cell_of(const struct report *r, const struct report_notebook *k, size_t result, long index)
{
	for (size_t i = k->cell_first; i < k->cell_first + k->cell_n; i++)
		if (r->cells[i].result == result && r->cells[i].index == index)
			return &r->cells[i];
	return NULL;
}
