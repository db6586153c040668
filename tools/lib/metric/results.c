/* measured.c: what was measured of each cell, label by label, run by run. */
#include "metric/results.h"
#include "text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
measured_start(struct measured *m, const char *metrics)
{
	*m = (struct measured){.by_key = json_object(), .orders = json_array()};
	char *list = xstrdup(metrics), *rest = list;
	for (char *name; (name = strsep(&rest, ", "));) {
		if (!*name)
			continue;
		for (size_t i = 0; i < m->metrics; i++)
			if (strcmp(m->metric[i], metric_name(name)) == 0)
				die(ST_USAGE, "the metric '%s' is named twice", name);
		m->metric = xrealloc(m->metric, (m->metrics + 1) * sizeof *m->metric);
		m->metric[m->metrics++] = xstrdup(metric_name(name));
	}
	if (!m->metrics)
		die(ST_USAGE, "no metric is named");
	free(list);
}

/* ---- labels --------------------------------------------------------------------------- */

long
measured_label(const struct measured *m, const char *name)
{
	for (size_t i = 0; i < m->labels; i++)
		if (strcmp(m->label[i].name, name) == 0)
			return (long)i;
	return -1;
}

size_t
measured_new_label(struct measured *m, const char *name)
{
	long at = measured_label(m, name);
	if (at >= 0)
		return (size_t)at;
	m->label = xrealloc(m->label, (m->labels + 1) * sizeof *m->label);
	m->label[m->labels] = (struct measured_label){.name = xstrdup(name), .env = json_object(), .t = NAN, .t_last = NAN};
	return m->labels++;
}

static size_t
label_of(struct measured *m, struct scan *s, const struct lines *in)
{
	/* A row of a table has its file as its label already. */
	bool by_file = m->by_file && !scan_type_is(s, "table_metrics");
	char *name = by_file ? xstrdup(in->name) : span_string(scan_get(s, "label"));
	size_t at = measured_new_label(m, name ? name : "current");
	free(name);
	return at;
}

static void
add_env(struct measured_label *l, const char *what, struct span value)
{
	if (span_null(value))
		return;
	char *text = span_string(value);
	if (!text) {
		json_t *v = span_json(value);
		text = json_text_of(v);
		json_decref(v);
	}
	json_t *counts = json_object_get(l->env, what);
	if (!counts)
		json_object_set_new(l->env, what, counts = json_object());
	json_object_set_new(counts, text, json_integer(json_integer_value(json_object_get(counts, text)) + 1));
	free(text);
}

static void
take_run(struct measured *m, struct scan *s, size_t label)
{
	static const char *const what[] = {"browser", "window", "jupyterlab", "kernel",
		"nbscope_version", "environment_id"};
	static const char *const of_machine[] = {"cores", "memory_bytes", "os", "host"};
	static struct scan machine;
	struct measured_label *l = &m->label[label];
	double t = span_number(scan_get(s, "t"));
	char *usecase = scan_string(s, "usecase"), *notebook = scan_string(s, "name");
	m->run = xgrow(m->run, m->runs, &m->runs_cap, sizeof *m->run);
	m->run[m->runs++] = (struct measured_run){xasprintf("%s\n%s", usecase ? usecase : "",
		notebook ? notebook : ""), label, t};
	free(usecase);
	free(notebook);
	for (size_t i = 0; i < COUNT(what); i++)
		add_env(l, what[i], scan_get(s, what[i]));
	scan_members(&machine, scan_get(s, "machine"));
	for (size_t i = 0; i < COUNT(of_machine); i++) {
		char *name = xasprintf("machine %s", of_machine[i]);
		add_env(l, name, scan_get(&machine, of_machine[i]));
		free(name);
	}
	l->t = fmin(l->t, t);	/* either may be NaN */
	l->t_last = fmax(l->t_last, t);
	l->runs++;
}

/* The last one counts: what is installed now is what was profiled last. */
static void
take_environment(struct measured_label *l, struct scan *s)
{
	json_decref(l->packages);
	json_decref(l->named);
	l->packages = span_json(scan_get(s, "packages"));
	l->named = span_json(scan_get(s, "named"));
	if (!json_is_object(l->packages)) {
		json_decref(l->packages);
		l->packages = NULL;
	}
	add_env(l, "python", scan_get(s, "python"));
}

/* ---- cells -------------------------------------------------------------------------------- */

struct measured_cell *
measured_cell(struct measured *m, const struct measured_key *k, bool *made)
{
	static struct buf key;
	key.n = 0;
	buf_addf(&key, "%s\n%s\n%s\n", k->usecase ? k->usecase : "", k->name ? k->name : "", k->id ? k->id : "");
	if (!k->id)
		buf_addf(&key, "#%.0f", k->index);
	json_t *at = json_object_get(m->by_key, key.p);
	*made = !at;
	if (at)
		return &m->cell[json_integer_value(at)];
	if (m->cells == m->cap)
		m->cell = xrealloc(m->cell, (m->cap = m->cap ? 2 * m->cap : 64) * sizeof *m->cell);
	struct measured_cell *c = &m->cell[m->cells];
	*c = (struct measured_cell){.name = xstrdup(k->name ? k->name : "?"), .index = isfinite(k->index) ? (long)k->index : -1};
	c->usecase = k->usecase ? xstrdup(k->usecase) : NULL;
	c->id = k->id ? xstrdup(k->id) : NULL;
	if (json_object_set_new(m->by_key, key.p, json_integer((json_int_t)m->cells++)) < 0)
		die(ST_INPUT, "a cell's name is not UTF-8");
	return c;
}

const struct of_label *
measured_of(const struct measured_cell *c, size_t label)
{
	return label < c->labels && c->label[label].runs ? &c->label[label] : NULL;
}

struct of_label *
measured_room(const struct measured *m, struct measured_cell *c, size_t label)
{
	if (label >= c->labels) {
		c->label = xrealloc(c->label, (label + 1) * sizeof *c->label);
		for (size_t i = c->labels; i <= label; i++) {
			c->label[i] = (struct of_label){.metric = xmalloc(m->metrics * sizeof *c->label[i].metric)};
			memset(c->label[i].metric, 0, m->metrics * sizeof *c->label[i].metric);
		}
		c->labels = label + 1;
	}
	return &c->label[label];
}

void
measured_add(struct values *to, double x)
{
	if (!isfinite(x))
		return;
	if (to->n == to->cap)
		to->v = xrealloc(to->v, (to->cap = to->cap ? 2 * to->cap : 8) * sizeof *to->v);
	to->v[to->n++] = x;
}

bool
measured_status(struct of_label *of, const char *status)
{
	if (status && (strcmp(status, "Skipped") == 0 || strcmp(status, "Not Run") == 0))
		return false;
	of->runs++;
	if (!status || strcmp(status, "Completed") == 0)
		return true;
	of->failed++;
	free(of->status);
	of->status = xstrdup(status);
	return false;
}

static void
take_cell(struct measured *m, struct scan *s, size_t label, bool whole)
{
	char *status = span_string(scan_get(s, "execution_status")), *usecase = span_string(scan_get(s, "usecase"));
	char *name = span_string(scan_get(s, "name")), *id = whole ? NULL : span_string(scan_get(s, "cell_id"));
	bool made;
	if (!name)
		name = span_string(scan_get(s, "notebook_filename"));
	double index = span_number(scan_get(s, "cell_index"));
	/* A row of a table that has no cells is a whole notebook. */
	whole = whole || (isnan(index) && scan_type_is(s, "table_metrics"));
	struct measured_key key = {usecase, name, id, whole ? 0 : index};
	struct measured_cell *c = measured_cell(m, &key, &made);
	if (made) {
		c->line = whole ? NULL : span_string(scan_get(s, "source_line"));
		c->params = span_json(scan_get(s, "params"));
	}
	struct of_label *of = measured_room(m, c, label);
	if (measured_status(of, status))
		for (size_t i = 0; i < m->metrics; i++)
			measured_add(&of->metric[i], span_number(scan_get(s, m->metric[i])));
	free(status);
	free(usecase);
	free(name);
	free(id);
}

void
measured_take(struct measured *m, struct scan *s, const struct lines *in)
{
	if (scan_type_is(s, "cell_metrics") || scan_type_is(s, "table_metrics")) {
		take_cell(m, s, label_of(m, s, in), false);
	} else if (scan_type_is(s, "notebook_metrics")) {
		size_t label = label_of(m, s, in);
		take_run(m, s, label);
		if (m->whole)
			take_cell(m, s, label, true);
	} else if (scan_type_is(s, "environment")) {
		/* First the label: it may move them all. */
		size_t label = label_of(m, s, in);
		take_environment(&m->label[label], s);
	} else if (scan_type_is(s, "interleaving")) {
		json_array_append_new(m->orders, json_pack("{s:o*, s:o*, s:o*, s:o*}", "a", span_json(scan_get(s, "a")), "b", span_json(scan_get(s, "b")),
		    "seed", span_json(scan_get(s, "seed")), "order", span_json(scan_get(s, "order"))));
	}
}
