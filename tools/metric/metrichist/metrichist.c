/* metrichist: where the level of a metric changed from one label to the next.
 * Reads a history file of `label_history` records and, with --append, first appends the
 * metrics of labels that it does not contain, and what another history has more; writes each
 * step that is larger than noise. */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "change_points.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "metric/metric_text.h"
#include "stats/rank_test.h"
#include "stats/sample.h"
#include "text/param_text.h"
#include "text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

enum { NAME_COLUMNS = 40 };

static const char *append_to;
static struct list metrics;
static double relative = 0.05, alpha = 0.05;
static bool changed_only;
static int format = -1;
static const struct opt opts[] = {
	{'A', "append", OPT_STRING, &append_to, 0, 0, "HISTORY",
		"append the labels of the metrics to HISTORY, then read it"},
	{'m', "metrics", OPT_LIST, &metrics, 0, 0, "METRICS",
		"default client,kernel,memory,bytes,latency", .add = xlist_split},
	{'f', "format", OPT_CHOICE, &format, 0, 0, "NAME", "table (default on a terminal) or json",
		.words = OPT_TABLE_OR_RECORDS},
	{0, "relative", OPT_REAL, &relative, 0, 10, "X",
		"ignore steps below this share, default 0.05"},
	{0, "alpha", OPT_REAL, &alpha, 1e-6, 0.5, "P",
		"significance level of a step, default 0.05"},
	{0, "latest", OPT_FLAG, &changed_only, 0, 0, NULL,
		"exit with status 1 if the last label is a step up"},
	{0},
};
static const struct opt_usage usage = {"metrichist", "[options] [FILE...]",
	"Finds steps in a history of labels; --append adds metrics to it.", opts};

static struct results measured;

/* ---- a series: one cell's metric on one machine, label by label --------------------- */

struct history_point {
	char *label;
	double t, value, mad;
	size_t runs;
};
struct history_series {
	char *usecase, *name, *id, *metric, *interaction;	/* interaction NULL: a cell */
	json_t *machine;	/* NULL: unknown */
	char *shown;	/* the name for people: by the parameters, where an entry has them */
	long index;
	struct history_point *v;
	size_t n;
};
static struct history_series *series;
static size_t n_series;
static json_t *by_key, *known_labels, *known_steps;
static json_t *shown_labels;	/* those in the history */
static json_t *machines;	/* {label: machine}, of what is measured */
static json_t *hosts;	/* machines, each not like the others */
static struct buf merged;	/* lines of other histories that are to be appended */
static bool is_appended;	/* what is read is to be appended, and not in the history yet */

/* The text of the first machine that is alike. */
static char *
machine_text(json_t *machine)
{
	size_t i = 0;
	machine = machine ? machine : json_null();
	while (i < json_array_size(hosts) &&
	    !results_hosts_alike(json_array_get(hosts, i), machine))
		i++;
	if (i == json_array_size(hosts))
		json_array_append(hosts, machine);
	return json_text_of(json_array_get(hosts, i));
}

static struct history_series *
series_of(struct scan *s)
{
	struct buf key = {0};
	char *part[5];
	static const char *const members[5] = {"usecase", "name", "cell_id", "metric",
	    "interaction"};
	for (size_t i = 0; i < COUNT(members); i++) {
		part[i] = span_string(scan_get(s, members[i]));
		buf_addf(&key, "%s\n", part[i] ? part[i] : "");
	}
	double index = span_number(scan_get(s, "cell_index"));
	if (!part[2])
		buf_addf(&key, "%.0f", index);
	json_t *machine = span_json(scan_get(s, "machine"));
	char *on = machine_text(machine);
	buf_addf(&key, "\n%s", on);
	free(on);
	size_t at = xjson_value_index(by_key, key.p, n_series);
	if (at == n_series) {
		series = xgrow(series, n_series, sizeof *series);
		series[n_series] = (struct history_series){.usecase = part[0],
		    .name = part[1] ? part[1] : xstrdup("?"), .id = part[2],
		    .metric = part[3] ? part[3] : xstrdup("?"), .machine = machine,
		    .interaction = part[4],
		    .index = isfinite(index) ? (long)index : 0};
		return &series[n_series++];
	}
	for (size_t i = 0; i < COUNT(members); i++)
		free(part[i]);
	json_decref(machine);
	return &series[at];
}

/* What identifies the entries of a label, or a step that a comparison found. */
static char *
key_of(const char *usecase, const char *label, json_t *machine)
{
	char *on = machine_text(machine);
	char *key = xasprintf("%s\n%s\n%s", usecase ? usecase : "", label, on);
	free(on);
	return key;
}

static char *
key_of_record(struct scan *s)
{
	char *usecase = scan_string(s, "usecase"), *label = scan_string(s, "label");
	json_t *machine = span_json(scan_get(s, "machine"));
	char *key = key_of(usecase, label ? label : "", machine);
	json_decref(machine);
	free(usecase);
	free(label);
	return key;
}

static void
on_history(struct scan *s)
{
	double value = span_number(scan_get(s, "median"));
	char *label = span_string(scan_get(s, "label"));
	struct history_series *to = series_of(s);
	if (!label || !isfinite(value)) {
		free(label);
		return;
	}
	json_t *params = span_json(scan_get(s, "params"));
	to->shown = to->shown ? to->shown : param_text(params, NULL, SIZE_MAX);
	json_decref(params);
	char *key = key_of_record(s);
	json_object_set_new(known_labels, key, json_true());
	json_object_set_new(shown_labels, label, json_true());
	free(key);
	to->v = xgrow(to->v, to->n, sizeof *to->v);
	to->v[to->n++] = (struct history_point){label, span_number(scan_get(s, "t")), value,
	    span_number(scan_get(s, "mad")), (size_t)fmax(0, span_number(scan_get(s, "runs")))};
}

/* A record of a history: it is kept, or appended unless the history has it. */
static void
on_history_line(struct scan *s, struct span line, bool is_step)
{
	char *key = is_step ? xasprintf("%.*s", (int)line.n, line.p) : key_of_record(s);
	bool known = json_object_get(is_step ? known_steps : known_labels, key);
	if (is_step && !known)
		json_object_set_new(known_steps, key, json_true());
	if (is_appended && !known)
		buf_addf(&merged, "%.*s\n", (int)line.n, line.p);
	else if (!is_appended && !is_step)
		on_history(s);
	free(key);
}

static void
read_history_line(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	if (scan_type_is(s, "label_history") || scan_type_is(s, "step"))
		on_history_line(s, (struct span){line, len}, scan_type_is(s, "step"));
	else
		results_read(&measured, s, in);
}

/* ---- appending --------------------------------------------------------------------- */

/* The machine of a label is that of its first run. */
static void
on_run(struct results *m, const struct metrics_record *r, size_t label)
{
	json_t *machine = span_json(scan_get(r->members, "machine"));
	if (json_object_size(machine) && !json_object_get(machines, m->label[label].name))
		json_object_set(machines, m->label[label].name, machine);
	json_decref(machine);
}

static void
add_entries(struct buf *b, const struct result_cell *c, size_t label)
{
	const struct cell_results *of = results_of(c, label);
	json_t *machine = json_object_get(machines, measured.label[label].name);
	char *key = key_of(c->usecase, measured.label[label].name, machine);
	for (size_t i = 0; of && !json_object_get(known_labels, key) && i < measured.metrics; i++) {
		struct result_values *v = &of->metric[i];
		if (!(v->n = sample_sort(v->v, v->n)))
			continue;
		json_t *r = json_pack("{s:s, s:o, s:s, s:s?, s:s, s:O?, s:o, s:s?, s:s, s:f, s:o, "
		    "s:I, s:O?, s:s*}",
		    "type", "label_history", "t", json_value_time(measured.label[label].t),
		    "label", measured.label[label].name, "usecase", c->usecase, "name", c->name,
		    "params", c->params,
		    "cell_index", json_value_above_0(c->index),
		    "cell_id", c->id, "metric", measured.metric[i],
		    "median", sample_median(v->v, v->n),
		    "mad", v->n > 1 ? json_value_real(sample_mad(v->v, v->n)) : json_null(),
		    "runs", (json_int_t)v->n, "machine", machine, "interaction", c->interaction);
		if (!r)
			die(ST_SYSTEM, "out of memory");
		json_text_add(b, r);
		buf_add(b, "\n", 1);
		json_decref(r);
	}
	free(key);
}

/* Another program that appends waits until this one has ended. */
static int
xlock_history(void)
{
	int fd = open(append_to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0 || flock(fd, LOCK_EX) != 0)
		die(ST_SYSTEM, "cannot open '%s':", append_to);
	return fd;
}

/* Appends whole lines in one write. */
static void
append_to_history(int fd)
{
	struct buf b = merged;
	for (size_t i = 0; i < measured.cells; i++)
		for (size_t l = 0; l < measured.labels; l++)
			add_entries(&b, &measured.cell[i], l);
	off_t before = lseek(fd, 0, SEEK_END);
	for (size_t done = 0; done < b.n;) {
		ssize_t n = write(fd, b.p + done, b.n - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int saved = errno;
			if (ftruncate(fd, before) != 0)
				warn("cannot remove half a line from '%s':", append_to);
			errno = saved;
			die(ST_SYSTEM, "cannot write '%s':", append_to);
		}
		done += (size_t)n;
	}
	if (fsync(fd) != 0 && errno != EINVAL)
		die(ST_SYSTEM, "cannot write '%s':", append_to);
	close(fd);
	buf_free(&b);
}

/* ---- steps ------------------------------------------------------------------------- */

struct history_step {
	const struct history_series *of;
	size_t at;	/* the first label of the new level */
	double before, after, p;
	double low, high;	/* interval of the change, in the metric's unit; or infinite */
};
static struct history_step *steps;
static size_t n_steps;

static double *
sorted_points(const struct history_point *v, size_t n)
{
	double *copy = xmalloc(n * sizeof *copy);
	for (size_t i = 0; i < n; i++)
		copy[i] = v[i].value;
	sample_sort(copy, n);
	return copy;
}

static void
add_step(const struct history_series *s, size_t from, size_t at, size_t to, double p)
{
	double *left = sorted_points(s->v + from, at - from),
	       *right = sorted_points(s->v + at, to - at);
	double before = sample_median(left, at - from), after = sample_median(right, to - at);
	struct rank_shift shift = rank_shift(left, at - from, right, to - at);
	free(left);
	free(right);
	if (fabs(after - before) <= fmax(relative * fabs(before), metric_floor(s->metric)))
		return;
	steps = xgrow(steps, n_steps, sizeof *steps);
	steps[n_steps++] = (struct history_step){s, at, before, after, p, shift.low, shift.high};
}

/* All steps of a series, and the last label if it alone has another level. */
static void
find_steps(const struct history_series *s)
{
	double *v = xmalloc(s->n * sizeof *v);
	size_t *at = xmalloc(s->n * sizeof *at);
	double *p = xmalloc(s->n * sizeof *p);
	for (size_t i = 0; i < s->n; i++)
		v[i] = s->v[i].value;
	size_t n = change_points_find(v, s->n, alpha, at, p);
	for (size_t i = 0; i < n; i++)
		add_step(s, i ? at[i - 1] : 0, at[i], i + 1 < n ? at[i + 1] : s->n, p[i]);
	const struct history_point *last = &s->v[s->n - 1];
	bool has_error = isfinite(last->mad) && last->runs;
	double error = has_error ? 1.4826 * last->mad / sqrt((double)last->runs) : 0;
	if (change_points_last(v + (n ? at[n - 1] : 0), s->n - (n ? at[n - 1] : 0), error))
		add_step(s, n ? at[n - 1] : 0, s->n - 1, s->n, NAN);
	free(v);
	free(at);
	free(p);
}

/* ---- output ------------------------------------------------------------------------ */

static char *
cell_name(const struct history_series *s)
{
	return metric_text_place(s->shown ? s->shown : s->name, s->index, s->interaction);
}

static void
put_step(const struct history_step *s)
{
	struct buf b = {0};
	char *name = cell_name(s->of);
	text_show_name(&b, name, NAME_COLUMNS);
	buf_addf(&b, "  %-14.14s ", metric_title(s->of->metric));
	if (fabs(s->before) > 0)
		buf_addf(&b, "%+7.1f %%", 100 * (s->after / s->before - 1));
	else
		buf_addf(&b, "%9s", "from 0");
	struct buf interval = {0};
	if (fabs(s->before) > 0 && isfinite(s->low))
		buf_addf(&interval, "(%+.1f to %+.1f)", 100 * s->low / s->before,
		    100 * s->high / s->before);
	buf_addf(&b, " %-18s", interval.p ? interval.p : "");
	buf_free(&interval);
	buf_addf(&b, "  %10s to %10s  since ", metric_text_value(s->before, s->of->metric).p,
	    metric_text_value(s->after, s->of->metric).p);
	text_show(&b, s->of->v[s->at].label, NAME_COLUMNS);
	buf_addf(&b, isnan(s->p) ? " (only label so far)" : " (p %.2g)", s->p);
	const char *host = json_string_value(json_object_get(s->of->machine, "host"));
	if (host && json_array_size(hosts) > 1) {
		buf_addf(&b, " on ");
		text_show(&b, host, NAME_COLUMNS);
	}
	text_put_trimmed(&b);
	buf_free(&b);
	free(name);
}

static void
put_record(const struct history_step *s)
{
	const struct history_point *first = &s->of->v[s->at];
	json_t *r = json_pack("{s:s, s:s?, s:s, s:o, s:s?, s:s, s:s, s:s, s:o, s:f, s:f, s:o, s:o,"
	    "s:o, s:b, s:O?, s:s*}",
	    "type", "step", "usecase", s->of->usecase, "name", s->of->name,
	    "cell_index", json_value_above_0(s->of->index),
	    "cell_id", s->of->id, "metric", s->of->metric, "label", first->label,
	    "label_before", s->of->v[s->at - 1].label, "t", json_value_time(first->t),
	    "before", s->before, "after", s->after, "change_low", json_value_real(s->low),
	    "change_high", json_value_real(s->high), "p", json_value_real(s->p),
	    "latest", s->at + 1 == s->of->n, "machine", s->of->machine,
	    "interaction", s->of->interaction);
	xlines_write_new(r);
}

static void
put_summary(bool table, size_t up)
{
	size_t labels = json_object_size(shown_labels);
	if (!table)
		return;
	if (labels < CHANGE_POINTS_MIN)
		printf("verdict: cannot tell: %zu label%s in the history, at least %d are needed\n",
		    labels, labels == 1 ? "" : "s", CHANGE_POINTS_MIN);
	else
		printf("verdict: %zu labels, %zu step%s%s\n", labels, n_steps,
		    n_steps == 1 ? "" : "s", up ? "; the last label is a step up" : "");
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	bool table = opt_wants_table(format);
	xresults_start(&measured, &metrics, "client,kernel,memory,bytes,latency");
	by_key = json_object();
	known_labels = json_object();
	known_steps = json_object();
	shown_labels = json_object();
	machines = json_object();
	hosts = json_array();
	measured.on_run = on_run;
	measured.whole = true;
	signal(SIGINT, SIG_IGN);
	int fd = append_to ? xlock_history() : -1;
	if (append_to)
		xscan_files((char *[]){(char *)(uintptr_t)append_to, NULL}, read_history_line);
	is_appended = append_to;
	xscan_files(argv + first, read_history_line);
	is_appended = false;
	if (append_to) {
		append_to_history(fd);
		n_series = 0;
		json_object_clear(by_key);
		json_object_clear(known_labels);
		json_object_clear(known_steps);
		json_object_clear(shown_labels);
		xscan_files((char *[]){(char *)(uintptr_t)append_to, NULL}, read_history_line);
	}
	size_t up = 0;
	for (size_t i = 0; i < n_series; i++) {
		if (!series[i].n)
			continue;
		size_t before = n_steps;
		find_steps(&series[i]);
		for (size_t k = before; k < n_steps; k++)
			up += steps[k].at + 1 == series[i].n &&
			    (steps[k].after > steps[k].before) !=
				metric_more_is_better(series[i].metric);
	}
	for (size_t i = 0; i < n_steps; i++)
		(table ? put_step : put_record)(&steps[i]);
	put_summary(table, up);
	xoutput_close();
	return changed_only && up ? ST_DIFFERS : ST_OK;
}
