/* cell_ranges.h: cells that a person names: 3, last, all, 2:5, 2-5, :4, 7:, -3:-1, 1,4. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct cell_ranges;
/* Dies with ST_USAGE, naming `what`, where the text names no cells.  To be freed by free(3). */
struct cell_ranges *xcell_ranges(const char *text, const char *what);
/* Whether the cell of this index, the k-th of n (k from 0), is among them: a positive number
 * names an index, a negative one counts from the end.  k = n: a cell that does not count. */
bool cell_ranges_have(const struct cell_ranges *, long index, size_t k, size_t n);
