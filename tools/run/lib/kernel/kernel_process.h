/* kernel_process.h: a kernel's process on this machine. */
#pragma once

#include <sys/types.h>

/* The process that runs this kernel, found by the name of its connection file among the
 * arguments of all processes; 0: none on this machine. */
pid_t kernel_process_find(const char *kernel_id);
/* The server that started a kernel: the parent of its process, or of the outermost of the commands
 * under which it runs. */
pid_t kernel_process_server(const char *kernel_id, pid_t kernel);
