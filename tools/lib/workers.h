/* workers.h: the same work on several processors. */
#ifndef WORKERS_H
#define WORKERS_H

#include <stddef.h>

enum { MOST_WORKERS = 8 };
/* Processors that this process may use, at most MOST_WORKERS. */
size_t processors(void);
/* Calls work(arg, i) once for each i below n, on as many processors as there are;
 * returns when all is done.  What it touches must be its own, or only read. */
void in_parallel(size_t n, void (*work)(void *arg, size_t i), void *arg);

#endif
