/* profile_fold.h: what profilers found in cells, folded over runs: hits, calls and times are
 * summed, bytes are the largest.  The only place that reads profile records. */
#pragma once

#include "profile_values.h"
#include "run/run_reader.h"

/* Counts are doubles: they are sums of what JSON can hold. */
struct profile_caller {
	size_t function;	/* of profile_cell.functions */
	double calls, primitive_calls, own_s, cumulative_s;
};
struct profile_function {
	char *file;	/* absolute, "<cell 2>", or "~": built in */
	char *function;
	long line;	/* 0: unknown */
	double calls, primitive_calls;	/* 0 in the page, where they are not counted */
	double own_s, cumulative_s;
	struct profile_caller *callers;
	size_t n_callers;
	struct profile_values values;	/* own time, calls */
	size_t runs, last_run;
};
struct profile_line {
	long line;
	double hits, time_s;
	double share;	/* of the cell, set by profile_own_set(); 0: not known */
	char *source;
	struct profile_values values;	/* time, hits */
};
/* A function, or a whole cell, whose lines were timed. */
struct profile_code {
	char *file, *function;
	long first_line;
	double time_s;	/* of all its lines */
	struct profile_line *lines;	/* in the order of the file */
	size_t n_lines;
	size_t runs, last_run;
};
/* An own line, as sampled: with what it calls, and which functions of others that is. */
struct profile_below {
	char *file, *function, *source;
	long first_line, line;
	bool threads;	/* of the threads that the cell started; else of the cell itself */
	bool uncounted;	/* counting cannot tell its time: its function calls itself, or it awaits */
	double share;	/* of the cell, or of its threads' time; set by profile_own_set() */
	double time_s, inner_s, leaf_s;	/* leaf_s: it is the innermost line of Python; inner_s: ...
					 * of own code */
	struct profile_callee { char *file, *function; double time_s; } *callees;
	size_t n_callees;
};
struct profile_allocation {
	char *file, *function;
	long line;
	bool at_end;	/* it stays allocated after the cell; else it is part of the peak */
	double bytes, allocations;
	size_t runs, last_run;
};
struct profile_stack {
	char *process, *thread;
	json_t *frames;	/* strings, the outermost first */
	double samples, time_s;
	size_t runs, last_run;
};
/* One profiler on one cell. */
struct profile_pass {
	char *profiler, *version;
	char *error, *reason, *note;	/* the last ones; NULL: none */
	double t;	/* when the first one started; NaN: unknown */
	double wall_s;	/* of worker processes, what they worked; NaN: never measured */
	double peak_bytes, end_bytes, left_out;
	double sampled_s, threads_s;	/* 0: none */
	double cpu_s;	/* NaN: unknown */
	double *kernel_s;	/* the cell's kernel time in each run that has it */
	size_t n_kernel;
	double without_s;	/* its median without a profiler; NaN: unknown */
	json_t *names;	/* {name: true} of the notebooks that were run; NULL: unknown */
	size_t runs;
};
struct profile_cell {
	char *usecase, *id;	/* NULL: unknown */
	char *source, *source_line;	/* the line names it; NULL: unknown */
	char *mistake;	/* the first of its plain mistakes; NULL: there is none */
	double mistake_s;	/* what mending it saves at least; 0: unknown */
	bool changed;	/* its source is another one in the metrics */
	long index;	/* 0: between cells */
	long gesture;	/* the number of one after the cell; 0: the cell itself */
	bool page;	/* what the page did in it; else the kernel or its worker processes */
	long processes;	/* the number of these, the most of a run; 0: none */
	struct profile_pass *passes;
	size_t n_passes;
	struct profile_function *functions;
	size_t n_functions;
	bool sampled;	/* the functions are, so their calls are not known */
	struct profile_code *codes;
	size_t n_codes;
	struct profile_below *below;
	size_t n_below;
	struct profile_allocation *allocations;
	size_t n_allocations;
	struct profile_stack *stacks;
	size_t n_stacks;
	/* The stacks by their innermost line of Python; the longest first.  A task of dask is one,
	 * whose process is "dask" and whose thread is the kind of work. */
	struct profile_stack *leaves;
	size_t n_leaves;
	json_t *contributors;	/* to its client time, records without a head; NULL: unknown */
	bool explained;	/* by the contributors of the kernel's */
	double client_s;	/* its median without profilers; NaN: unknown */
	json_t *by_key;	/* private, as the rest */
	json_t *ids;	/* of the functions of the run that is being read */
	struct profile_pending *pending;
	size_t n_pending;
};
struct profile_fold {
	/* After profile_fold_finish() by use case and index; first the kernel, last the page. */
	struct profile_cell *cells;
	size_t n;
	size_t runs;	/* that have a profile */
	struct profile_run { char *name; json_t *params; } *read;	/* NULL where unknown */
	size_t n_read;
	/* Called for each profile_file record; or NULL. */
	void (*on_file)(struct scan *, const struct lines *);
	json_t *by_key;	/* private, as the rest */
	struct run_reader reader;
	char *usecase, *name, *source;
	double profile_t;	/* of the profile that is read */
	size_t run, counted_run;	/* run: of `read`, plus 1 */
};

/* Takes in a record; ignores those that are not about profiles or runs.  Dies with ST_INPUT
 * where a profile record lacks what identifies it. */
void profile_fold_read(struct profile_fold *, struct scan *, const struct lines *);
void profile_fold_finish(struct profile_fold *);

struct profile_pass *profile_fold_pass(const struct profile_cell *, const char *profiler);
/* What the shares of a cell are of: the time of the pass, or without one `otherwise`. */
double profile_fold_wall_s(const struct profile_cell *, const char *profiler, double otherwise);
double profile_fold_kernel_s(const struct profile_pass *);	/* the median; NaN: unknown */
