/* junit.h: how cells ended, as CI servers count it: a suite for each repetition of a
 * notebook, a case for each cell. */
#pragma once

#include "json/scan.h"
#include "run/cell_status.h"

enum { JUNIT_OUTCOMES = CELL_LEFT_OUT + 1 };
struct junit_case {
	double index, seconds;	/* index 0: the notebook; seconds NaN: unknown */
	enum cell_outcome outcome;
	char *name;	/* of a test of a comparison; else NULL */
	char *interaction;	/* NULL: a cell, a notebook or a test */
	char *status, *error, *text, *source;	/* the last three may be NULL */
};
struct junit_suite {
	char *usecase, *name, *label, *host;	/* all but name may be NULL */
	double repetition, attempt, t;
	bool film;
	char *params;	/* their JSON text, which needs less memory than an object */
	struct junit_case *cases;
	size_t n;
};
extern struct junit_suite *junit_suites;
extern size_t junit_n;
/* One for each label that was compared, with a case for each test that decides. */
extern struct junit_suite *junit_compared;
extern size_t junit_n_compared;

struct junit_count {
	size_t all, of[JUNIT_OUTCOMES];
	double seconds;
};

/* Reads cell_metrics, interaction_metrics, notebook_metrics and comparison records; ignores
 * others. */
scan_handler junit_read;
void junit_count_cases(struct junit_count *, const struct junit_suite *);	/* adds to it */
/* "demo-n1", for its second repetition "demo-n1@2", for its film "demo-n1@film", as their files
 * are called. */
char *junit_suite_name(const struct junit_suite *);
json_t *junit_suite_params(const struct junit_suite *);	/* NULL: it has none; the caller's */
/* The name for people, who call a combination by its parameters: "n_images=3 side=500@2". */
char *junit_suite_shown(const struct junit_suite *);
/* "cell 3", "cell 3, pan", "notebook", "demo-n1 cell 3: client time" */
char *junit_case_name(const struct junit_case *);
