/* diagnosis.h: why a cell took its time, in words and numbers. */
#pragma once

#include "cell_values.h"

/* One line for people, which needs no escape in JSON; NULL: no rule applies.  Valid until the
 * next call. */
const char *diagnosis(const struct cell_values *, const struct cell_context *, struct span page);
