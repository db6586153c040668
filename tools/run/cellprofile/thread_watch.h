/* thread_watch.h: when the threads of a process and of its descendants ended, and when they ran. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Reads all threads at short intervals, until thread_watch_stop().  What the calls below return is
 * of the last watch. */
void thread_watch_start(pid_t root);
void thread_watch_stop(void);
/* Unix seconds when the thread was seen last; INFINITY: it still lives, or was never seen. */
double thread_watch_end(pid_t pid, pid_t tid);
/* Whether it ran between two instants, or waited for a processor; true: unknown. */
bool thread_watch_ran(pid_t pid, pid_t tid, double from, double to);
