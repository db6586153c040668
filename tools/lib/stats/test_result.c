/* test_result.c: what a comparison found. */
#include "stats/test_result.h"

#include <stddef.h>
#include <string.h>

static const char *const words[] = {[NO_WORSE] = "no_worse", [BETTER] = "better",
	[WORSE] = "worse", [UNKNOWN] = "unknown", [TEST_RESULTS] = NULL};

const char *
test_result_word(enum test_result result)
{
	return words[result];
}

enum test_result
test_result_of(const char *word)
{
	size_t i = 0;
	while (i < TEST_RESULTS && strcmp(words[i], word) != 0)
		i++;
	return (enum test_result)i;
}
