/* processor_usage.h: how long each processor that a process may use was busy. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct processor_usage;

/* The processors that this process may use.  Never NULL. */
struct processor_usage *processor_usage_open(void);
/* From now on those that `pid` may use, with counters at 0; no change if it has ended. */
void processor_usage_follow(struct processor_usage *, pid_t pid);
/* Sets processor_ids (the system's numbers, ascending), processor_busy_s (seconds of each,
 * cumulative, counted in ticks of 10 ms) and processor_reason, why the two are null. Up to a
 * millisecond on a machine with hundreds of processors. */
void processor_usage_fill(struct processor_usage *, json_t *record);
void processor_usage_close(struct processor_usage *);	/* NULL is fine */

/* The busy ticks in a line of /proc/stat, after its first word.  Steal is the work of another
 * guest, and iowait is idle time: neither counts; guest and guest_nice are already part of user
 * and nice. */
bool processor_busy_ticks(const char *numbers, uint64_t *ticks);
