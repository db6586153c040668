/* results.h: the values of chosen metrics, by cell, by label and by run. */
#ifndef MEASURED_H
#define MEASURED_H

#include "json/scan.h"
#include "metric/catalogue.h"

struct values {
	double *v;
	size_t n, cap;
};
struct of_label {	/* of one cell in the runs of one label */
	struct values *metric;	/* for each metric; in the order of the runs */
	size_t runs, failed;	/* runs that include it; in which it was not completed */
	char *status;	/* of the last run in which it was not completed; NULL */
};
struct measured_cell {
	char *usecase, *name, *id, *line;	/* id, line: NULL if unknown */
	long index;	/* 0: the whole notebook */
	json_t *params;	/* object or NULL */
	struct of_label *label;	/* for each label so far */
	size_t labels;
};
struct measured_label {
	char *name;
	json_t *env;	/* {name: {value: number of runs}}: machine, browser ... */
	json_t *packages;	/* {name: version}; NULL: unknown */
	json_t *named;	/* those that its requirements name; NULL: unknown */
	double t, t_last;	/* when its first and its last run started; NaN: unknown */
	size_t runs;	/* that have a notebook_metrics record */
};
struct measured_run {	/* of a whole notebook */
	char *notebook;	/* use case and name */
	size_t label;
	double t;	/* when it started; NaN: unknown */
};
struct measured {
	char **metric;
	size_t metrics;
	bool whole;	/* notebooks too, as cells of index 0 */
	bool by_file;	/* each file is a label; those in the records are ignored */
	struct measured_cell *cell;	/* in the order of their first line */
	size_t cells, cap;
	struct measured_label *label;	/* likewise */
	size_t labels;
	struct measured_run *run;
	size_t runs, runs_cap;
	json_t *orders;	/* the interleaving records, an array */
	json_t *by_key;	/* private */
};
/* metrics: columns, or the short names that metric_name() knows, with commas between; dies
 * with ST_USAGE if one is named twice. */
void measured_start(struct measured *, const char *metrics);
/* Reads cell_metrics, table_metrics, notebook_metrics, environment and interleaving records;
 * ignores others. */
void measured_take(struct measured *, struct scan *, const struct lines *);

/* The index of a label; -1: there is none of that name. */
long measured_label(const struct measured *, const char *name);
/* NULL where the label has no run of the cell. */
const struct of_label *measured_of(const struct measured_cell *, size_t label);

#endif
