/* profile_text.h: pieces of a profile as text for people, and their order.  Not made safe for a
 * terminal. */
#pragma once

#include "profile_fold.h"

/* "cell 5", "cell 5 in the page", "the time between cells" */
void profile_text_cell(struct buf *, const struct profile_cell *);
void profile_text_count(struct buf *, double count);	/* "1,000,000" */
/* "lines: line_profiler 5.0.0; 3 runs; the kernel took 3.210 s with it, 2.100 s without (1.53
 * times)" */
void profile_text_pass(struct buf *, const struct profile_pass *);
/* "glue/core/data.py:55 Data.get_mask"; line 0: unknown; function NULL: unknown. */
void profile_text_place(struct buf *, const char *file, long line, const char *function);
