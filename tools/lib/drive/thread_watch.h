/* thread_watch.h: when the threads of a process and of its descendants ended, and when they ran. */
#ifndef THREAD_WATCH_H
#define THREAD_WATCH_H

#include <sys/types.h>

/* Reads all threads at short intervals, until thread_watch_stop().  What the calls below return is
 * of the last watch. */
void thread_watch_start(pid_t root);
void thread_watch_stop(void);
/* Unix seconds when the thread was seen last; INFINITY: it still lives, or was never seen. */
double thread_watch_end(pid_t pid, pid_t tid);
/* The part of the time between two instants in which it ran; NaN: unknown. */
double thread_watch_share(pid_t pid, pid_t tid, double from, double to);

#endif
