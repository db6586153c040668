/* calibration.h: comparisons of measured values with the truth, and their table. */
#pragma once

#include "base/nbscope.h"

enum calibration_kind {
	CAL_TIME,	/* milliseconds */
	CAL_SETTLED,	/* the last visual change */
	CAL_CPU,	/* seconds */
	CAL_COUNTED,	/* bytes and other counts */
	CAL_EXACT,	/* counts that nothing may add to */
	CAL_SHARE,	/* percent that a line takes of a cell's time */
	CAL_SHOWN,	/* frames that were shown */
	CAL_FRAME,	/* milliseconds of a frame */
	CAL_GESTURE,	/* milliseconds of an interaction */
	CAL_RECORDED,	/* until a failure was in a record */
	CAL_UNATTRIBUTED,
	CAL_ADDED,	/* from a cell's end until its record was written */
	CAL_ADDED_PART,	/* what is in it */
	CAL_ADDED_OUTPUT,	/* the same as CAL_ADDED, where an output was waited for */
	CAL_MOVING,	/* from then until the next press */
	CAL_SCRIPT,	/* the injected script's own time */
};
struct calibration {
	enum calibration_kind kind;
	char *metric, *cell;	/* cell NULL: all cells make one row */
	double truth, measured, limit;	/* NaN: unknown; limit 0: the kind's own */
	double resolution;	/* within which the truth is known, in the same unit; NaN: exact */
	char *marks;	/* doubts of the cell about this value; NULL: none */
};
/* What a field of a cell's record is. */
enum calibration_kind calibration_kind(const char *field);
/* Stores a copy of one.  Borrowed until the next call. */
const struct calibration *calibration_add(const struct calibration *);
bool calibration_ok(const struct calibration *);
/* Judges all of them, a row for each metric, and for each cell where each has its truth; prints
 * them if `table`, with the bias that each row had before if `before`.  ST_OK; ST_DIFFERS: a row is
 * off by more than its limit; ST_UNKNOWN: there is none. */
enum exit_status calibration_rows(bool table, bool before);
/* Reads the truth records of an earlier calibration; there are none if the file does not exist. */
void xcalibration_read_before(const char *path);
