/* run_reader.h: what the records of a run mean, as nbscope-records(7) defines it under
 * "How a run is read".  It holds the state of one run, so filters can use it. */
#pragma once

#include "json/scan.h"
#include "run/cell_status.h"

enum run_record { RUN_OTHER, RUN_BEGIN, RUN_WATCH, RUN_CELL_START, RUN_CELL, RUN_END };

/* Times are unix seconds on the clock of the samples; NaN: unknown, or it did not happen. */
struct run_cell {
	long index;	/* from 1; 0: the record has none */
	enum cell_status status;
	bool profiled, queued;
	double t;	/* as recorded */
	double pressed_t, sent_t, busy_t, idle_t, arrived_t, received_t;
	double last_visual_change_t, done_t;
	double begin_t;	/* the press, or without one the request */
	double turn_t;	/* when it got the kernel, if it was queued; else begin_t */
	double end_t;
	double page_shift_s, kernel_shift_s;	/* added to times of the page, the kernel */
	double client_s, kernel_s, render_s;
	/* Set in a loaded run: the record, its source, and why it failed or did not run; else
	 * NULL. */
	json_t *record;
	char *source, *reason;
};
struct run_reader {
	unsigned number;	/* of the run in the stream, from 1; 0: none so far */
	bool open;	/* its run_end has not come */
	double t;
	long code_cells;	/* -1: unknown */
	bool filmed, listened;
	double memory_bytes;	/* the machine's */
	bool kernel_here;	/* on the machine of the samples */
	double offset_ms, bound_ms;	/* the kernel's clock minus the page's, last known */
	struct run_cell cell;	/* the last one; after a cell_start its index and t only */
	struct {
		enum cell_status status;
		double t, wall_s, open_s, loading_s;
		long cells_run;
	} end;
};

enum run_record run_record_kind(struct scan *);
/* Takes in the record, and returns its kind. */
enum run_record run_read(struct run_reader *, struct scan *);
/* What brings a time of the page to the samples' clock, as known so far. */
double run_page_shift_s(const struct run_reader *);
/* The client time, or if the cell ran without a browser its kernel time, seconds. */
double run_cell_time(const struct run_cell *);
/* Whether a sample of that time belongs to the cell. */
bool run_cell_has(const struct run_cell *, double t);
