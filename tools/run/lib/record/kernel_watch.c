/* kernel_watch.c: what a run's kernel uses, and where it may run. */
#include "record/kernel_watch.h"
#include "base/die.h"
#include "kernel/kernel_process.h"
#include "notebook/run_options.h"
#include "process/affinity.h"
#include "record/run_record.h"
#include "server/server_cleanup.h"

struct cell_usage *
xkernel_watch_open(struct lab *lab, struct server_files *f, const char *kernel_id,
    const char *no_browser)
{
	const char *cores = run_options.cores;
	char error[256];
	pid_t pid = kernel_process_find(kernel_id);
	server_cleanup_locate(f, pid);
	if (cores && !pid)
		die(ST_SYSTEM, "--cores: the kernel's process is not on this machine");
	if (cores && affinity_set(pid, cores, error) != 0)
		die(ST_USAGE, "--cores: %s", error);
	struct cell_usage *u = cell_usage_open(lab, kernel_id, pid, no_browser);
	cell_usage_write_watches(u, xrun_record_write);
	return u;
}
