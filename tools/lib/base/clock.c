/* clock.c: the time of day and the time that passes. */
#include "base/clock.h"

#include <time.h>

double
clock_unix_s(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	return (double)ts.tv_sec + (double)(ts.tv_nsec / 1000) / 1e6;
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
