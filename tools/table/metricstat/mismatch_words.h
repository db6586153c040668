/* mismatch_words.h: the words for what explains a mismatch: its unit, its rounding. */
#ifndef MISMATCH_WORDS_H
#define MISMATCH_WORDS_H

#include "explain_mismatch.h"

/* theirs / ours if the summary is in the unit that its name says. */
double mismatch_words_ratio(const struct figure_pairs *);
/* The unit in which theirs = *k * ours, with its exact ratio into *k; NULL: none, or the expected
 * one.  The caller frees it. */
char *mismatch_words_unit(const struct figure_pairs *, double *k, double tolerance);
/* Sets verdict and reason: another figure (`what`, or NULL), the unit of p->ratio (or NULL),
 * rounded to `decimals` (below 0: exact). */
void mismatch_words_explained(struct figure_pairs *, const char *what, char *unit, int decimals);

#endif
