/* planned_run.h: a run as it is planned: its state, its files and the command that makes it. */
#pragma once

#include "layout/layout.h"
#include "run/run_ends.h"
#include "run/run_state.h"

/* What all runs of one combination have in common. */
struct planned_combination {
	struct layout at;
	char *name, *notebook;
	double memory_bytes;	/* that it needs; NaN: not known */
	char *skip;	/* why it is not run here; NULL: it is */
	double network_mb_s;	/* of the page's link; negative: unlimited */
};

struct planned_run {
	struct layout_run as;
	const char *label;
	char *path, *executed;
	bool required;
	const json_t *now;	/* what it would be made from; NULL: its notebook is not there */
	enum run_state state;
	enum run_state executed_state;	/* of its notebook; RUN_STATES: it need not be there */
	char *reason;	/* NULL: none */
	struct run_ends ends;
};

void xplanned_run_judge(struct planned_run *);	/* sets state, reason and ends */
bool planned_run_is_due(const struct planned_run *);
/* Its run_plan record, without the command. */
json_t *planned_run_record(const struct planned_combination *, const struct planned_run *);
void planned_run_free(struct planned_run *);
