/* verdict.h: what a profile came to, as a line and as JSON. */
#pragma once

#include "json/scan.h"
#include "metric/repeated.h"
#include "metric/summary.h"

struct verdict {
	json_t *missing;	/* names of required runs that are not current */
	/* verdict_finish() sets these. */
	const struct summary *sum;
	bool ok;	/* nothing failed, and no required run is missing */
	char *line;
};
void verdict_start(struct verdict *);
/* A required run that is not current could not be made. */
void verdict_read_run_state(struct verdict *, struct scan *run_plan_record);
/* The summary stays in use. */
void verdict_finish(struct verdict *, const struct summary *, const struct repeated *notebooks,
    size_t n_notebooks);
/* Writes it as JSON. */
void verdict_write(const char *path, const struct verdict *);
