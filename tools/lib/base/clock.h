/* clock.h: the time of day and the time that passes. */
#pragma once

#include <stdint.h>

double clock_unix_s(void);	/* Unix seconds, with microseconds */
uint64_t clock_monotonic_ns(void);
/* Between two polls of something that cannot notify us (a starting server, a dying
 * group).  A signal ends it early.  Never part of a measurement. */
void clock_pause_ms(long ms);
