/* machine_noise.c: how steady the machine is before the first cell. */
#include "record/machine_noise.h"
#include "base/clock.h"
#include "base/die.h"
#include "json/json_value.h"
#include "process/affinity.h"
#include "stats/quantile_sorted.h"

#include <sched.h>
#include <unistd.h>

/* A step takes 4 or 5 cycles of a processor, because it needs the result of the one before. */
enum { STEPS = 5000000, COMPUTATIONS = 60, MAX_COMPUTING_MS = 700 };
enum { REQUESTS = 12, MAX_REQUESTING_MS = 1000 };

static double
compute_ms(void)
{
	static volatile uint64_t result;
	uint64_t start_ns = clock_monotonic_ns(), x = result;
	for (int i = 0; i < STEPS; i++)
		x = x * 6364136223846793005u + 1;
	result = x;
	return (double)(clock_monotonic_ns() - start_ns) / 1e6;
}

/* Returns how many there were. */
static size_t
time_computations(double *ms)
{
	double all_ms = 0;
	size_t n = 0;
	while (n < COMPUTATIONS && all_ms < MAX_COMPUTING_MS)
		all_ms += ms[n++] = compute_ms();
	return n;
}

/* On the kernel's processors, like a cell. */
static size_t
time_pinned(const char *cores, double *ms)
{
	char error[256];
	cpu_set_t before;
	bool pinned = cores && sched_getaffinity(0, sizeof before, &before) == 0 &&
	    affinity_set(getpid(), cores, error) == 0;
	size_t n = time_computations(ms);
	if (pinned)
		sched_setaffinity(0, sizeof before, &before);
	return n;
}

static json_t *
percentiles_json(double *ms, size_t n)
{
	return json_pack("{s:I, s:o, s:o, s:o}", "count", (json_int_t)n,
	    "p10_ms", json_value_ms(quantile_of_few(ms, n, 0.1)),
	    "median_ms", json_value_ms(quantile_of_few(ms, n, 0.5)),
	    "p90_ms", json_value_ms(quantile_of_few(ms, n, 0.9)));
}

json_t *
machine_noise(const char *cores, size_t (*time_requests)(double *ms, size_t n, long limit_ms))
{
	double ms[COMPUTATIONS];
	double t = clock_unix_s();
	json_t *request = percentiles_json(ms, time_requests(ms, REQUESTS, MAX_REQUESTING_MS));
	json_t *computation = percentiles_json(ms, time_pinned(cores, ms));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "type", "machine_noise",
	    "t", json_value_time(t), "cores", json_value_text(cores), "computation", computation,
	    "request", request, "took_ms", json_value_ms((clock_unix_s() - t) * 1e3));
}
