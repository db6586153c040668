/* catalogue.h: what nbscope knows of each metric, and of every other column of its tables.
 * share/metric/catalogue has the rows, from which catalogue_rows.h is made. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* An object of the `cell` record, or of its `usage`; the page's members of an `interaction` are its
 * own. */
enum metric_place {
	METRIC_IN_CELL, METRIC_IN_CHANGES, METRIC_IN_OUTPUTS, METRIC_IN_PAGE,
	METRIC_IN_KERNEL, METRIC_IN_BROWSER, METRIC_IN_SERVER, METRIC_IN_MACHINE, METRIC_PLACES,
};
/* SECONDS: from a member in milliseconds.  COLUMN: no metric. */
enum metric_type {
	METRIC_COLUMN, METRIC_SECONDS, METRIC_REAL, METRIC_COUNT, METRIC_TEXT, METRIC_BOOLEAN,
};
/* How a notebook's value is computed from its cells', or in which tables a column is. */
enum metric_over {
	METRIC_SUM, METRIC_MIN, METRIC_MAX,
	METRIC_MEAN,	/* weighted by client time */
	METRIC_BOTH,
	METRIC_CELLS,	/* notebooks have no such column */
	METRIC_NOTEBOOKS,
	METRIC_INTERACTIONS,
};
struct metric {
	const char *column;
	enum metric_place place;
	const char *member;	/* that it is copied from; NULL: it is computed */
	enum metric_type type;
	enum metric_over over;
	const char *alias;	/* on command lines; NULL: none */
	const char *title;	/* for people; NULL: the column */
	const char *unit;	/* NULL: the end of the column's name is it */
	const char *family, *label, *help;	/* in Prometheus; help: once for each family */
	const char *words;	/* all values of a text, separated by blanks; NULL: any */
	double floor;	/* smaller differences are noise; 0: the default of its unit */
	bool more_is_better;
	bool interactions;	/* they have the column, although it is not METRIC_INTERACTIONS */
};

/* M_client_execution_time_metric and so on: the index of each row. */
#define METRIC(column, ...) M_##column,
#define COLUMN(id, ...) M_##id,
enum metric_id {
#include "catalogue_rows.h"
	METRICS,
};
extern const struct metric metric_catalogue[METRICS];

/* Because of which processes kernel and browser waited for processors.  OWN: kernel, browser and
 * server themselves; UNKNOWN: the machine's CPU time is. */
enum wait_cause { WAIT_NONE, WAIT_OTHERS, WAIT_OWN, WAIT_UNKNOWN, WAIT_CAUSES };
/* The words of the column run_queue_wait_cause; NULL: there is none. */
extern const char *const catalogue_wait_causes[WAIT_CAUSES];

bool metric_in_cells(const struct metric *);
bool metric_in_notebooks(const struct metric *);
bool metric_in_interactions(const struct metric *);
