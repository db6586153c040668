/* measured.c: what was measured of each cell, label by label, run by run. */
#include "measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- metrics --------------------------------------------------------------------- */

static const struct known {
	const char *name, *column, *title, *unit;
	double floor;
} known[] = {
	{"client", "client_execution_time_metric", "client time", "s", 0.002},
	{"kernel", "kernel_execution_time_metric", "kernel time", "s", 0.002},
	{"memory", "kernel_peak_rss_bytes", "peak memory", "bytes", 1e6},
	{"bytes", "client_total_data_received_metric", "data received", "MB", 0.01},
};

const char *
metric_name(const char *name)
{
	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].column;
	return name;
}

static const struct known *
known_of(const char *column)
{
	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp(known[i].column, column) == 0)
			return &known[i];
	return NULL;
}

static bool
ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);
	return n >= k && strcmp(text + n - k, end) == 0;
}

const char *
metric_title(const char *column)
{
	const struct known *k = known_of(column);
	return k ? k->title : column;
}

/* A unit stands at a name's end. */
static const struct {
	const char *end, *unit;
	double floor;
} units[] = {
	{"_per_s", "a second", 0}, {"_s", "s", 0.002}, {"_ms", "ms", 2}, {"_bytes", "bytes", 1e4}, {"_j", "J", 0.1}, {"_g", "g", 0},
	{"_pct", "%", 0}, {"_cpu_metric", "%", 0}, {"_memory_metric", "%", 0},
};

const char *
metric_unit(const char *column)
{
	const struct known *k = known_of(column);
	for (size_t i = 0; !k && i < COUNT(units); i++)
		if (ends_in(column, units[i].end))
			return units[i].unit;
	return k ? k->unit : "";
}

double
metric_floor(const char *column)
{
	const struct known *k = known_of(column);
	if (!k && (strstr(column, "rss") || strstr(column, "pss") || strstr(column, "heap")))
		return 1e6;
	for (size_t i = 0; !k && i < COUNT(units); i++)
		if (ends_in(column, units[i].end))
			return units[i].floor;
	return k ? k->floor : 0;
}

bool
metric_more_is_better(const char *column)
{
	return ends_in(column, "_per_s") || strcmp(column, "frames_shown") == 0;
}

void
measured_start(struct measured *m, const char *metrics)
{
	*m = (struct measured){.by_key = json_object()};
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

static size_t
label_of(struct measured *m, struct scan *s, const struct lines *in)
{
	char *name = m->by_file ? xstrdup(in->name) : span_string(scan_get(s, "label"));
	name = name ? name : xstrdup("current");
	long at = measured_label(m, name);
	if (at >= 0) {
		free(name);
		return (size_t)at;
	}
	m->label = xrealloc(m->label, (m->labels + 1) * sizeof *m->label);
	m->label[m->labels] = (struct measured_label){.name = name, .env = json_object(), .t = NAN};
	return m->labels++;
}

static void
add_env(struct measured_label *l, const char *what, struct span value)
{
	if (span_null(value))
		return;
	char *text = span_string(value);
	if (!text) {
		json_t *v = span_json(value);
		text = json_text(v);
		json_decref(v);
	}
	json_t *counts = json_object_get(l->env, what);
	if (!counts)
		json_object_set_new(l->env, what, counts = json_object());
	json_object_set_new(counts, text, json_integer(json_integer_value(json_object_get(counts, text)) + 1));
	free(text);
}

static void
take_run(struct measured_label *l, struct scan *s)
{
	static const char *const what[] = {"browser", "window", "jupyterlab", "kernel", "nbscope_version"};
	static const char *const of_machine[] = {"cores", "memory_bytes", "os", "host"};
	static struct scan machine;
	double t = span_number(scan_get(s, "t"));
	for (size_t i = 0; i < COUNT(what); i++)
		add_env(l, what[i], scan_get(s, what[i]));
	scan_members(&machine, scan_get(s, "machine"));
	for (size_t i = 0; i < COUNT(of_machine); i++) {
		char *name = xasprintf("machine %s", of_machine[i]);
		add_env(l, name, scan_get(&machine, of_machine[i]));
		free(name);
	}
	l->t = isnan(l->t) || t < l->t ? t : l->t;
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

static struct measured_cell *
cell_of(struct measured *m, struct scan *s, bool whole)
{
	static struct buf key;
	char *name = span_string(scan_get(s, "name")), *id = whole ? NULL : span_string(scan_get(s, "cell_id"));
	char *usecase = span_string(scan_get(s, "usecase"));
	double index = whole ? 0 : span_number(scan_get(s, "cell_index"));
	if (!name)
		name = span_string(scan_get(s, "notebook_filename"));
	key.n = 0;
	buf_addf(&key, "%s\n%s\n%s\n%s%.0f", usecase ? usecase : "", name ? name : "", id ? id : "", id ? "" : "#", id ? 0 : index);
	json_t *at = json_object_get(m->by_key, key.p);
	if (at) {
		free(name);
		free(id);
		free(usecase);
		return &m->cell[json_integer_value(at)];
	}
	if (m->cells == m->cap)
		m->cell = xrealloc(m->cell, (m->cap = m->cap ? 2 * m->cap : 64) * sizeof *m->cell);
	struct measured_cell *c = &m->cell[m->cells];
	*c = (struct measured_cell){.usecase = usecase, .name = name ? name : xstrdup("?"), .id = id, .index = isfinite(index) ? (long)index : -1};
	c->line = whole ? NULL : span_string(scan_get(s, "source_line"));
	c->params = span_json(scan_get(s, "params"));
	if (json_object_set_new(m->by_key, key.p, json_integer((json_int_t)m->cells++)) < 0)
		die(ST_INPUT, "a cell's name is not UTF-8");
	return c;
}

const struct of_label *
measured_of(const struct measured_cell *c, size_t label)
{
	return label < c->labels && c->label[label].runs ? &c->label[label] : NULL;
}

static struct of_label *
room_for(struct measured_cell *c, size_t label, size_t metrics)
{
	if (label >= c->labels) {
		c->label = xrealloc(c->label, (label + 1) * sizeof *c->label);
		for (size_t i = c->labels; i <= label; i++) {
			c->label[i] = (struct of_label){.metric = xmalloc(metrics * sizeof *c->label[i].metric)};
			memset(c->label[i].metric, 0, metrics * sizeof *c->label[i].metric);
		}
		c->labels = label + 1;
	}
	return &c->label[label];
}

static void
add_value(struct values *to, double x)
{
	if (!isfinite(x))
		return;
	if (to->n == to->cap)
		to->v = xrealloc(to->v, (to->cap = to->cap ? 2 * to->cap : 8) * sizeof *to->v);
	to->v[to->n++] = x;
}

static void
take_cell(struct measured *m, struct scan *s, size_t label, bool whole)
{
	char *status = span_string(scan_get(s, "execution_status"));
	/* What was left out has no times and did not fail. */
	if (status && (strcmp(status, "Skipped") == 0 || strcmp(status, "Not Run") == 0)) {
		free(status);
		return;
	}
	struct measured_cell *c = cell_of(m, s, whole);
	struct of_label *of = room_for(c, label, m->metrics);
	of->runs++;
	if (status && strcmp(status, "Completed") != 0) {
		of->failed++;
		free(of->status);
		of->status = status;
		return;
	}
	free(status);
	for (size_t i = 0; i < m->metrics; i++)
		add_value(&of->metric[i], span_number(scan_get(s, m->metric[i])));
}

void
measured_take(struct measured *m, struct scan *s, const struct lines *in)
{
	if (scan_type_is(s, "cell_metrics")) {
		take_cell(m, s, label_of(m, s, in), false);
	} else if (scan_type_is(s, "notebook_metrics")) {
		size_t label = label_of(m, s, in);
		take_run(&m->label[label], s);
		if (m->whole)
			take_cell(m, s, label, true);
	} else if (scan_type_is(s, "environment")) {
		/* First the label: it may move them all. */
		size_t label = label_of(m, s, in);
		take_environment(&m->label[label], s);
	}
}
