/* remote_usage.h: what a kernel on another machine uses, read there by Python in the kernel
 * (share/ipython/nbscope/remote.py), if --remote-samples asks for it. */
#ifndef REMOTE_USAGE_H
#define REMOTE_USAGE_H

#include "kernel/kernel_access.h"

struct remote_usage;

/* Starts sampling.  NULL: it was not asked for, or the kernel's process is on this machine. */
struct remote_usage *remote_usage_open(const struct kernel_access *, const char *kernel_id);
/* The kernel's machine and the limits of its cgroup, for the run record; null: unknown. */
json_t *remote_usage_machine(const struct remote_usage *);
/* Before a cell is pressed. */
void remote_usage_before(struct remote_usage *);
/* When it is over: writes its samples, and replaces the kernel's usage in its record. */
void remote_usage_after(struct remote_usage *, json_t *record);

#endif
