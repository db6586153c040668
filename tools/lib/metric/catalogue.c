/* catalogue.c: what nbscope knows of each metric. */
#include "metric/catalogue.h"

#define METRIC(column, place, member, type, ...) \
	{#column, METRIC_IN_##place, member, METRIC_##type, METRIC_##__VA_ARGS__},
#define COLUMN(id, column, ...) {column, METRIC_IN_CELL, NULL, METRIC_COLUMN, METRIC_##__VA_ARGS__},
const struct metric metric_catalogue[METRICS] = {
#include "catalogue_rows.h"
};

const char *const catalogue_wait_causes[WAIT_CAUSES] = {NULL, "others", "own", "unknown"};

bool
metric_in_cells(const struct metric *m)
{
	return m->over != METRIC_NOTEBOOKS && m->over != METRIC_INTERACTIONS;
}

bool
metric_in_notebooks(const struct metric *m)
{
	return m->over != METRIC_CELLS && m->over != METRIC_INTERACTIONS;
}

bool
metric_in_interactions(const struct metric *m)
{
	return m->over == METRIC_INTERACTIONS || m->interactions ||
	    m->place == METRIC_IN_CHANGES || m->place >= METRIC_IN_KERNEL;
}
