/* metrics_record.c: what a record of metrics says. */
#include "metric/metrics_record.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "run/run_word.h"

struct span
metrics_record_span(const struct metrics_record *r, enum metric_id id)
{
	return scan_get(r->members, metric_catalogue[id].column);
}

static _Noreturn void
die_of_type(const struct metrics_record *r, const char *column, struct span v, const char *type)
{
	enum { SHOWN = 40 };
	char *place = r->in ? xasprintf("%s:%lu:1: ", r->in->name, r->in->number) : xstrdup("");
	die(ST_INPUT, "%s'%s' must be a %s or null, not %.*s", place, column, type,
	    (int)(v.n < SHOWN ? v.n : SHOWN), v.p);
}

static double
xnumber_of(const struct metrics_record *r, const char *column, struct span v)
{
	double x = span_number(v);
	if (isnan(x) && !span_null(v) && !span_is(v, "true") && !span_is(v, "false"))
		die_of_type(r, column, v, "number");
	return x;
}

double
metrics_record_number(const struct metrics_record *r, enum metric_id id)
{
	return xnumber_of(r, metric_catalogue[id].column, metrics_record_span(r, id));
}

double
metrics_record_named(const struct metrics_record *r, const char *column)
{
	return xnumber_of(r, column, scan_get(r->members, column));
}

double
metrics_record_time(const struct metrics_record *r, bool *kernel_only)
{
	double client_s = metrics_record_number(r, M_client_execution_time_metric);
	double kernel_s = metrics_record_number(r, M_kernel_execution_time_metric);
	bool page = isfinite(client_s) || isfinite(metrics_record_number(r, M_render_s));
	if (kernel_only)
		*kernel_only = !page && isfinite(kernel_s);
	return page ? client_s : kernel_s;
}

char *
metrics_record_text(const struct metrics_record *r, enum metric_id id)
{
	struct span v = metrics_record_span(r, id);
	if (!span_null(v) && *v.p != '"')
		die_of_type(r, metric_catalogue[id].column, v, "string");
	return span_string(v);
}

struct metrics_record
metrics_record_of(struct scan *s, const struct lines *in)
{
	struct metrics_record r = {.members = s, .in = in, .kind = metrics_kind_of(s)};
	if (r.kind == METRICS_OTHER)
		return r;
	/* Read in the order of the members, since lookups are then quickest. */
	r.repetition = metrics_record_number(&r, M_repetition);
	r.film = r.repetition <= 0;
	r.attempt = metrics_record_number(&r, M_attempt);
	r.index = metrics_record_number(&r, M_cell_index);
	if (r.kind == METRICS_NOTEBOOK || (r.kind == METRICS_TABLE && isnan(r.index)))
		r.index = 0;
	struct span status = metrics_record_span(&r, M_execution_status);
	r.has_status = !span_null(status);
	if (r.has_status && *status.p != '"')
		die_of_type(&r, metric_catalogue[M_execution_status].column, status, "string");
	r.status = run_word_status(status);
	if (r.kind == METRICS_CELL)
		metric_note_items_unit(metrics_record_span(&r, M_items_unit));
	return r;
}
