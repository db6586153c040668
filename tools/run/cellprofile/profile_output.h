/* profile_output.h: the records that every profiler writes: nbscope-records(7). */
#pragma once

#include "notebook/notebook.h"

/* What a profiler says of a cell that began at unix time t, or (why) why it says nothing: then
 * version and wall_s are not written. */
void profile_output_head(const struct notebook_cell *, double t, const char *profiler,
    const char *version, double wall_s, const char *why);
/* Takes the stack, an array of frames, the outermost first, and when it was seen, an array of spans
 * (NULL: unknown); writes nothing if the stack is empty. */
void profile_output_stack(const struct notebook_cell *, const char *process, const char *thread,
    json_t *stack, size_t samples, double time_s, json_t *spans);
