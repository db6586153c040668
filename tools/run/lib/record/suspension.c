/* suspension.c: whether this process or the machine was suspended meanwhile. */
#include "record/suspension.h"

#include <signal.h>
#include <time.h>

#define MIN_SUSPENDED_S 0.05

/* SIGCONT says that this process was stopped.  A machine that was suspended sends no signal, but
 * CLOCK_MONOTONIC does not count that time. */
static volatile sig_atomic_t continued;

static void
on_continue(int sig)
{
	(void)sig;
	continued++;
}

void
suspension_catch(void)
{
	struct sigaction action = {.sa_handler = on_continue, .sa_flags = SA_RESTART};
	sigaction(SIGCONT, &action, NULL);
}

struct suspension
suspension_now(void)
{
	struct timespec boot, mono;
	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	return (struct suspension){.continued = continued, .suspended_s =
		(double)(boot.tv_sec - mono.tv_sec) + (double)(boot.tv_nsec - mono.tv_nsec) / 1e9};
}

bool
suspension_since(struct suspension before)
{
	struct suspension now = suspension_now();
	return now.continued != before.continued ||
	    now.suspended_s - before.suspended_s > MIN_SUSPENDED_S;
}
