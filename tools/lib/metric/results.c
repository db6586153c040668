/* results.c: the values of chosen metrics, by cell, by label and by run. */
#include "metric/results.h"
#include "base/die.h"
#include "json/json_value.h"
#include "text/param_text.h"

void
xresults_start(struct results *m, struct list *names, const char *otherwise)
{
	*m = (struct results){.by_key = json_object(), .by_notebook = json_object(),
	    .orders = json_array(), .varied = json_object(), .left_out = json_object(),
	    .missing = json_object()};
	if (!names->n)
		xlist_split(names, otherwise, "metrics");
	m->metric = xmalloc(names->n * sizeof *m->metric);
	for (; m->metrics < names->n; m->metrics++) {
		const char *column = metric_name(names->v[m->metrics]);
		for (size_t i = 0; i < m->metrics; i++)
			if (strcmp(m->metric[i], column) == 0)
				die(ST_USAGE, "the metric '%s' is given twice",
				    names->v[m->metrics]);
		m->metric[m->metrics] = column;
	}
}

/* ---- labels --------------------------------------------------------------------------- */

long
results_label(const struct results *m, const char *name)
{
	for (size_t i = 0; i < m->labels; i++)
		if (strcmp(m->label[i].name, name) == 0)
			return (long)i;
	return -1;
}

/* The index of the label with that name, which is added if it is new. */
static size_t
find_label(struct results *m, const char *name)
{
	long at = results_label(m, name);
	if (at >= 0)
		return (size_t)at;
	m->label = xgrow(m->label, m->labels, sizeof *m->label);
	m->label[m->labels] = (struct result_label){.name = xstrdup(name), .env = json_object(),
		.t = NAN, .t_last = NAN};
	return m->labels++;
}

char *
results_label_name(const struct results *m, struct scan *s, const struct lines *in)
{
	/* A row of a table has its file as its label already. */
	bool by_file = m->by_file && metrics_kind_of(s) != METRICS_TABLE;
	char *name = by_file ? xstrdup(in->name) : scan_string(s, metric_catalogue[M_label].column);
	return name ? name : xstrdup("current");
}

size_t
results_label_of(struct results *m, struct scan *s, const struct lines *in)
{
	char *name = results_label_name(m, s, in);
	size_t at = find_label(m, name);
	free(name);
	return at;
}

static void
read_run(struct results *m, const struct metrics_record *r, size_t label)
{
	struct result_label *l = &m->label[label];
	double t = metrics_record_number(r, M_run_t);
	char *usecase = metrics_record_text(r, M_usecase),
	    *notebook = metrics_record_text(r, M_name);
	*XAPPEND(m->run, m->runs) = (struct result_run){.label = label, .t = t,
		.notebook = xasprintf("%s\n%s", usecase ? usecase : "", notebook ? notebook : "")};
	free(usecase);
	free(notebook);
	l->t = fmin(l->t, t);	/* either may be NaN */
	l->t_last = fmax(l->t_last, t);
	l->runs++;
	if (m->on_run)
		m->on_run(m, r, label);
}

/* ---- cells -------------------------------------------------------------------------------- */

static void
name_cell(struct result_cell *c, const struct metrics_record *r)
{
	char *name = metrics_record_text(r, M_name);
	if (!name)
		name = metrics_record_text(r, M_notebook_filename);
	c->name = name ? name : xstrdup("?");
	c->usecase = metrics_record_text(r, M_usecase);
	c->id = r->index > 0 || isnan(r->index) ? metrics_record_text(r, M_cell_id) : NULL;
	c->index = isfinite(r->index) ? (long)r->index : -1;
	if (r->kind == METRICS_INTERACTION) {
		c->interaction = metrics_record_text(r, M_interaction);
		c->interaction = c->interaction ? c->interaction : xstrdup("?");
	}
}

/* The cell of that name and id, or without an id of that index, and the interaction of that name;
 * added if it is new. */
static struct result_cell *
find_cell(struct results *m, const struct metrics_record *r)
{
	struct result_cell c = {0};
	name_cell(&c, r);
	char *notebook = xasprintf("%s\n%s", c.usecase ? c.usecase : "", c.name);
	const char *gesture = c.interaction ? c.interaction : "";
	char *key = c.id ? xasprintf("%s\n%s\n\n%s", notebook, c.id, gesture) :
	    xasprintf("%s\n\n#%ld\n%s", notebook, c.index, gesture);
	size_t at = xjson_value_index(m->by_key, key, m->cells);
	if (at < m->cells) {
		free(notebook);
		free(c.name);
		free(c.usecase);
		free(c.id);
		free(c.interaction);
		return &m->cell[at];
	}
	c.notebook = xjson_value_index(m->by_notebook, notebook, m->notebooks);
	m->notebooks += c.notebook == m->notebooks;
	if (r->index > 0)
		c.line = metrics_record_text(r, M_source_line);
	c.params = span_json(metrics_record_span(r, M_params));
	struct result_cell *new = XAPPEND(m->cell, m->cells);
	*new = c;
	const char *first = m->cell[0].usecase;
	m->by_name |= !json_is_object(c.params) ||
	    strcmp(c.usecase ? c.usecase : "", first ? first : "") != 0;
	param_text_add_differing(m->varied, m->cell[0].params, c.params);
	return new;
}

const struct cell_results *
results_of(const struct result_cell *c, size_t label)
{
	return label < c->labels && c->label[label].runs ? &c->label[label] : NULL;
}

static struct cell_results *
find_of_label(const struct results *m, struct result_cell *c, size_t label)
{
	if (label >= c->labels) {
		c->label = xrealloc(c->label, (label + 1) * sizeof *c->label);
		for (size_t i = c->labels; i <= label; i++) {
			size_t bytes = m->metrics * sizeof *c->label[i].metric;
			c->label[i] = (struct cell_results){.metric = memset(xmalloc(bytes), 0,
			    bytes)};
		}
		c->labels = label + 1;
	}
	return &c->label[label];
}

static void
append_value(struct result_values *to, double x, size_t completed)
{
	if (!isfinite(x))
		return;
	to->completed = xgrow(to->completed, to->n, sizeof *to->completed);
	to->completed[to->n] = completed;
	*XAPPEND(to->v, to->n) = x;
}

static bool
waited_for_others(const struct metrics_record *r)
{
	return span_is_word(metrics_record_span(r, M_run_queue_wait_cause),
	    catalogue_wait_causes[WAIT_OTHERS]);
}

/* A record without a status, as in a table, is of a completed cell.  A film has values of its
 * own, such as the Speed Index, but it is no run that could be compared. */
static void
read_cell(struct results *m, const struct metrics_record *r, size_t label)
{
	struct cell_results *of = find_of_label(m, find_cell(m, r), label);
	enum cell_outcome outcome = r->has_status ? cell_status_outcome(r->status) : CELL_PASSED;
	if (outcome == CELL_LEFT_OUT || (r->film && outcome != CELL_PASSED))
		return;
	of->runs += !r->film;
	if (outcome == CELL_PASSED) {
		*XAPPEND(of->completed, of->completions) =
		    (struct completed_run){r->repetition, waited_for_others(r)};
		for (size_t i = 0; i < m->metrics; i++)
			append_value(&of->metric[i], metrics_record_named(r, m->metric[i]),
			    of->completions - 1);
		return;
	}
	of->failed++;
	free(of->status);
	of->status = metrics_record_text(r, M_execution_status);
}

void
results_read(struct results *m, struct scan *s, const struct lines *in)
{
	struct metrics_record r = metrics_record_of(s, in);
	if (r.kind == METRICS_NOTEBOOK) {
		size_t label = results_label_of(m, s, in);
		if (!r.film)
			read_run(m, &r, label);
		if (m->whole)
			read_cell(m, &r, label);
	} else if (r.kind != METRICS_OTHER) {
		if (r.kind == METRICS_CELL && m->on_cell)
			m->on_cell(&r);
		read_cell(m, &r, results_label_of(m, s, in));
	} else if (m->on_other) {
		m->on_other(m, s, in);
	}
}

/* ---- hosts --------------------------------------------------------------------------- */

bool
results_hosts_alike(const json_t *x, const json_t *y)
{
	static const char *const same[] = {"processor", "cores", "microcode", "os"};
	double of_x = json_number_value(json_object_get(x, "memory_bytes"));
	double of_y = json_number_value(json_object_get(y, "memory_bytes"));
	bool alike = fmin(of_x, of_y) > 0 &&
	    fmin(of_x, of_y) >= RESULTS_SAME_MEMORY * fmax(of_x, of_y);
	bool one = json_equal(json_object_get(x, "host"), json_object_get(y, "host"));
	for (size_t i = 0; i < (one ? 2 : COUNT(same)); i++) {
		const json_t *v = json_object_get(x, same[i]);
		alike &= v && !json_is_null(v) && json_equal(v, json_object_get(y, same[i]));
	}
	return alike || json_equal(x, y);
}
