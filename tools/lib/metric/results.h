/* measured.h: what was measured of each cell, label by label, run by run. */
#ifndef MEASURED_H
#define MEASURED_H

#include "json/scan.h"
#include "metric/catalogue.h"

struct values {
	double *v;
	size_t n, cap;
};
struct of_label {	/* of one cell in the runs of one label */
	struct values *metric;	/* one for each metric; in the order of runs */
	size_t runs, failed;	/* runs in which it was to run; in which it did not complete */
	char *status;	/* of the last that did not complete; NULL */
};
struct measured_cell {
	char *usecase, *name, *id, *line;	/* id, line: NULL if not known */
	long index;	/* 0: the whole notebook */
	json_t *params;	/* object or NULL */
	struct of_label *label;	/* one for each label so far */
	size_t labels;
};
struct measured_label {
	char *name;
	json_t *env;	/* {what: {value: count of runs}}: machine, browser ... */
	json_t *packages;	/* {name: version}, or NULL: not known */
	json_t *named;	/* the packages that its requirements name, or NULL */
	double t, t_last;	/* when its first and its last run began; NaN: not known */
	size_t runs;	/* of whole notebooks, as far as they are told */
};
struct measured_run {	/* of a whole notebook */
	char *notebook;	/* use case and name */
	size_t label;
	double t;	/* when it began; NaN: not known */
};
struct measured {
	char **metric;
	size_t metrics;
	bool whole;	/* notebooks too, as cells of index 0 */
	bool by_file;	/* each file is a label of its own, whatever its records say */
	struct measured_cell *cell;	/* in the order of their first line */
	size_t cells, cap;
	struct measured_label *label;	/* likewise */
	size_t labels;
	struct measured_run *run;
	size_t runs, runs_cap;
	json_t *orders;	/* the interleaving records, an array */
	json_t *by_key;	/* private */
};
/* metrics: columns' names with commas between, or the short names that
 * metric_name knows; dies with ST_USAGE where one is named twice. */
void measured_start(struct measured *, const char *metrics);
/* Reads cell_metrics, table_metrics, notebook_metrics, environment and interleaving records;
 * ignores others. */
void measured_take(struct measured *, struct scan *, const struct lines *);

/* One cell in one label, for who fills it: found, or made. */
struct measured_key {
	const char *usecase, *name, *id;	/* id, usecase: may be NULL */
	double index;	/* 0: the whole notebook */
};
struct measured_cell *measured_cell(struct measured *, const struct measured_key *, bool *made);
struct of_label *measured_room(const struct measured *, struct measured_cell *, size_t label);
size_t measured_new_label(struct measured *, const char *name);	/* or the one there is */
void measured_add(struct values *, double);	/* unless it is not finite */
/* Whether a run counts: Skipped and Not Run are none; notes one that failed. */
bool measured_status(struct of_label *, const char *status);

/* Its number; -1: there is none of the name. */
long measured_label(const struct measured *, const char *name);
/* NULL where the label has nothing of the cell. */
const struct of_label *measured_of(const struct measured_cell *, size_t label);

#endif
