/* gpuread: what NVIDIA's GPUs and the processes on them use, now: a line for each line of input.
 * A program of its own, because a driver that hangs can be neither waited for nor killed. */
#include "base/clock.h"
#include "base/opt.h"
#include "base/output.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "nvml.h"

#include <time.h>
#include <unistd.h>

static const struct opt opts[] = {{0}};
static const struct opt_usage usage = {"gpuread", "",
	"Reads NVIDIA's GPUs: writes a reading for each line of the standard input.", opts};

static double
own_cpu_s(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Takes `gpus`.  `last`: no reading will follow. */
static void
xwrite_reading(json_t *gpus, const char *reason, bool last)
{
	json_t *r = json_pack("{s:s, s:o, s:o?, s:o, s:b, s:f}", "type", "gpu_reading",
	    "t", json_value_time(clock_unix_s()), "gpus", gpus,
	    "reason", json_value_text(gpus ? NULL : reason), "last", last, "cpu_s", own_cpu_s());
	xlines_write(r);
	xoutput_flush();
	json_decref(r);
}

int
main(int argc, char **argv)
{
	char reason[256] = "", byte;
	if (opt_parse(argc, argv, &usage) < argc)
		opt_die(&usage, "unexpected operand '%s'", argv[argc - 1]);
	struct nvml *n = nvml_open(reason);
	if (!n)
		xwrite_reading(NULL, reason, true);
	while (n && read(STDIN_FILENO, &byte, 1) == 1)
		if (byte == '\n')
			xwrite_reading(nvml_read(n, reason), reason, false);
	xoutput_close();
	return ST_OK;
}
