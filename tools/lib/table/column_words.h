/* column_words.h: the words of a column's name, and what they say that it measures. */
#pragma once

#include "text/unit.h"

enum { COLUMN_MAX_WORDS = 32, COLUMN_WORD_BYTES = 64 };
struct column_words {
	char w[COLUMN_MAX_WORDS][COLUMN_WORD_BYTES];	/* in lower case */
	size_t n;
	bool used[COLUMN_MAX_WORDS];	/* for the caller */
};
struct column_words column_words_of(const char *name);
/* Finds the words of `name` in the others, in order and together; returns how many. */
size_t column_words_find(const struct column_words *, const char *name, size_t *at);
/* What a column measures, by any of the names that are usual for it: "mem_GB", "maxRSS";
 * "runtime_s", "elapsed"; "cpu_time". */
enum column_concept { NO_CONCEPT, OF_MEMORY, OF_ELAPSED_TIME, OF_CPU_TIME };
enum column_concept column_concept(const char *name);
/* The usual names of a column with the number of cores of a row; ends in NULL. */
extern const char *const column_names_of_cores[];
/* OF_TIME or OF_BYTES, if any of its words is usual for times or sizes. */
enum quantity column_measures(const char *name);
/* Finds the concept, and writes which words say so to `used`, if it is not NULL. */
enum column_concept column_words_concept(const struct column_words *, bool *used);
