/* metric_text.h: cells and values of metrics as text for people. */
#pragma once

#include "metric/results.h"

/* "quickstart", "quickstart cell 3" or "quickstart cell 3, drag slider"; the caller's.  The index
 * is not above 0 where there is no cell, the interaction NULL where there is none. */
char *metric_text_place(const char *notebook, long index, const char *interaction);
/* Returns text that the caller frees.  A cell is called by the parameters that differ between
 * the results, "side=250 cell 3", and else by its notebook, "quickstart cell 3". */
char *metric_text_cell(const struct results *, const struct result_cell *);
/* Formats the value as unit_print() does; "-" if it is not finite. */
struct unit_text metric_text_value(double, const char *column);
