/* compare_test.h: labels against a base, cell by cell, and the verdict. */
#pragma once

#include "interleave.h"
#include "metric/contention.h"
#include "metric/results.h"
#include "stats/two_samples.h"

struct compare_row {	/* what a test is about */
	const struct result_cell *cell;
	size_t metric, label;
};
struct compare_failure {	/* a cell that did not complete in some run */
	const struct result_cell *cell;
	size_t label, base_failed, base_runs, failed, runs;
	enum test_result result;	/* WORSE: it always fails now and never did before */
};
struct compare_difference {	/* between a label's environment and the base's, or within one */
	char *what, *base, *label_value;	/* "package numpy", "2.4.5", "2.4.6" */
	size_t label;
	const char *mixed;	/* in what runs of one label differ, both values being the
				 * label's; NULL: two labels differ */
	const char *word;	/* with which --allow permits it */
	bool allowed;	/* by --allow, or named by the requirements */
};
struct compare_mean {	/* of the cells' ratios */
	size_t metric, label, cells;
	double ratio;	/* geometric mean */
};
struct compare_settings {
	struct test_settings test;
	struct list gate;	/* the metrics that decide: the first ones of the results */
	struct list allow;	/* what may differ */
	size_t if_busy;	/* after the gate's: metrics that can be worse where the machine was busy */
	const char *requirements;	/* their packages may differ; NULL: none */
	struct list floors;	/* NAME=VALUE */
	bool worse_only;	/* an unknown result is no failure */
};
struct comparison {
	const struct results *m;
	bool *has_cells;	/* of each notebook: it is not only known as a whole */
	struct contention contention;	/* of all cells of all labels */
	size_t base;
	struct compare_row *row;	/* one for each test */
	struct test *test;
	size_t n;
	struct test_totals totals;
	struct compare_failure *failure;
	size_t failures;
	struct compare_difference *difference;
	size_t differences, refused;	/* refused: not allowed */
	struct compare_mean *mean;
	size_t means;
	struct interleave *interleave;	/* one for each label but the base */
	size_t interleaves;
	size_t only_base, only_label;	/* cells that only one side has */
	struct compare_row one_sided_first; /* of the gate's tests with values on one side only */
	size_t one_sided;
	bool busy;	/* contention_matters(): with other processes */
	const char *missing_metric;	/* one that the gate names and no cell has; NULL */
	enum test_result result;
	const char *reason;	/* of UNKNOWN, as in the schema of comparison_verdict; else NULL */
	char *line;	/* the verdict for people */
};
/* The contention is set before. */
void compare_labels(struct comparison *, struct results *, size_t base,
    const struct compare_settings *);
