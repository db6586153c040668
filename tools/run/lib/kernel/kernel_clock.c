/* kernel_clock.c: the offset between the kernel's clock and ours, bounded by every message. */
#include "kernel/kernel_clock.h"

#include <math.h>

#define STEP_MS 20.0	/* more than clocks can drift between two messages */

void
kernel_clock_reset(struct kernel_clock *c)
{
	c->lo = -INFINITY;
	c->hi = INFINITY;
}

void
kernel_clock_bound(struct kernel_clock *c, double lo, double hi)
{
	double apart = fmax(c->lo, lo) - fmin(c->hi, hi);
	if (apart > STEP_MS) {
		c->steps++;
		kernel_clock_reset(c);
	} else if (apart > 0) {
		/* The newer bound holds. */
		c->lo = fmin(c->lo, hi);
		c->hi = fmax(c->hi, lo);
	}
	c->lo = fmax(c->lo, lo);
	c->hi = fmin(c->hi, hi);
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
