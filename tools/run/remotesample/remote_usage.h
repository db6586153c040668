/* remote_usage.h: what a kernel on another machine uses, read there by Python in the kernel
 * (share/ipython/nbscope/remote.py). */
#ifndef REMOTE_USAGE_H
#define REMOTE_USAGE_H

#include <jansson.h>

struct remote_usage;

/* Starts sampling.  NULL: the kernel's process is on this machine. */
struct remote_usage *remote_usage_open(double interval_ms, const char *kernel_id);
/* The kernel's machine and the limits of its cgroup, for the run record; null: unknown. */
json_t *remote_usage_machine(const struct remote_usage *);
/* Before a cell is pressed. */
void remote_usage_before(struct remote_usage *);
/* When it is over: writes its samples, and returns what is to replace the usage of the kernel that
 * the driver knows; NULL: nothing. */
json_t *remote_usage_after(struct remote_usage *, const json_t *kernel);

#endif
