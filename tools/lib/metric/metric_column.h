/* metric_column.h: the name, unit and meaning of a column, in the catalogue or not. */
#pragma once

#include "base/list.h"
#include "json/span.h"
#include "text/unit.h"

/* "client": "client_execution_time_metric"; other names are columns. */
const char *metric_name(const char *name);
/* The VALUE of the item NAME=VALUE whose name, short or not, is that of the column; NULL: there is
 * none.  Dies with ST_USAGE on another item, naming the `option`. */
const char *xmetric_setting(const struct list *items, const char *column, const char *option);
bool metric_is_column(const char *column);	/* one of nbscope's */
bool metric_is_known(const char *column);	/* one of those that have a short name */
const char *metric_title(const char *column);	/* "client time" */
/* The title in the catalogue, else the column's words without its unit or "_param": "data received"
 * of client_total_data_received_metric, "side" of side_param.  The caller's. */
char *metric_column_title(const char *column);
struct unit metric_unit_of(const char *column);
/* What items_per_s is counted in, of a record of metrics; if records differ, it has no unit. */
void metric_note_items_unit(struct span);
const char *metric_unit(const char *column);	/* "s", "bytes", "%"; until the next call */
/* Smaller differences of a cell are noise. */
double metric_floor(const char *column);
bool metric_more_is_better(const char *column);
/* Metrics that tell the same, so that one comparison corrects their tests together. */
enum metric_family {
	FAMILY_TIME, FAMILY_CPU, FAMILY_MEMORY, FAMILY_TRANSFER, FAMILY_OTHER, METRIC_FAMILIES,
};
enum metric_family metric_family(const char *column);
/* False: a sum of its values has no meaning: a percentage, a peak, a mean. */
bool metric_adds_up(const char *column);
