/* score.h: comparisons of what was measured with its truth, and their table. */
#ifndef SCORE_H
#define SCORE_H

#include "nbscope.h"

/* TIME: milliseconds; FRAME: of a frame; CPU: seconds; COUNTED: bytes and other
 * counts; EXACT: counts that nothing may add to; SHOWN: frames that were shown;
 * RECORDED: until a failure stood in a record; ADDED, ADDED_VIEWER: until a cell's record was written, without and with a
 * viewer that was waited for; MOVING: until the next press; SCRIPT: the cost of
 * the injected script. */
enum metric_kind { TIME, SETTLED, CPU, COUNTED, EXACT, SHOWN, FRAME, RECORDED, RESIDUAL, ADDED, ADDED_VIEWER, MOVING, SCRIPT };

/* A value that is not known is NaN. */
struct score {
	enum metric_kind kind;
	char *metric, *cell;	/* cell NULL: all cells make one row */
	double truth, measured, limit;
};
/* What a field of a cell's record is. */
enum metric_kind score_kind(const char *field);
/* Keeps one; `limit` 0: the kind's own.  Borrowed until the next call. */
const struct score *score_add(enum metric_kind, const char *metric, const char *cell, double truth, double measured, double limit);
bool score_ok(const struct score *);
/* Judges all that were kept, a row for each metric, and of each cell where each
 * has its truth; prints them if `table`.  ST_OK, ST_DIFFERS: a row is further
 * off than it may be, ST_UNKNOWN: there is none. */
enum status score_rows(bool table);

#endif
