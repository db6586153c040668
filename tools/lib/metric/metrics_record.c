/* metrics_record.c: what a cell_metrics or notebook_metrics record says. */
#include "metric/metrics_record.h"

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

char *
metrics_record_text(const struct metrics_record *r, enum metric_id id)
{
	return span_string(metrics_record_span(r, id));
}

enum metrics_kind
metrics_record_kind(struct scan *s)
{
	if (scan_type_is(s, "cell_metrics"))
		return METRICS_CELL;
	return scan_type_is(s, "notebook_metrics") ? METRICS_NOTEBOOK : METRICS_OTHER;
}

struct metrics_record
metrics_record_of(struct scan *s)
{
	struct metrics_record r = {.members = s, .kind = metrics_record_kind(s)};
	if (r.kind == METRICS_OTHER)
		return r;
	/* In the order of the members: lookups are then quickest. */
	r.repetition = metrics_record_number(&r, M_repetition);
	r.attempt = metrics_record_number(&r, M_attempt);
	r.index = r.kind == METRICS_CELL ? metrics_record_number(&r, M_cell_index) : 0;
	struct span status = metrics_record_span(&r, M_execution_status);
	r.has_status = !span_null(status);
	r.status = cell_status_of_span(status);
	return r;
}
