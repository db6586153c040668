/* label_env.h: the environment, the settings and the order in which labels were measured. */
#ifndef LABEL_ENV_H
#define LABEL_ENV_H

#include "metric/results.h"

/* For on_run and on_other of results: notebook_metrics, environment, run_plan and interleaving
 * records. */
void label_env_run(struct results *, const struct metrics_record *, size_t label);
void label_env_other(struct results *, struct scan *, const struct lines *);

#endif
