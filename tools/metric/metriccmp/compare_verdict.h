/* compare_verdict.h: is it worse?  The result of all tests together. */
#ifndef COMPARE_VERDICT_H
#define COMPARE_VERDICT_H

#include "compare_test.h"

/* Sets the result, its reason and its line. */
void compare_find_verdict(struct comparison *, const struct compare_settings *);

#endif
