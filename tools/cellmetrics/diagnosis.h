/* diagnosis.h: why a cell took its time, in plain words with the numbers. */
#ifndef ADVICE_H
#define ADVICE_H

#include "metric.h"

/* One line for people, ready to stand in JSON without an escape; NULL: the
 * numbers point nowhere.  Valid until the next call. */
const char *diagnosis(const struct metrics *, const struct cell_ends *, struct span page);

#endif
