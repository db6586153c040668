/* metrics_record.c: what a record of metrics says. */
#include "metric/metrics_record.h"

#include <math.h>

struct span
metrics_record_span(const struct metrics_record *r, enum metric_id id)
{
	return scan_get(r->members, metric_catalogue[id].column);
}

double
metrics_record_number(const struct metrics_record *r, enum metric_id id)
{
	return span_number(metrics_record_span(r, id));
}

double
metrics_record_time(const struct metrics_record *r, bool *kernel_only)
{
	double client_s = metrics_record_number(r, M_client_execution_time_metric);
	double kernel_s = metrics_record_number(r, M_kernel_execution_time_metric);
	if (kernel_only)
		*kernel_only = isnan(client_s) && isfinite(kernel_s);
	return isnan(client_s) ? kernel_s : client_s;
}

char *
metrics_record_text(const struct metrics_record *r, enum metric_id id)
{
	return span_string(metrics_record_span(r, id));
}

enum metrics_kind
metrics_record_kind(struct scan *s)
{
	static const char *const types[] = {[METRICS_CELL] = "cell_metrics",
		[METRICS_NOTEBOOK] = "notebook_metrics", [METRICS_TABLE] = "table_metrics"};
	for (size_t i = METRICS_CELL; i < COUNT(types); i++)
		if (scan_type_is(s, types[i]))
			return (enum metrics_kind)i;
	return METRICS_OTHER;
}

struct metrics_record
metrics_record_of(struct scan *s)
{
	struct metrics_record r = {.members = s, .kind = metrics_record_kind(s)};
	if (r.kind == METRICS_OTHER)
		return r;
	/* In the order of the members: lookups are then quickest. */
	r.repetition = metrics_record_number(&r, M_repetition);
	r.film = r.repetition <= 0;
	r.attempt = metrics_record_number(&r, M_attempt);
	r.index = metrics_record_number(&r, M_cell_index);
	if (r.kind == METRICS_NOTEBOOK || (r.kind == METRICS_TABLE && isnan(r.index)))
		r.index = 0;
	struct span status = metrics_record_span(&r, M_execution_status);
	r.has_status = !span_null(status);
	r.status = cell_status_of_span(status);
	return r;
}
