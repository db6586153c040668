/* report.h: a label's metrics as they were read: cells and notebooks over their repetitions, and
 * the records of other filters.  model.h makes from it what the report says. */
#pragma once

#include "metric/repeated.h"
#include "template.h"

#include <jansson.h>

/* One run of one cell. */
struct report_cell {
	size_t result;	/* of sum.v: which run of which notebook */
	long index;
	bool kernel_only;	/* client_s is the kernel's time */
	double t, client_s;
	struct phase_times spent;
	enum cell_status status;
	char *id, *heading;	/* NULL: there is none, or none above it */
	bool diagnosed, has_items;
	char *record;	/* what templates read: see report_cell_object() */
};
/* One cell of one notebook, over its repetitions. */
struct cell_row {
	struct template_mark mark;	/* of its row in tables; the first member: model_cells.c */
	size_t notebook;
	size_t shown;	/* of cells: the run nearest to the median time, or one that failed */
	size_t n;	/* runs that have a time */
	double least_s, median_s, most_s;	/* NaN: none has */
};
#define NO_FILM SIZE_MAX
/* One notebook, over its repetitions. */
struct report_notebook {
	struct template_mark mark;	/* as that of a cell; the first member, too */
	const char *name;	/* borrowed from a result */
	char *title;	/* the shortest distinct name, without a repetition */
	struct repeated all;	/* its runs */
	size_t first, rows;	/* of row */
	size_t cell_first, cell_n;	/* of cells: those of all its runs */
	size_t film;	/* of sum.v; NO_FILM: there is none */
	json_t *o;	/* its name and times, which the model makes */
};
struct report {
	struct summary sum;
	struct report_cell *cells;
	struct cell_row *row;	/* by notebook and index */
	size_t *slowest;	/* of row: all of them, those without a time last */
	struct report_notebook *notebook;
	size_t n_cells, n_rows, n_notebooks;
	json_t *first;	/* the first notebook_metrics record; NULL: there is none */
	json_t *mixed;	/* {member: whether the runs differ in it} */
	double wall_s, from_t, to_t;	/* of all runs; NaN: unknown */
	struct phase_times all;	/* of the cells that have a time and are shown */
	double all_s;	/* their time */
	double most_s;	/* the longest time of a notebook */
	double clock_bound_s, script_s;	/* the largest of all cells; NaN: unknown */
	json_t *others;	/* {type: [record, ...]}: see report_records() */
	json_t *spark;	/* what Spark did in cells, which model.jq makes */
	json_t *mistakes;	/* of cells, likewise */
	json_t *notes;	/* {text: many values are left out}: several calls note the same */
	json_t *excluded;	/* {reason: number of stale and damaged runs} */
	json_t *missing;	/* names of runs that are required and have no result */
	size_t most_runs;	/* of one notebook, without films */
	bool load_known;	/* how busy the machine was is known of some cell */
	bool by_heading;	/* headings divide the cells */
	/* Queue and delivery are known of every cell that has a time. */
	bool phases_separable;
	bool tables;	/* it is about a table of any resource usage */
	/* Files shown in it or next to it. */
	const char *title;	/* NULL: the use case and the label */
	/* Folders, or NULL. */
	const char *screenshots, *thumbnails, *samples, *pages, *profile_files;
	json_t *figures, *links;	/* paths */
	/* private */
};

void report_start(struct report *);
void report_read_record(struct report *, struct scan *, struct span line);
/* A string member; NULL: there is none. */
const char *report_text(const json_t *, const char *key);
/* The records of other filters of a type, unchanged: an array. */
json_t *report_records(const struct report *, const char *type);
/* Builds rows and notebooks from the cells and results that were read. */
void report_finish(struct report *);
/* What templates read of a cell in its record, a new object; NULL for NULL.  Objects of all cells
 * would need ten times the memory of the records. */
json_t *report_cell_object(const struct report_cell *);
/* The run of this cell that a row shows, or its film's; NULL: it has none. */
const struct report_cell *report_cell_of(const struct report *, const struct report_notebook *,
    size_t result, long index);
/* A name of this run without the number of its repetition; the caller's. */
char *report_without_run(const char *name, const struct run_summary *);
