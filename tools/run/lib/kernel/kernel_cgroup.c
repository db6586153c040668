/* kernel_cgroup.c: the limits of a kernel's control group. */
#include "kernel/kernel_cgroup.h"
#include "json/json_value.h"
#include "kernel/kernel_process.h"
#include "machine/cgroup_limits.h"

#include <math.h>

static json_t *
whole_number(double value)
{
	return isfinite(value) ? json_integer((json_int_t)value) : json_null();
}

json_t *
kernel_cgroup(const char *kernel_id)
{
	pid_t pid = kernel_id ? kernel_process_find(kernel_id) : 0;
	struct cgroup_limits l;
	if (!pid)
		return json_null();
	cgroup_limits_read(&l, pid);
	json_t *limits = json_pack("{s:o, s:o, s:o, s:o, s:o}", "path", json_value_text(l.path),
	    "memory_limit_bytes", whole_number(l.memory_bytes),
	    "cpu_limit", json_value_real(isfinite(l.cpus) ? l.cpus : (double)NAN),
	    "processes_limit", whole_number(l.tasks), "cpus", json_value_text(l.cpu_list));
	cgroup_limits_free(&l);
	return limits;
}
