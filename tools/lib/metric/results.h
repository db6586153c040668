/* results.h: the values of chosen metrics, by cell, by label and by run. */
#pragma once

#include "base/list.h"
#include "json/scan.h"
#include "metric/metric_column.h"
#include "metric/metrics_record.h"

struct result_values {
	double *v;
	size_t *completed;	/* of each value: the run in cell_results */
	size_t n;
};
struct completed_run {
	double repetition;	/* NaN: unknown */
	bool waited;	/* kernel or browser waited for the processors of others */
};
struct cell_results {	/* of one cell in the runs of one label */
	struct result_values *metric;	/* for each metric; in the order of the runs */
	size_t runs, failed;	/* runs that include it; in which it was not completed */
	struct completed_run *completed;
	size_t completions;
	char *status;	/* of the last run in which it was not completed; NULL */
};
struct result_cell {
	char *usecase, *name, *id, *line;	/* id, line: NULL if unknown */
	char *interaction;	/* its name; NULL: a cell, or a notebook */
	long index;	/* 0: the whole notebook */
	size_t notebook;	/* the same for all cells of a notebook, from 0 on */
	json_t *params;	/* object or NULL */
	struct cell_results *label;	/* for each label so far */
	size_t labels;
};
struct result_label {
	char *name;
	json_t *env;	/* {what: {value: number of runs}}; on_run and on_other set it */
	json_t *named;	/* the packages that its requirements name; NULL: unknown */
	double t, t_last;	/* when its first and its last run started; NaN: unknown */
	size_t runs;	/* that have a notebook_metrics record */
};
struct result_run {	/* of a whole notebook */
	char *notebook;	/* use case and name */
	size_t label;
	double t;	/* when it started; NaN: unknown */
};
struct results {
	const char **metric;	/* its column; of the names that it was started with */
	size_t metrics;
	bool whole;	/* notebooks too, as cells of index 0 */
	bool by_file;	/* each file is a label; those in the records are ignored */
	struct result_cell *cell;	/* in the order of their first line */
	size_t cells, notebooks;
	json_t *varied;	/* {name: true} of the parameters whose values differ between cells */
	bool by_name;	/* cells are of several use cases, or some have no parameters */
	struct result_label *label;	/* in the order of their first line */
	size_t labels;
	struct result_run *run;
	size_t runs;
	/* Called for each cell_metrics, each run of a notebook, and each other record; or NULL. */
	void (*on_cell)(const struct metrics_record *);
	void (*on_run)(struct results *, const struct metrics_record *, size_t label);
	void (*on_other)(struct results *, struct scan *, const struct lines *);
	json_t *orders;	/* the interleaving records, an array */
	json_t *missing;	/* {label: [names of runs that were asked for and not made]} */
	json_t *left_out;	/* {label: {reason: number of runs that are not in the metrics}} */
	json_t *by_key, *by_notebook;	/* private */
};
/* names: columns, or the short names that metric_name() knows, which must live as long as the
 * results; if there are none, they become those of `otherwise`, with commas between.  Dies with
 * ST_USAGE if one is named twice. */
void xresults_start(struct results *, struct list *names, const char *otherwise);
/* Reads cell_metrics, interaction_metrics, table_metrics and notebook_metrics records. */
void results_read(struct results *, struct scan *, const struct lines *);

/* The name of the label that a record belongs to, which the caller frees; and its index: it is
 * added if it is new. */
char *results_label_name(const struct results *, struct scan *, const struct lines *);
size_t results_label_of(struct results *, struct scan *, const struct lines *);
/* Whether two `machine` objects are of one host with the same hardware, or of two whose microcode
 * and kernel are known and the same, too. */
bool results_hosts_alike(const json_t *, const json_t *);
/* Sizes of memory of the same hardware differ by at most 1 %. */
#define RESULTS_SAME_MEMORY 0.99
/* The index of a label; -1: there is none of that name. */
long results_label(const struct results *, const char *name);
/* NULL where the label has no run of the cell. */
const struct cell_results *results_of(const struct result_cell *, size_t label);
