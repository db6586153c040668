/* profile_table.h: profiles as tables for people. */
#pragma once

#include "profile_fold.h"

enum profile_sort { SORT_OWN, SORT_CUMULATIVE, SORT_CALLS };
void profile_table_put(const struct profile_fold *, enum profile_sort, size_t top);
