/* prom.c: metrics in Prometheus' text exposition format. */
#include "prom.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool prom_notebooks_only;
long prom_most = 10000;

/* ---- what is told ------------------------------------------------------------------ */

enum { CELL = 1, NOTEBOOK = 2, BOTH = 3 };
enum { QUEUE = 2, TRANSPORT = 5 };	/* their rows */

/* Rows of one name stand together: they are one family.  No family holds a whole
 * beside its parts, so that sums over it mean something. */
static const struct row {
	const char *from, *name, *label;
	double per;	/* so many of it are one of the base unit */
	int of;
	const char *help;
} rows[] = {
	{"client_execution_time_metric", "client_seconds", NULL, 1, BOTH, "Time from the key press to the last visible change."},
	{"dispatch_s", "phase_seconds", "phase=\"dispatch\"", 1, BOTH, "Where the time went: dispatch, queue, kernel, delivery, render."},
	[QUEUE] = {"queue_s", "phase_seconds", "phase=\"queue\"", 1, BOTH, NULL},
	{"kernel_execution_time_metric", "phase_seconds", "phase=\"kernel\"", 1, BOTH, NULL},
	{"delivery_s", "phase_seconds", "phase=\"delivery\"", 1, BOTH, NULL},
	[TRANSPORT] = {"transport_s", "phase_seconds", "phase=\"transport\"", 1, BOTH, NULL},
	{"render_s", "phase_seconds", "phase=\"render\"", 1, BOTH, NULL},
	{"total_blocking_time_s", "total_blocking_time_seconds", NULL, 1, BOTH, "Time in which the page could not have answered an input."},
	{"client_total_data_received_metric", "received_bytes", NULL, 1e-6, BOTH, "Bytes that the page received, WebSocket and HTTP."},
	{"kernel_cpu_s", "cpu_seconds", "process=\"kernel\"", 1, BOTH, "CPU time of the kernel's, browser's and server's processes."},
	{"browser_cpu_s", "cpu_seconds", "process=\"browser\"", 1, BOTH, NULL},
	{"server_cpu_s", "cpu_seconds", "process=\"server\"", 1, BOTH, NULL},
	{"kernel_mean_cpu_metric", "cpu_usage_ratio", "process=\"kernel\"", 100, BOTH, "Mean use of the CPU; 1 is one core."},
	{"client_mean_cpu_metric", "cpu_usage_ratio", "process=\"browser\"", 100, BOTH, NULL},
	{"kernel_peak_rss_bytes", "memory_peak_bytes", "process=\"kernel\"", 1, BOTH, "Peak of the resident memory."},
	{"browser_peak_rss_bytes", "memory_peak_bytes", "process=\"browser\"", 1, BOTH, NULL},
	{"kernel_read_bytes", "storage_read_bytes", NULL, 1, BOTH, "Bytes that the kernel's processes read from storage."},
	{"kernel_write_bytes", "storage_written_bytes", NULL, 1, BOTH, "Bytes that the kernel's processes wrote for storage."},
	{"kernel_energy_j", "energy_joules", "process=\"kernel\"", 1, BOTH, "Energy of the processors and memory, by share of CPU time."},
	{"browser_energy_j", "energy_joules", "process=\"browser\"", 1, BOTH, NULL},
	{"machine_energy_j", "machine_energy_joules", NULL, 1, BOTH, "Energy of the machine's processors and memory, whoever used it."},
	{"gpu_mean_utilization_pct", "gpu_utilization_ratio", NULL, 100, BOTH, "Mean use of the GPUs."},
	{"gpu_max_memory_bytes", "gpu_memory_peak_bytes", NULL, 1, BOTH, "Most memory of all GPUs together that was taken."},
	{"console_errors", "console_errors", NULL, 1, BOTH, "Errors that the page's console told."},
	{"frames_dropped", "dropped_frames", NULL, 1, BOTH, "Frames that were missed while things changed."},
	{"wall_s", "wall_seconds", NULL, 1, NOTEBOOK, "Time of the whole run, opening included."},
	{"open_s", "open_seconds", NULL, 1, NOTEBOOK, "Time until the notebook was open and its kernel ready."},
	{"t", "start_timestamp_seconds", NULL, 1, NOTEBOOK, "When the last repetition began, unix time."},
};
#define ROWS COUNT(rows)

/* One repetition of one cell or notebook. */
struct ran {
	double repetition, value[ROWS];
	char *status;	/* "timed_out" */
};
struct subject {
	int of;
	const char *group;	/* usecase="...",label="..." */
	char *labels;	/* the group, and what else names it */
	char *versions;	/* of a notebook's last run */
	struct ran *run;
	size_t runs;
};
static struct subject *subject;
static size_t subjects;
static json_t *by_labels;
static char **group;
static size_t groups;

/* ---- taking ---------------------------------------------------------------------------- */

/* name="value" as the format has it. */
static void
add_label(struct buf *b, const char *name, const char *value)
{
	buf_addf(b, "%s%s=\"", b->n ? "," : "", name);
	for (const char *p = value; *p; p++)
		if (*p == '\n')
			buf_addf(b, "\\n");
		else
			buf_addf(b, "%s%c", *p == '\\' || *p == '"' ? "\\" : "", *p);
	buf_addf(b, "\"");
}

static void
add_member(struct buf *b, const char *name, struct scan *s, const char *key)
{
	char *text = span_string(scan_get(s, key));
	add_label(b, name, text ? text : "");
	free(text);
}

/* The one there is, or a new one. */
static const char *
group_of(const char *text)
{
	for (size_t i = groups; i-- > 0; )
		if (strcmp(group[i], text) == 0)
			return group[i];
	group = xrealloc(group, (groups + 1) * sizeof *group);
	return group[groups++] = xstrdup(text);
}

static struct subject *
subject_of(struct scan *s, int of)
{
	struct buf b = {0};
	add_member(&b, "usecase", s, "usecase");
	add_member(&b, "label", s, "label");
	const char *of_group = group_of(b.p);
	add_member(&b, "notebook", s, "name");
	if (of == CELL) {
		char *index = xasprintf("%.0f", span_number(scan_get(s, "cell_index")));
		add_label(&b, "cell", index);
		free(index);
	}
	if (!by_labels)
		by_labels = json_object();
	json_t *at = json_object_get(by_labels, b.p);
	if (at) {
		buf_free(&b);
		return &subject[json_integer_value(at)];
	}
	if (json_object_set_new(by_labels, b.p, json_integer((json_int_t)subjects)) < 0)
		die(ST_SYSTEM, "out of memory");
	subject = xrealloc(subject, (subjects + 1) * sizeof *subject);
	subject[subjects] = (struct subject){.of = of, .group = of_group, .labels = b.p};
	return &subject[subjects++];
}

/* Its repetition's place: a later attempt takes an earlier one's. */
static struct ran *
room(struct subject *j, double repetition)
{
	for (size_t i = 0; i < j->runs; i++) {
		if (j->run[i].repetition == repetition) {
			free(j->run[i].status);
			return &j->run[i];
		}
	}
	j->run = xrealloc(j->run, (j->runs + 1) * sizeof *j->run);
	return &j->run[j->runs++];
}

void
prom_take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	int of = scan_type_is(s, "notebook_metrics") ? NOTEBOOK : scan_type_is(s, "cell_metrics") && !prom_notebooks_only ? CELL : 0;
	if (!of)
		return;
	char *name = span_string(scan_get(s, "name"));
	if (!name || (of == CELL && !isfinite(span_number(scan_get(s, "cell_index")))))
		die(ST_INPUT, "%s:%lu:1: metrics without a name or a cell_index", in->name, in->number);
	free(name);
	struct subject *j = subject_of(s, of);
	double repetition = span_number(scan_get(s, "repetition"));
	struct ran *r = room(j, isfinite(repetition) ? repetition : 1);
	*r = (struct ran){.repetition = isfinite(repetition) ? repetition : 1, .status = span_string(scan_get(s, "execution_status"))};
	for (char *p = r->status; p && *p; p++)
		*p = *p == ' ' ? '_' : (char)tolower((unsigned char)*p);
	for (size_t i = 0; i < ROWS; i++)
		r->value[i] = span_number(scan_get(s, rows[i].from));
	/* Their sum stands for them only where they are not known apart. */
	if (isfinite(r->value[QUEUE]))
		r->value[TRANSPORT] = NAN;
	if (of == CELL)
		return;
	struct buf b = {0};
	add_member(&b, "browser", s, "browser");
	add_member(&b, "jupyterlab", s, "jupyterlab");
	add_member(&b, "nbscope", s, "nbscope_version");
	free(j->versions);
	j->versions = b.p;
}

/* ---- the text ---------------------------------------------------------------------------- */

struct text {
	struct buf b;
	const char *group;	/* NULL: all */
	size_t series;
};

static bool
belongs(const struct text *t, const struct subject *j, int of)
{
	return j->of == of && (!t->group || strcmp(t->group, j->group) == 0);
}

/* The head of a family stands before its first series, and not without one. */
static void
put_series(struct text *t, bool *begun, int of, const char *name, const char *help, const struct subject *j, const char *label, double value)
{
	const char *prefix = of == CELL ? "nbscope_cell_" : "nbscope_notebook_";
	if (!*begun)
		buf_addf(&t->b, "# HELP %s%s %s\n# TYPE %s%s gauge\n", prefix, name, help, prefix, name);
	*begun = true;
	json_t *v = value == rint(value) && fabs(value) < 0x1p53 ? json_integer((json_int_t)value) : json_real(value);
	buf_addf(&t->b, "%s%s{%s%s%s} ", prefix, name, j->labels, label ? "," : "", label ? label : "");
	json_text_add(&t->b, v);
	if (buf_add(&t->b, "\n", 1) < 0)
		die(ST_SYSTEM, "out of memory");
	json_decref(v);
	if (++t->series > (size_t)prom_most)
		die(ST_INPUT, "more than %ld series: %smore with --most", prom_most, prom_notebooks_only ? "" : "fewer with --notebooks, ");
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* NaN where no repetition knows it.  Of moments the last, of all else the median. */
static double
over_runs(const struct subject *j, size_t row)
{
	double *v = xmalloc(j->runs * sizeof *v), x = NAN;
	size_t n = 0;
	for (size_t i = 0; i < j->runs; i++)
		if (isfinite(j->run[i].value[row]))
			v[n++] = j->run[i].value[row];
	qsort(v, n, sizeof *v, by_size);
	if (n)
		x = strcmp(rows[row].from, "t") == 0 ? v[n - 1] : n % 2 ? v[n / 2] : v[n / 2 - 1] / 2 + v[n / 2] / 2;
	free(v);
	x /= rows[row].per;
	/* 4.203 MB are whole bytes. */
	return rows[row].per < 1 ? rint(x) : x;
}

static void
put_family(struct text *t, size_t row, int of)
{
	bool begun = false;
	for (size_t i = row; i < ROWS && strcmp(rows[i].name, rows[row].name) == 0; i++) {
		for (size_t k = 0; k < subjects; k++) {
			double x = belongs(t, &subject[k], of) ? over_runs(&subject[k], i) : (double)NAN;
			if (isfinite(x))
				put_series(t, &begun, of, rows[row].name, rows[row].help, &subject[k], rows[i].label, x);
		}
	}
}

static void
put_statuses(struct text *t, int of)
{
	bool begun = false;
	for (size_t k = 0; k < subjects; k++) {
		const struct subject *j = &subject[k];
		json_t *count = json_object();
		for (size_t i = 0; belongs(t, j, of) && i < j->runs; i++) {
			const char *status = j->run[i].status ? j->run[i].status : "";
			json_object_set_new(count, status, json_integer(json_integer_value(json_object_get(count, status)) + 1));
		}
		const char *status;
		json_t *n;
		json_object_foreach(count, status, n) {
			struct buf b = {0};
			add_label(&b, "status", status);
			put_series(t, &begun, of, "runs", "Repetitions that ended so.", j, b.p, (double)json_integer_value(n));
			buf_free(&b);
		}
		json_decref(count);
	}
}

void
prom_text(struct buf *b, const char *of_group)
{
	struct text all = {.group = of_group}, *t = &all;
	buf_add(&t->b, "", 0);
	for (int of = NOTEBOOK; of >= CELL; of--) {
		for (size_t i = 0; i < ROWS; i++)
			if (rows[i].help && rows[i].of & of)
				put_family(t, i, of);
		put_statuses(t, of);
	}
	bool begun = false;
	for (size_t k = 0; k < subjects; k++)
		if (belongs(t, &subject[k], NOTEBOOK))
			put_series(t, &begun, NOTEBOOK, "info", "What it ran in.", &subject[k], subject[k].versions, 1);
	*b = t->b;
}

const char *
prom_group(size_t i)
{
	return i < groups ? group[i] : NULL;
}

char *
prom_label(const char *of_group, const char *name)
{
	struct buf value = {0};
	const char *from = strstr(of_group, name) + strlen(name) + 2;
	for (buf_add(&value, "", 0); *from != '"'; from++) {
		bool escaped = *from == '\\';
		from += escaped;
		buf_add(&value, escaped && *from == 'n' ? "\n" : from, 1);
	}
	return value.p;
}
