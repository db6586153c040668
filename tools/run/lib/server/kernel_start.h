/* kernel_start.h: why a kernel that is being started is not there. */
#pragma once

#include "server/server_files.h"

#include <stdint.h>

/* Asks the server whether it still has the kernel: NULL, or why not, the caller's.
 * *silent_since_ns: 0 before the first call. */
char *kernel_start_fault(struct server_files *, uint64_t *silent_since_ns);
