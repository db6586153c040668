/* cell_status.h: how a cell, or a run, ended.
 * The only place that knows the words of the statuses and what they mean. */
#pragma once

#include <stdbool.h>

enum cell_status {
	CELL_COMPLETED,
	CELL_FAILED,
	CELL_TIMED_OUT,
	CELL_NOT_SETTLED,
	CELL_NO_VIEWER,
	CELL_KERNEL_DIED,
	CELL_BROWSER_DIED,
	CELL_SERVER_LOST,
	CELL_SKIPPED,
	CELL_NOT_RUN,
	CELL_STATUSES,	/* how many; also "no status that is known" */
};
enum cell_outcome {
	CELL_PASSED,
	CELL_AT_FAULT,	/* the cell itself: an exception, a limit that it reached */
	CELL_BROKEN,	/* what it ran in: kernel, browser, server */
	CELL_LEFT_OUT,	/* it did not run */
};

/* Converts a record's word, "timed_out", or a table's, "Timed Out"; CELL_STATUSES if it is
 * neither. */
enum cell_status cell_status_of(const char *word);
const char *cell_status_word(enum cell_status);	/* "timed_out"; "unknown" */
const char *cell_status_shown(enum cell_status);	/* "Timed Out"; "Unknown" */
enum cell_outcome cell_status_outcome(enum cell_status);	/* unknown: CELL_BROKEN */
bool cell_status_is_bad(enum cell_status);	/* it ran, and was not completed */
/* Whether a run goes on with the next cell after this one. */
bool cell_status_continues(enum cell_status);
