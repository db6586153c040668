/* kernel_cgroup.h: the limits of a kernel's control group, such as that of a cluster's job. */
#ifndef KERNEL_CGROUP_H
#define KERNEL_CGROUP_H

#include <jansson.h>

/* For the run record; null: the kernel (NULL: none) does not run on this machine. */
json_t *kernel_cgroup(const char *kernel_id);

#endif
