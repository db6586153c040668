/* test_result.h: what a comparison found: of one test, and of all together.
 * The only place that knows the words of the results. */
#pragma once

enum test_result {
	NO_WORSE,
	BETTER,
	WORSE,
	UNKNOWN,
	TEST_RESULTS,	/* how many; also "no result that is known" */
};
const char *test_result_word(enum test_result);	/* "no_worse"; NULL for TEST_RESULTS */
enum test_result test_result_of(const char *word);
