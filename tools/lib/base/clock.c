/* clock.c: the time of day and the time that passes. */
#include "base/clock.h"

#include <time.h>

static double
seconds_of(clockid_t which)
{
	struct timespec ts;
	clock_gettime(which, &ts);
	return (double)ts.tv_sec + (double)(ts.tv_nsec / 1000) / 1e6;
}

static double boot_t;	/* Unix seconds; a machine that was suspended has counted them */

__attribute__((constructor)) static void
note_boot(void)
{
	boot_t = seconds_of(CLOCK_REALTIME) - seconds_of(CLOCK_BOOTTIME);
}

double
clock_unix_s(void)
{
	return boot_t + seconds_of(CLOCK_BOOTTIME);
}

double
clock_tick_end_s(void)
{
	struct timespec tick;
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	return clock_unix_s() - seconds_of(CLOCK_MONOTONIC) + seconds_of(CLOCK_MONOTONIC_COARSE) +
	    (double)tick.tv_sec + (double)tick.tv_nsec / 1e9;
}

uint64_t
clock_monotonic_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void
clock_pause_ms(long ms)
{
	struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}
