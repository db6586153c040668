/* run_queue.c: whether kernel or browser waited long for a processor, and why. */
#include "metric/run_queue.h"
#include "base/nbscope.h"
#include "base/num.h"
#include "metric/cell_time.h"
#include "run/role.h"

/* The thresholds of run_queue_wait_cause in nbscope-metrics(7). */
#define WAIT_SHARE 0.2	/* of the time in which its threads could run; of the client time */
#define MIN_WAIT_S 0.05
#define OTHERS_SHARE (1.0 / 3)	/* of the CPU time that the machine spent */

/* Kernel, browser and server wait for each other on few processors, for a person, too: other
 * processes are the cause only if they used a large part of the CPU time. */
static enum wait_cause
cause_of(const double *v)
{
	double machine_s = v[M_machine_cpu_s];
	double own_s = num_or_0(v[M_kernel_cpu_s]) + num_or_0(v[M_browser_cpu_s]) +
	    num_or_0(v[M_server_cpu_s]);
	if (!(machine_s > 0))
		return WAIT_UNKNOWN;
	return machine_s - own_s >= OTHERS_SHARE * machine_s ? WAIT_OTHERS : WAIT_OWN;
}

struct run_queue
run_queue_of(const double *v)
{
	static const struct { enum role role; enum metric_id wait, cpu; } waiting[] = {
		{ROLE_KERNEL, M_kernel_run_queue_wait_s, M_kernel_cpu_s},
		{ROLE_BROWSER, M_browser_run_queue_wait_s, M_browser_cpu_s},
	};
	for (size_t i = 0; i < COUNT(waiting); i++) {
		double wait_s = v[waiting[i].wait], runnable_s = wait_s + v[waiting[i].cpu];
		if (wait_s >= MIN_WAIT_S && wait_s >= WAIT_SHARE * runnable_s &&
		    wait_s >= WAIT_SHARE * cell_time(v))
			return (struct run_queue){cause_of(v), role_word(waiting[i].role),
			    wait_s, runnable_s};
	}
	return (struct run_queue){WAIT_NONE, NULL, 0, 0};
}
