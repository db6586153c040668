/* kernel_prefix.h: the command under which labserve starts kernels (KERNEL_PREFIX). */
#pragma once

#include "server/server_files.h"

/* Before the kernel is started: notes the cells' tags for it, and what {run} stands for, if
 * --run-path says so; warns if that cannot be noted. */
void kernel_prefix_name_run(const struct server_files *);
/* The command; NULL: kernels are started as their kernelspecs say, or by a server of the user. */
const char *kernel_prefix_command(void);
