/* past_runs.h: how long past runs took, and with which parameters. */
#pragma once

#include "json/scan.h"

enum { MAX_FACTORS = 32 };

struct past_notebook {
	double complete_s, early_s;	/* sums: runs to the last cell, runs that ended before it */
	size_t n_complete, n_early;
	bool stale;	/* these are stale: no other is known */
	double factors[MAX_FACTORS];	/* values of its parameters; NaN: not a number */
};
struct past_runs {
	struct past_notebook *list;
	size_t n;
	char *factors[MAX_FACTORS];	/* names of the parameters that are numbers */
	size_t n_factors;
	double between_s;	/* usual pause from one run's end to the next one's start */
	double loading_s;	/* of JupyterLab into a browser of its own, mean; NaN: not known */
	/* private */
	size_t n_loading;
	json_t *by_name;
	struct run_span {
		double start, end;
	} *spans;
	size_t n_spans;
};
/* Reads the two ends of the run that a `run_plan` record is about, if it is whole. */
void xpast_runs_add(struct past_runs *, struct scan *run_plan);
void past_runs_finish(struct past_runs *);
/* NULL if there is no run of this notebook. */
const struct past_notebook *past_runs_find(const struct past_runs *, const char *name);
/* The mean of the complete runs or, if there are none, of the others; NaN if there are none. */
double past_runs_mean_s(const struct past_notebook *);
