/* suite.h: how cells ended, notebook by notebook, as CI servers count it. */
#ifndef SUITE_H
#define SUITE_H

#include "json/scan.h"

enum outcome { PASSED, FAILED, BROKEN, SKIPPED, OUTCOMES };

struct kase {
	double index, seconds;	/* index 0: the notebook; seconds NaN: not known */
	enum outcome outcome;
	char *status, *error, *text, *source;	/* the last three may be NULL */
};
/* One repetition of a notebook. */
struct suite {
	char *usecase, *name, *label, *host;	/* all but name may be NULL */
	double repetition, attempt, t;
	json_t *params;
	struct kase *kase;
	size_t n;
};
extern struct suite *suite;
extern size_t suites;

struct count {
	size_t all, of[OUTCOMES];
	double seconds;
};

/* Takes cell_metrics and notebook_metrics; leaves others. */
scan_taker suite_take;
void suite_count(struct count *, const struct suite *);	/* adds to it */
/* "demo-n1", its second repetition "demo-n1@2", as their files are called. */
char *suite_name(const struct suite *);
char *case_name(const struct kase *);	/* "cell 3", "notebook" */

void suite_xml(struct buf *);	/* suitexml.c */
/* suitemarkdown.c: at most `most` of those that did not complete. */
void suite_markdown(struct buf *, const char *title, size_t most);

#endif
