/* profile_table.h: the cells of profiles, that with the longest time first, for people. */
#pragma once

#include "profile_cell_table.h"

/* Only the sentence of each cell, as far as they fit in this number of lines. */
void profile_table_sentences(const struct profile_fold *, size_t most_lines);
/* The sentences of all cells, then the tables of each. */
void profile_table_put(const struct profile_fold *, enum profile_sort, size_t top);
