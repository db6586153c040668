/* kernel_process.h: a kernel's process on this machine. */
#ifndef KERNEL_PROCESS_H
#define KERNEL_PROCESS_H

#include <sys/types.h>

/* The process that runs this kernel, found by the name of its connection file among the
 * arguments of all processes; 0: none on this machine. */
pid_t kernel_process_find(const char *kernel_id);

#endif
