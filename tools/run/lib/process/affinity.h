/* affinity.h: pinning a process to processors. */
#pragma once

#include <sys/types.h>

/* `processors` is a number of processors ("1") or a list as in taskset(1) ("0-3,6").
 * 0; -1 and a line in error. */
int affinity_check(const char *processors, char error[256]);
/* Pins the process, all its threads and what it will start. */
int affinity_set(pid_t, const char *processors, char error[256]);
