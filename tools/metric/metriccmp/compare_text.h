/* compare_text.h: what a comparison says of one test, in the same words and units everywhere. */
#pragma once

#include "compare_test.h"

/* All return text that the caller frees. */
char *compare_name(const struct comparison *, size_t at);	/* "client time of nb cell 3" */
/* The estimate with its 95 % interval: "+9.7 % (+7.1 to +12.0)" of the base's median, or, where
 * that is 0, in the metric's unit. */
char *compare_change(const struct comparison *, size_t at);
/* "cannot tell; detectable: 35 %; 40 runs needed" */
char *compare_result(const struct comparison *, size_t at);
/* "2 % to 12 %": the spread of the base and of the label. */
char *compare_spread(const struct test *);
