/* compare_verdict.h: is it worse?  The result of all tests together. */
#pragma once

#include "compare_test.h"

/* Sets the result, its reason and its line. */
void compare_find_verdict(struct comparison *, const struct compare_settings *);
