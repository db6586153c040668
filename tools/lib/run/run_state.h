/* run_state.h: whether a run is current, or has to be made: what `run_plan` records say.
 * The only place that knows the words of the states and what they mean. */
#pragma once

#include "json/scan.h"

enum run_state {
	STATE_CURRENT,
	STATE_STALE,
	STATE_MISSING,
	STATE_DAMAGED,
	STATE_RERUN,	/* current, and requested again */
	RUN_STATES,	/* how many; also "no state that is known" */
};
const char *run_state_word(enum run_state);	/* "current"; NULL for RUN_STATES */
/* Whether it is the run_plan record of a run whose times count. */
bool run_state_is_record(struct scan *);
enum run_state run_state_of(struct scan *run_plan_record);
bool run_state_counts(enum run_state);	/* tables are made from it */
/* It is on disk, from its first record to its last. */
bool run_state_is_whole(enum run_state);
/* It is on disk, and no table is made from it. */
bool run_state_is_left_out(enum run_state);

/* The name of a run that is required and was not made, the caller's; NULL: it is not that. */
char *run_state_missing(struct scan *run_plan_record);

/* Adds a run that is left out to {reason: number of runs}; ignores other records. */
void run_state_add_left_out(json_t *counts, struct scan *run_plan_record);
/* "2 stale runs are left out: template or parameters (2)", which the caller frees; NULL: none. */
char *run_state_left_out_line(const json_t *counts);
