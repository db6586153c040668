/* label_env.h: the environment, the settings and the order in which labels were measured. */
#pragma once

#include "metric/results.h"

/* A label's env has what may differ, as a difference names it, and "environment_id" for the
 * packages as a whole.  This name has the words of --allow, with the numbers of runs in which what
 * they allow is known, so that what is not there then has no value; "host" has the number of runs
 * that do not say all that makes hosts alike. */
#define ENV_RUNS ""

/* These are on_run and on_other of results, for notebook_metrics, environment, run_plan and
 * interleaving records. */
void label_env_run(struct results *, const struct metrics_record *, size_t label);
void label_env_other(struct results *, struct scan *, const struct lines *);
