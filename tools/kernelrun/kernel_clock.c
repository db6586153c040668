/* kernel_clock.c: the offset between the kernel's clock and ours, bounded by every message. */
#include "kernel_clock.h"

#include <math.h>

#define STEP_MS 20.0	/* more than clocks can drift between two messages */

void
kernel_clock_reset(struct kernel_clock *c)
{
	c->lo = -INFINITY;
	c->hi = INFINITY;
}

void
kernel_clock_above(struct kernel_clock *c, double offset_ms)
{
	if (!(offset_ms > c->lo))
		return;
	c->lo = offset_ms;
	if (c->lo > c->hi) {
		c->steps += c->lo - c->hi > STEP_MS;
		c->hi = c->lo - c->hi > STEP_MS ? (double)INFINITY : c->lo;
	}
}

void
kernel_clock_below(struct kernel_clock *c, double offset_ms)
{
	if (!(offset_ms < c->hi))
		return;
	c->hi = offset_ms;
	if (c->lo > c->hi) {
		c->steps += c->lo - c->hi > STEP_MS;
		c->lo = c->lo - c->hi > STEP_MS ? (double)-INFINITY : c->hi;
	}
}

double
kernel_clock_offset(const struct kernel_clock *c)
{
	return isfinite(c->lo) && isfinite(c->hi) ? (c->lo + c->hi) / 2 : (double)NAN;
}

double
kernel_clock_error(const struct kernel_clock *c)
{
	return isfinite(c->lo) && isfinite(c->hi) ? (c->hi - c->lo) / 2 : (double)NAN;
}
