/* abtest.h: labels against a base, cell by cell, and what they differ in besides. */
#ifndef ABTEST_H
#define ABTEST_H

#include "stats/two_samples.h"
#include "metric/results.h"

struct ab_row {	/* beside its test */
	const struct measured_cell *cell;
	size_t metric, label;
};
struct ab_failure {	/* a cell that did not complete in some run */
	const struct measured_cell *cell;
	size_t label, base_failed, base_runs, failed, runs;
	enum answer answer;	/* WORSE: it always fails now, and never did */
};
struct ab_difference {
	char *what, *base, *label_value;	/* "package numpy", "2.4.5", "2.4.6" */
	size_t label;
	bool meant;	/* told of, or named by the requirements */
};
struct ab_mean {	/* of the cells' ratios */
	size_t metric, label, cells;
	double ratio;	/* geometric */
};
struct ab_turns {	/* of a label's runs and the base's */
	size_t label;
	const json_t *order;	/* what make ab noted: a, b, seed, order; NULL: nothing */
	double apart_s;	/* from the beginning of one's last run to that of the other's first; 0: they overlap; NaN: not known */
	bool before;	/* the label's came first */
	bool told;	/* there is something to tell people */
};
struct ab_settings {
	struct compare_how how;
	const char *gate;	/* columns or short names, with commas; NULL: all */
	const char *allow;	/* what may differ: machine browser jupyterlab kernel python nbscope packages all, or a package */
	const char *with;	/* requirements, whose packages may */
	const char *floors;	/* NAME=VALUE with commas, or NULL */
	bool worse_only;	/* what cannot be told is no failure */
};
struct ab {
	const struct measured *m;
	size_t base;
	struct ab_row *row;
	struct test *test;
	size_t n;
	struct compared sum;
	struct ab_failure *failure;
	size_t failures;
	struct ab_difference *difference;
	size_t differences, refused;	/* refused: not meant */
	struct ab_mean *mean;
	size_t means;
	struct ab_turns *turns;	/* one for each label but the base */
	size_t turns_n;
	size_t only_base, only_label;	/* cells of one side alone */
	struct ab_row one_sided_first;	/* of the gate's tests that have values on one side alone */
	size_t one_sided;
	const char *nowhere;	/* a metric that the gate names and nothing has; NULL */
	enum answer answer;
	const char *reason;	/* of UNKNOWN: "environment", "runs", "failures", "values", "nothing"; else NULL */
	char *line;	/* the verdict, for people */
};
void ab_compare(struct ab *, struct measured *, size_t base, const struct ab_settings *);

/* abdiffer.c: adds what the label's environment and the base's differ in. */
void ab_differ(struct ab *, size_t label, const struct ab_settings *);

/* abturns.c: adds whether its runs and the base's were made by turns. */
void ab_turns(struct ab *, size_t label);

/* "quickstart-side250 cell 3" */
char *ab_cell_name(const struct measured_cell *);
/* 0.0717 s: "71.7 ms"; 54374400 bytes: "54.4 MB" */
char *ab_value(double, const char *column);

#endif
