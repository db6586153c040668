/* cgroup_limits.h: what control groups of version 1 and 2 allow a process, as cluster jobs and
 * containers have them: the tightest limit of its group and of those that contain it, as far as
 * they can be seen.  What is not limited, or cannot be read, is infinite. */
#pragma once

#include <sys/types.h>

struct cgroup_limits {
	char *path;	/* of its group, where memory is limited; NULL: unknown */
	char *cpu_list;	/* the processors that it may use, as in 0-3,6; NULL: unknown */
	double memory_bytes;
	double cpus;	/* processors' worth of CPU time */
	double tasks;	/* processes and threads */
};

/* pid 0: of the caller. */
void cgroup_limits_read(struct cgroup_limits *, pid_t pid);
void cgroup_limits_free(struct cgroup_limits *);
