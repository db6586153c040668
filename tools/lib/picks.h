/* picks.h: cells that a person names: 3, last, all, 2:5, 2-5, :4, 7:, -3:-1, 1,4. */
#ifndef PICKS_H
#define PICKS_H

#include "nbscope.h"

struct picks;
/* Dies with ST_USAGE, naming `what`, where the text names no cells. */
struct picks *xpicks(const char *text, const char *what);
/* Whether the cell of this index, the k-th of n (k from 0), is among them: a
 * number names an index, a negative one counts from the end.  k = n: a cell
 * that has no place in that count. */
bool picked(const struct picks *, long index, size_t k, size_t n);

#endif
