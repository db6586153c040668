/* cpu_time.h: how long all processors of the machine together have been busy since boot. */
#ifndef CPU_TIME_H
#define CPU_TIME_H

#include "resource/procfile.h"

struct cpu_time {
	enum { CPU_TIME_CPUACCT, CPU_TIME_CGROUP2, CPU_TIME_PROC_STAT } source;
	struct procfile file;
	long ticks_per_s;
};

/* Chooses the counter with the finest resolution. */
void cpu_time_open(struct cpu_time *);
bool cpu_time_read(struct cpu_time *, uint64_t *ns);	/* false: see file.error */
void cpu_time_close(struct cpu_time *);

#endif
