/* metricprom: metrics as Prometheus reads them.
 * Reads cell_metrics and notebook_metrics; writes the text exposition format to
 * stdout, whole into a file for the node exporter, or to a Pushgateway.  Labels
 * are what has few values: no parameters, no error texts, no cell ids. */
#include "keep.h"
#include "scan.h"

#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { PUSH_LIMIT_MS = 30000 };

static const char *out, *push;
static long most = 10000;
static bool notebooks_only;
static const struct opt opts[] = {
	{'o', "output", OPT_STRING, &out, 0, 0, "FILE", "whole into FILE, which ends in .prom where the node exporter reads it"},
	{0, "push", OPT_STRING, &push, 0, 0, "URL", "to the Pushgateway there, a group for each use case and label"},
	{'n', "notebooks", OPT_FLAG, &notebooks_only, 0, 0, NULL, "whole notebooks alone, no cells"},
	{0, "most", OPT_INT, &most, 1, 1e7, "N", "more series than that are refused, default 10000"},
	{0},
};
static const struct usage usage = {"metricprom", "[options] [FILE...]", "Writes metrics in Prometheus' text format.", opts};

/* ---- what is told ------------------------------------------------------------------ */

enum { CELL = 1, NOTEBOOK = 2, BOTH = 3 };
enum { QUEUE = 2, QUEUE_DELIVERY = 5 };	/* their rows */

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
	[QUEUE_DELIVERY] = {"queue_delivery_s", "phase_seconds", "phase=\"queue_delivery\"", 1, BOTH, NULL},
	{"render_s", "phase_seconds", "phase=\"render\"", 1, BOTH, NULL},
	{"blocking_s", "blocking_seconds", NULL, 1, BOTH, "Time in which the page could not have answered an input."},
	{"client_total_data_received_metric", "received_bytes", NULL, 1e-6, BOTH, "Bytes that the page received, WebSocket and HTTP."},
	{"kernel_cpu_s", "cpu_seconds", "process=\"kernel\"", 1, BOTH, "CPU time of the kernel's, browser's and server's processes."},
	{"client_cpu_s", "cpu_seconds", "process=\"browser\"", 1, BOTH, NULL},
	{"server_cpu_s", "cpu_seconds", "process=\"server\"", 1, BOTH, NULL},
	{"kernel_mean_cpu_metric", "cpu_usage_ratio", "process=\"kernel\"", 100, BOTH, "Mean use of the CPU; 1 is one core."},
	{"client_mean_cpu_metric", "cpu_usage_ratio", "process=\"browser\"", 100, BOTH, NULL},
	{"kernel_peak_rss_bytes", "memory_peak_bytes", "process=\"kernel\"", 1, BOTH, "Peak of the resident memory."},
	{"client_peak_rss_bytes", "memory_peak_bytes", "process=\"browser\"", 1, BOTH, NULL},
	{"kernel_read_bytes", "storage_read_bytes", NULL, 1, BOTH, "Bytes that the kernel's processes read from storage."},
	{"kernel_write_bytes", "storage_written_bytes", NULL, 1, BOTH, "Bytes that the kernel's processes wrote for storage."},
	{"kernel_energy_j", "energy_joules", "process=\"kernel\"", 1, BOTH, "Energy of the processors and memory, by share of CPU time."},
	{"client_energy_j", "energy_joules", "process=\"browser\"", 1, BOTH, NULL},
	{"machine_energy_j", "machine_energy_joules", NULL, 1, BOTH, "Energy of the machine's processors and memory, whoever used it."},
	{"gpu_mean_use_pct", "gpu_usage_ratio", NULL, 100, BOTH, "Mean use of the GPUs."},
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
	char *group;	/* usecase="...",label="..." */
	char *labels;	/* the group, and what else names it */
	char *versions;	/* of a notebook's last run */
	struct ran *run;
	size_t runs;
};
static struct subject *subject;
static size_t subjects;
static json_t *by_labels;

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

static struct subject *
subject_of(struct scan *s, int of)
{
	struct buf b = {0};
	add_member(&b, "usecase", s, "usecase");
	add_member(&b, "label", s, "label");
	char *group = xstrdup(b.p);
	add_member(&b, "notebook", s, "name");
	if (of == CELL) {
		char *index = xasprintf("%.0f", span_number(scan_get(s, "cell_index")));
		add_label(&b, "cell", index);
		free(index);
	}
	json_t *at = json_object_get(by_labels, b.p);
	if (at) {
		free(group);
		buf_free(&b);
		return &subject[json_integer_value(at)];
	}
	if (json_object_set_new(by_labels, b.p, json_integer((json_int_t)subjects)) < 0)
		die(ST_SYSTEM, "out of memory");
	subject = xrealloc(subject, (subjects + 1) * sizeof *subject);
	subject[subjects] = (struct subject){.of = of, .group = group, .labels = b.p};
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

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	int of = scan_type_is(s, "notebook_metrics") ? NOTEBOOK : scan_type_is(s, "cell_metrics") && !notebooks_only ? CELL : 0;
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
		r->value[QUEUE_DELIVERY] = NAN;
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
	dump_json(&t->b, v);
	if (buf_add(&t->b, "\n", 1) < 0)
		die(ST_SYSTEM, "out of memory");
	json_decref(v);
	if (++t->series > (size_t)most)
		die(ST_INPUT, "more than %ld series: %smore with --most", most, notebooks_only ? "" : "fewer with --notebooks, ");
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

static void
put_all(struct text *t)
{
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
}

/* ---- the Pushgateway ------------------------------------------------------------------- */

/* "/NAME@base64/VALUE" of one label of a group: any value can stand in a path so. */
static void
add_grouping(struct buf *url, const char *name, const char *group)
{
	struct buf value = {0};
	const char *from = strstr(group, name) + strlen(name) + 2;
	for (buf_add(&value, "", 0); *from != '"'; from++) {
		from += *from == '\\';
		buf_add(&value, from[-1] == '\\' && *from == 'n' ? "\n" : from, 1);
	}
	char *text = base64_encode(value.p, value.n);
	for (char *p = text; *p; p++)
		*p = *p == '+' ? '-' : *p == '/' ? '_' : *p;
	/* An empty path segment would be lost. */
	buf_addf(url, "/%s@base64/%s", name, *text ? text : "=");
	free(text);
	buf_free(&value);
}

static void
push_group(struct http *h, const char *group)
{
	struct text t = {.group = group};
	struct buf url = {0};
	put_all(&t);
	size_t n = strlen(push);
	while (n && push[n - 1] == '/')
		n--;
	buf_addf(&url, "%.*s", (int)n, push);
	if (group) {
		buf_addf(&url, "/metrics/job/nbscope");
		add_grouping(&url, "usecase", group);
		add_grouping(&url, "label", group);
	}
	struct reply r;
	/* PUT: what the group had of cells that are gone, goes too. */
	http_call(h, &(struct request){.method = "PUT", .url = url.p, .body = t.b.p, .n = t.b.n,
		.content_type = "text/plain; version=0.0.4; charset=utf-8", .timeout_ms = PUSH_LIMIT_MS}, &r);
	if (!r.status)
		die(ST_SYSTEM, "cannot push to '%s': %s", push, r.error);
	if (r.status < 200 || r.status > 299)
		die(ST_SYSTEM, "cannot push to '%s': HTTP %ld: %.*s", push, r.status, (int)strcspn(r.body, "\n"), r.body);
	reply_free(&r);
	buf_free(&url);
	buf_free(&t.b);
}

static void
push_all(void)
{
	const char *user = getenv("PUSHGATEWAY_USERNAME"), *password = getenv("PUSHGATEWAY_PASSWORD");
	struct http *h = http_open();
	if (user && password) {
		char *both = xasprintf("%s:%s", user, password), *coded = base64_encode(both, strlen(both)), *value = xasprintf("Basic %s", coded);
		http_header(h, "Authorization", value);
		free(both);
		free(coded);
		free(value);
	}
	if (strstr(push, "/metrics/job")) {
		push_group(h, NULL);
	} else {
		json_t *seen = json_object();
		for (size_t i = 0; i < subjects; i++) {
			if (json_object_get(seen, subject[i].group))
				continue;
			json_object_set_new(seen, subject[i].group, json_true());
			push_group(h, subject[i].group);
		}
		json_decref(seen);
	}
	http_close(h);
}

static void
put_text(FILE *f, void *text)
{
	const struct buf *b = text;
	fwrite(b->p, 1, b->n, f);
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	if (push && strncmp(push, "http://", 7) != 0 && strncmp(push, "https://", 8) != 0)
		die_usage(&usage, "--push must begin with http:// or https://, not '%s'", push);
	if (push && memchr(strstr(push, "//") + 2, '@', strcspn(strstr(push, "//") + 2, "/")))
		die_usage(&usage, "--push must hold no password: PUSHGATEWAY_USERNAME and PUSHGATEWAY_PASSWORD do");
	signal(SIGINT, SIG_IGN);
	by_labels = json_object();
	xscan_files(argv + first, take);
	struct text t = {0};
	put_all(&t);
	if (push)
		push_all();
	if (out)
		xkeep(out, put_text, &t.b);
	if (!push && !out)
		xput_text(t.b.p, t.b.n);
	xclose_stdout();
	return ST_OK;
}
