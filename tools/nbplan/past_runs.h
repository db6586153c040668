/* past_runs.h: how long past runs took, and with which parameters. */
#ifndef PAST_RUNS_H
#define PAST_RUNS_H

#include <jansson.h>
#include <stddef.h>

enum { MAX_FACTORS = 32 };

struct past_notebook {
	double complete_s, early_s;	/* sums: runs to the last cell, runs that ended before it */
	size_t n_complete, n_early;
	double factors[MAX_FACTORS];	/* values of its parameters; NaN: not a number */
};
struct past_runs {
	struct past_notebook *list;
	size_t n, cap;
	char *factors[MAX_FACTORS];	/* names of the parameters that are numbers */
	size_t n_factors;
	double between_s;	/* usual pause from one run's end to the next one's start */
	/* private */
	json_t *by_name;
	struct run_span {
		double start, end;
	} *spans;
	size_t n_spans, cap_spans;
};
/* A folder that does not exist has no runs. */
void xpast_runs_read(struct past_runs *, const char *dir);
/* NULL if there is no run of this notebook. */
const struct past_notebook *past_runs_find(const struct past_runs *, const char *name);
/* The mean of the complete runs or, if there are none, of the others; NaN if there are none. */
double past_runs_mean_s(const struct past_notebook *);

#endif
