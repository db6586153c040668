/* clock.h: the time of day and the time that passes. */
#pragma once

#include <stdint.h>

/* Unix seconds, with microseconds, as they were when this program started and as many as passed
 * since: a machine's clock that is set meanwhile changes no duration. */
double clock_unix_s(void);
/* The system dates by its tick what it does not measure: when the tick that began last ends. */
double clock_tick_end_s(void);
uint64_t clock_monotonic_ns(void);
/* Between two polls of something that cannot notify us (a starting server, a dying
 * group).  A signal ends it early.  Never part of a measurement. */
void clock_pause_ms(long ms);
