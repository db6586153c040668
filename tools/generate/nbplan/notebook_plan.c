/* notebook_plan.c: what the runs of one notebook are predicted to need, as a record. */
#include "notebook_plan.h"
#include "json/json_value.h"
#include "json/lines.h"

#include <math.h>

void
xnotebook_plan_write(const struct notebook_plan *p)
{
	bool known = isfinite(p->memory_bytes);
	json_t *memory = known ? json_integer((json_int_t)ceil(p->memory_bytes)) : json_null();
	json_t *record = json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:b}",
	    "type", "notebook_plan", "label", p->label, "name", p->name,
	    "runs", (json_int_t)p->runs, "memory_bytes", memory,
	    "time_s", json_value_real(p->time.s), "time_high_s", json_value_real(p->time.high_s),
	    "extrapolated", p->time.extrapolated);
	xlines_write_new(record);
}
