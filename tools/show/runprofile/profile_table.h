/* profile_table.h: profiles as tables for people. */
#pragma once

#include "profile_fold.h"

enum profile_sort { SORT_OWN, SORT_CUMULATIVE, SORT_CALLS };
/* Only the sentence of each cell, as far as they fit in this number of lines. */
void profile_table_sentences(const struct profile_fold *, size_t most_lines);
void profile_table_put(const struct profile_fold *, enum profile_sort, size_t top);
