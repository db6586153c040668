/* cellturn.c: when a cell began, and when it had the kernel, by its record. */
#include "cellturn.h"

#include <math.h>

double
cell_begin_t(struct scan *cell)
{
	double pressed_t = span_number(scan_get(cell, "pressed_t"));
	return isfinite(pressed_t) ? pressed_t : span_number(scan_get(cell, "sent_t"));
}

double
cell_turn_t(struct scan *cell, bool kernels_clock)
{
	double offset_s = span_number(scan_get(cell, "clock_offset_ms")) / 1000;
	if (!span_lists(scan_get(cell, "marks"), "queued"))
		return NAN;
	return span_number(scan_get(cell, "busy_t")) - (kernels_clock || !isfinite(offset_s) ? 0 : offset_s);
}
