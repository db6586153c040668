/* kernel_clock.h: the offset between the kernel's clock and ours, bounded by every message. */
#pragma once

/* offset = kernel's clock - ours, in ms: sent <= busy bounds it from above, idle <= received from
 * below, as in share/page/kernel.js. */
struct kernel_clock {
	double lo, hi;
	long steps;	/* how often a clock was set */
};
void kernel_clock_reset(struct kernel_clock *);
/* It is between these; an infinite one says nothing. */
void kernel_clock_bound(struct kernel_clock *, double lo, double hi);
double kernel_clock_offset(const struct kernel_clock *);	/* NaN: not known */
double kernel_clock_error(const struct kernel_clock *);	/* by which it may be wrong */
