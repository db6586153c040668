/* summary.h: a summary of the metrics of many notebooks. */
#pragma once

#include "metric/contention.h"
#include "metric/heading_times.h"
#include "metric/phase.h"

struct slow {
	size_t result;	/* of summary.v */
	long index;
	double client_s;	/* or the kernel's: see metrics_record_time() */
	struct phase_times spent;
	char *line;
	char *diagnosis;	/* NULL: there is none */
};
struct slowest {
	struct slow *v;	/* the slowest first */
	size_t n, most;
};
struct summary_interaction;
struct run_summary {
	char *name, *file, *label;
	enum cell_status ended;
	const char *status;	/* the same as tables show it */
	char *shown;	/* "n_images=3 side=500", or its name without what all have in common */
	char *full_name;	/* the same, with the whole name */
	const char *rest;	/* the name without what all have in common */
	char *why;	/* why it was not completed; NULL: it was */
	char *error_name, *error_value, *reason;
	json_t *params;
	long repetition, total, executed, failed_cell;
	long bad_cells;	/* that ran, and were not completed */
	bool interrupted;	/* the run's record has no end */
	bool filmed;	/* it has no times but visual ones */
	double speed_index_s;
	double client_s;	/* or the kernel's */
	bool kernel_only;
	double received_mb;
	struct phase_times spent;
	struct slowest slow;
	struct heading_times headings;	/* of the cells that have a time */
	struct summary_interaction *interactions;	/* see summary_interaction.h */
	size_t n_interactions;
};
struct summary {
	struct run_summary *v;
	size_t n, failed, skipped;
	size_t interrupted;	/* of those that failed */
	size_t films;
	long cells;	/* that ran */
	bool labels;	/* there are several */
	bool kernel_only;	/* no result has a client time, but some have a kernel time */
	bool apart;	/* queue and delivery are known for every notebook */
	struct slowest slow;
	char *legend;	/* the parameters whose values `shown` has; NULL: it is a name */
	char *usecase;	/* the first one's, or NULL */
	json_t *marks, *versions;	/* {word: number of notebooks} */
	struct contention contention;	/* of the cells */
	/* private */
	size_t most_each, last;
	struct buf last_key;
	json_t *by_key, *keys;
};
/* `most` of the slowest cells; each notebook has `most_each` at least. */
void summary_start(struct summary *, size_t most, size_t most_each);
/* Take in a record and return the index of its result. */
size_t summary_cell(struct summary *, struct scan *);
/* The index of the result that a record belongs to; it is added if it is new. */
size_t summary_result_of(struct summary *, const struct metrics_record *);
size_t summary_notebook(struct summary *, struct scan *);
void summary_finish(struct summary *);
/* Which time of cells and notebooks is shown.  Where only some results have a client time, the
 * others have none. */
enum metric_id summary_time(const struct summary *);
/* Takes the cells of a result into `slow`. */
void summary_add_slowest(struct summary *, size_t result);
/* The name of a result without its repetition and with at most key_bytes of each parameter's
 * name; the caller's.  And how many fit into `columns` for all results. */
char *summary_name(const struct summary *, const struct run_summary *, size_t key_bytes);
size_t summary_key_bytes(const struct summary *, size_t columns);
bool summary_failed(const struct run_summary *);
bool summary_skipped(const struct run_summary *);
/* "12/12", or "11 ok, 1 failed"; to be freed by the caller. */
char *summary_cells_text(const struct run_summary *);
json_t *summary_result_json(const struct run_summary *);
