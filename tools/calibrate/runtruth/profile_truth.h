/* profile_truth.h: what profilers found in the code of a cell, as members of its record: lines,
 * allocations, profile_reasons. */
#pragma once

#include "json/scan.h"

#include <jansson.h>

/* Adds a record of a profiler to the record of its cell; false: it is not one. */
bool profile_truth_add(json_t *cell, struct scan *);
/* Once all are added: the share that each line has of the time of the cell's own lines, or of
 * all lines in worker processes. */
void profile_truth_end(json_t *cell);
