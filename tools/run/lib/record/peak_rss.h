/* peak_rss.h: the highest RSS of a process tree since a moment. */
#pragma once

#include "resource/process_tree.h"
#include "resource/process_tree_state.h"

/* Resets the high-water marks of all processes to what they hold now; -1 and errno if that of
 * the root cannot be reset. */
int peak_rss_reset(struct process_tree *);
/* The highest RSS of the whole tree since the last reset, and how it was found:
 * "vmhwm"    one process alone, or the bounds are within 1 %: exact;
 * "sampled"  several: the larger of the highest sum that was read and the highest mark of one
 *            process plus what the others held all along.
 * -1 if nothing could be read: *method is the reason. */
int peak_rss_read(struct process_tree *, uint64_t *bytes, const char **method);
