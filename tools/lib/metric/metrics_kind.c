/* metrics_kind.c: which records are metrics. */
#include "metric/metrics_kind.h"

enum metrics_kind
metrics_kind_of(struct scan *s)
{
	static const char *const types[] = {[METRICS_CELL] = "cell_metrics",
		[METRICS_NOTEBOOK] = "notebook_metrics",
		[METRICS_INTERACTION] = "interaction_metrics", [METRICS_TABLE] = "table_metrics"};
	for (size_t i = METRICS_CELL; i < COUNT(types); i++)
		if (scan_type_is(s, types[i]))
			return (enum metrics_kind)i;
	return METRICS_OTHER;
}
