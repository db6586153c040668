/* metricprom: metrics as Prometheus reads them.
 * Reads cell_metrics, interaction_metrics and notebook_metrics; writes the text exposition format to stdout, or
 * whole into a file for the node exporter.  Labels have few values: no parameters, no error
 * texts, no cell ids. */
#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "metric/metrics_record.h"
#include "metric/metric_column.h"
#include "stats/sample.h"

#include <signal.h>

static const char *out;
static bool notebooks_only;
static long most = 10000;
static const struct opt opts[] = {
	{'o', "output", OPT_STRING, &out, 0, 0, "FILE",
		"write FILE, whole or not at all; the node exporter reads names that end in .prom"},
	{0, "notebooks", OPT_FLAG, &notebooks_only, 0, 0, NULL, "write notebooks only, no cells"},
	{0, "most", OPT_INT, &most, 1, 1e7, "N", "refuse more series than N, default 10000"},
	{0},
};
static const struct opt_usage usage = {"metricprom", "[options] [FILE...]",
	"Writes metrics in Prometheus' text format.", opts};

/* One repetition of one cell or notebook. */
struct repetition {
	double number, value[METRICS];
	bool film;	/* it has values, but is no repetition */
	const char *status;	/* "timed_out"; "": none */
};
struct subject {
	enum metrics_kind kind;
	char *labels;	/* usecase="...",label="...", ... */
	char *versions;	/* of a notebook's last run */
	struct repetition *repetitions;
	size_t n;
};
static struct subject *subjects;
static size_t n_subjects, n_series;
static json_t *by_labels;

/* ---- input ------------------------------------------------------------------------- */

/* name="value" with the format's escapes. */
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
add_text_label(struct buf *b, const char *name, const struct metrics_record *r, enum metric_id id)
{
	char *text = metrics_record_text(r, id);
	add_label(b, name, text ? text : "");
	free(text);
}

static struct subject *
find_subject(const struct metrics_record *r)
{
	struct buf b = {0};
	add_text_label(&b, "usecase", r, M_usecase);
	add_text_label(&b, "label", r, M_label);
	add_text_label(&b, "notebook", r, M_name);
	if (r->kind != METRICS_NOTEBOOK && isfinite(r->index))
		buf_addf(&b, ",cell=\"%.0f\"", r->index);
	if (r->kind == METRICS_INTERACTION)
		add_text_label(&b, "interaction", r, M_interaction);
	size_t at = xjson_value_index(by_labels, xstrdup(b.p), n_subjects);
	if (at < n_subjects) {
		buf_free(&b);
		return &subjects[at];
	}
	struct subject *new = XAPPEND(subjects, n_subjects);
	*new = (struct subject){.kind = r->kind, .labels = b.p};
	return new;
}

/* A later attempt replaces an earlier one of the same repetition. */
static struct repetition *
find_repetition(struct subject *s, double number)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->repetitions[i].number == number)
			return &s->repetitions[i];
	s->repetitions = xgrow(s->repetitions, s->n, sizeof *s->repetitions);
	return &s->repetitions[s->n++];
}

/* Whether the table of this kind of record has the metric, and Prometheus has a family for it. */
static bool
is_exported(const struct metric *m, enum metrics_kind kind)
{
	return m->family && (kind == METRICS_CELL ? metric_in_cells(m) :
	    kind == METRICS_NOTEBOOK ? metric_in_notebooks(m) : metric_in_interactions(m));
}

static void
read_values(struct repetition *to, const struct metrics_record *r)
{
	for (int id = 0; id < METRICS; id++)
		to->value[id] = is_exported(&metric_catalogue[id], r->kind) ?
		    metrics_record_number(r, (enum metric_id)id) : (double)NAN;
	/* Their sum replaces them only where they are unknown. */
	if (isfinite(to->value[M_queue_s]))
		to->value[M_transport_s] = NAN;
}

static void
read_subject(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	struct metrics_record r = metrics_record_of(s, in);
	bool part = r.kind == METRICS_CELL || r.kind == METRICS_INTERACTION;
	if (r.kind != METRICS_NOTEBOOK && (notebooks_only || !part))
		return;
	char *name = metrics_record_text(&r, M_name);
	if (!name || (r.kind == METRICS_CELL && !isfinite(r.index)))
		die(ST_INPUT, "%s:%lu:1: metrics without a name or a cell_index", in->name,
		    in->number);
	free(name);
	struct subject *subject = find_subject(&r);
	double number = isfinite(r.repetition) ? r.repetition : 1;
	struct repetition *to = find_repetition(subject, number);
	to->number = number;
	to->film = r.film;
	to->status = r.has_status ? cell_status_word(r.status) : "";
	read_values(to, &r);
	if (part)
		return;
	struct buf b = {0};
	add_text_label(&b, "browser", &r, M_browser);
	add_text_label(&b, "jupyterlab", &r, M_jupyterlab);
	add_text_label(&b, "nbscope", &r, M_nbscope_version);
	free(subject->versions);
	subject->versions = b.p;
}

/* ---- output ------------------------------------------------------------------------ */

struct family {
	enum metrics_kind kind;
	const char *name, *help;
	bool begun;	/* its head, which comes before the first series */
};

static void
put_series(struct buf *b, struct family *f, const struct subject *s, const char *label,
    double value)
{
	static const char *const prefixes[] = {[METRICS_CELL] = "nbscope_cell_",
	    [METRICS_NOTEBOOK] = "nbscope_notebook_",
	    [METRICS_INTERACTION] = "nbscope_interaction_"};
	const char *prefix = prefixes[f->kind];
	if (!f->begun)
		buf_addf(b, "# HELP %s%s %s\n# TYPE %s%s gauge\n", prefix, f->name, f->help, prefix,
		    f->name);
	f->begun = true;
	bool whole = value == rint(value) && fabs(value) < 0x1p53;
	json_t *v = whole ? json_integer((json_int_t)value) : json_real(value);
	buf_addf(b, "%s%s{%s%s%s} ", prefix, f->name, s->labels, label ? "," : "",
	    label ? label : "");
	json_text_add(b, v);
	if (buf_add(b, "\n", 1) < 0)
		die(ST_SYSTEM, "out of memory");
	json_decref(v);
	if (++n_series > (size_t)most)
		die(ST_INPUT, "more than %ld series: %smore with --most", most,
		    notebooks_only ? "" : "fewer with --notebooks, ");
}

/* The value over the repetitions, in base units: the latest for times of day, the median
 * otherwise; NaN: unknown. */
static double
value_over_runs(const struct subject *s, enum metric_id id)
{
	double *v = xmalloc(s->n * sizeof *v), x = NAN;
	double unit = 1 / metric_unit_of(metric_catalogue[id].column).factor;
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++)
		v[n++] = s->repetitions[i].value[id];
	n = sample_sort(v, n);
	if (n)
		x = id == M_run_t ? v[n - 1] : sample_median(v, n);
	free(v);
	x /= unit;
	return unit < 1 ? rint(x) : x;	/* 4.203 MB are whole bytes */
}

/* All metrics of the family whose first one this is. */
static void
put_family(struct buf *b, size_t first, enum metrics_kind kind)
{
	struct family f = {.kind = kind, .name = metric_catalogue[first].family,
		.help = metric_catalogue[first].help};
	for (size_t id = first; id < METRICS; id++) {
		const struct metric *m = &metric_catalogue[id];
		if (!is_exported(m, kind) || strcmp(m->family, f.name) != 0)
			continue;
		for (size_t k = 0; k < n_subjects; k++) {
			const struct subject *s = &subjects[k];
			double x = s->kind == kind ? value_over_runs(s, (enum metric_id)id) :
			    (double)NAN;
			if (isfinite(x))
				put_series(b, &f, s, m->label, x);
		}
	}
}

static bool
is_first_of_family(size_t id, enum metrics_kind kind)
{
	const struct metric *m = &metric_catalogue[id], *other;
	if (!is_exported(m, kind))
		return false;
	for (other = metric_catalogue; other < m; other++)
		if (is_exported(other, kind) && strcmp(other->family, m->family) == 0)
			return false;
	return true;
}

static void
put_statuses(struct buf *b, enum metrics_kind kind)
{
	struct family f = {kind, "runs", "Repetitions that ended with this status."};
	for (size_t k = 0; k < n_subjects; k++) {
		const struct subject *s = &subjects[k];
		json_t *counts = json_object(), *n;
		for (size_t i = 0; s->kind == kind && i < s->n; i++) {
			if (s->repetitions[i].film)
				continue;
			const char *status = s->repetitions[i].status;
			json_int_t before = json_integer_value(json_object_get(counts, status));
			json_object_set_new(counts, status, json_integer(before + 1));
		}
		const char *status;
		json_object_foreach(counts, status, n) {
			struct buf label = {0};
			add_label(&label, "status", status);
			put_series(b, &f, s, label.p, (double)json_integer_value(n));
			buf_free(&label);
		}
		json_decref(counts);
	}
}

static void
put_all(struct buf *b)
{
	for (enum metrics_kind kind = METRICS_INTERACTION; kind >= METRICS_CELL; kind--) {
		for (size_t id = 0; id < METRICS; id++)
			if (is_first_of_family(id, kind))
				put_family(b, id, kind);
		put_statuses(b, kind);
	}
	struct family info = {METRICS_NOTEBOOK, "info", "Versions that the notebook ran with."};
	for (size_t k = 0; k < n_subjects; k++)
		if (subjects[k].kind == METRICS_NOTEBOOK)
			put_series(b, &info, &subjects[k], subjects[k].versions, 1);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	signal(SIGINT, SIG_IGN);
	by_labels = json_object();
	xscan_files(argv + first, read_subject);
	if (!n_subjects)
		die(ST_UNKNOWN, "cannot tell: the input has no metrics");
	struct buf text = {0};
	buf_add(&text, "", 0);
	put_all(&text);
	xatomic_file_put_buf(out, &text);
	xoutput_close();
	return ST_OK;
}
