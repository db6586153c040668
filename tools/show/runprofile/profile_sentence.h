/* profile_sentence.h: in one sentence, what takes a cell's time. */
#pragma once

#include "profile_fold.h"

/* "81 % is line 13 of cell 10, `plt.show()`, 12 times; below it matplotlib `_AxesBase.draw`", or
 * without own lines from functions or stacks; a plain mistake comes
 * first, and alone if it takes most of the time.  The caller's.  NULL: there is nothing. */
char *profile_sentence(const struct profile_cell *);
