/* diagnosis.h: why a cell took its time, in plain words with the numbers. */
#ifndef DIAGNOSIS_H
#define DIAGNOSIS_H

#include "cell_values.h"

/* One line for people, ready to stand in JSON without an escape; NULL: the
 * numbers point nowhere.  Valid until the next call. */
const char *diagnosis(const struct cell_values *, const struct cell_context *, struct span page);

#endif
