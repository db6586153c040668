/* profile_output.c: the records that every profiler writes: nbscope-records(7). */
#include "profile_output.h"
#include "hook/hook_driver.h"
#include "json/json_value.h"

#include <math.h>

void
profile_output_head(const struct notebook_cell *c, double t, const char *profiler,
    const char *version, double wall_s, const char *why)
{
	hook_driver_write(json_pack("{s:s, s:o, s:I, s:s, s:s, s:o, s:o, s:n, s:o}",
	    "type", "profile", "t", json_value_time(t), "cell_index", (json_int_t)c->index,
	    "cell_id", c->id, "profiler", profiler,
	    "version", json_value_text(why ? NULL : version),
	    "wall_s", json_value_real(why ? (double)NAN : wall_s), "error",
	    "reason", json_value_text(why)));
}

void
profile_output_stack(const struct notebook_cell *c, const char *process, const char *thread,
    json_t *stack, size_t samples, double time_s, json_t *spans)
{
	if (json_array_size(stack)) {
		json_t *r = json_pack("{s:s, s:I, s:s, s:s, s:O, s:I, s:f}",
		    "type", "profile_stack", "cell_index", (json_int_t)c->index,
		    "process", process, "thread", thread, "stack", stack,
		    "samples", (json_int_t)samples, "time_s", time_s);
		if (spans)
			json_object_set(r, "spans", spans);
		hook_driver_write(r);
	}
	json_decref(spans);
	json_decref(stack);
}
