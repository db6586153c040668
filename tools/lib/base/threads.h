/* threads.h: the same work on several processors. */
#pragma once

#include <stddef.h>

enum { MAX_THREADS = 8 };
/* Calls work(arg, i) once for each i below n, on all available processors, and returns
 * when all calls have.  Calls may share only what they do not write. */
void threads_run(size_t n, void (*work)(void *arg, size_t i), void *arg);
