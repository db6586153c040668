/* metrics_record.h: what a record of metrics says, read in one place for all programs. */
#pragma once

#include "metric/catalogue.h"
#include "metric/metrics_kind.h"
#include "run/cell_status.h"

struct metrics_record {
	enum metrics_kind kind;	/* METRICS_OTHER: another record; nothing else is set */
	struct scan *members;	/* borrowed */
	const struct lines *in;	/* borrowed, for messages; NULL: unknown */
	double repetition, attempt;	/* NaN: unknown */
	double index;	/* of the code cell, from 1; 0: the notebook; NaN: unknown; of an
			 * interaction: of the cell that it belongs to */
	bool film;	/* of a filmed run, which is no repetition */
	bool has_status;
	enum cell_status status;	/* CELL_STATUSES: none that is known */
};
struct metrics_record metrics_record_of(struct scan *, const struct lines *in);
/* The text as it is in the record; empty if there is none. */
struct span metrics_record_span(const struct metrics_record *, enum metric_id);
/* NaN: unknown.  A value of another type ends the process with ST_INPUT, here and below: it is
 * no measurement that is missing. */
double metrics_record_number(const struct metrics_record *, enum metric_id);
double metrics_record_named(const struct metrics_record *, const char *column);
/* The time of a cell or a notebook in tables, seconds: its client time, or if it ran without a
 * browser its kernel time; *kernel_only (or NULL) says which. */
double metrics_record_time(const struct metrics_record *, bool *kernel_only);
/* NULL: unknown; the caller's. */
char *metrics_record_text(const struct metrics_record *, enum metric_id);
