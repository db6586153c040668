/* cpu_time.c: how long all processors of the machine together have been busy since boot. */
#include "resource/cpu_time.h"
#include "base/nbscope.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CGROUP "/sys/fs/cgroup/"

/* Steal is the work of another guest, and iowait is idle time: neither counts as busy.
 * guest and guest_nice are already part of user and nice. */
static bool
parse_proc_stat(const char *text, long ticks_per_s, uint64_t *ns)
{
	unsigned long long user, nice, system, irq, softirq;
	if (sscanf(text, "cpu %llu %llu %llu %*u %*u %llu %llu", &user, &nice, &system, &irq,
	    &softirq) != 5)
		return false;
	*ns = (user + nice + system + irq + softirq) * (1000000000u / (uint64_t)ticks_per_s);
	return true;
}

bool
cpu_time_read(struct cpu_time *c, uint64_t *ns)
{
	char text[PROCFILE_BYTES], *end;
	uint64_t user_us, system_us;
	if (!procfile_read(&c->file, text))
		return false;
	switch (c->source) {
	case CPU_TIME_CPUACCT:
		*ns = strtoull(text, &end, 10);
		return end != text;
	case CPU_TIME_CGROUP2:
		/* usage_usec would include steal. */
		if (!procfile_number(text, "user_usec ", &user_us) ||
		    !procfile_number(text, "system_usec ", &system_us))
			return false;
		*ns = (user_us + system_us) * 1000;
		return true;
	case CPU_TIME_PROC_STAT:
		break;
	}
	return parse_proc_stat(text, c->ticks_per_s, ns);
}

static bool
file_exists(const char *path)
{
	char *full = procfile_path(path);
	bool exists = access(full, F_OK) == 0;
	free(full);
	return exists;
}

/* A control group counts only its own work, so it must be the machine's root group: only that
 * one has a release_agent (version 1), or lacks cgroup.type (version 2).  Version 1 counts in
 * ns, version 2 in timer ticks (shown as us), and /proc/stat in steps of 10 ms. */
void
cpu_time_open(struct cpu_time *c)
{
	static const struct {
		const char *file, *mark;
		bool root_has_mark;
		int source;
	} groups[] = {
		{CGROUP "cpuacct/cpuacct.usage", CGROUP "cpuacct/release_agent", true,
			CPU_TIME_CPUACCT},
		{CGROUP "cpu,cpuacct/cpuacct.usage", CGROUP "cpu,cpuacct/release_agent", true,
			CPU_TIME_CPUACCT},
		{CGROUP "cpu.stat", CGROUP "cgroup.type", false, CPU_TIME_CGROUP2},
		{CGROUP "unified/cpu.stat", CGROUP "unified/cgroup.type", false, CPU_TIME_CGROUP2},
	};
	uint64_t ns;
	*c = (struct cpu_time){.ticks_per_s = sysconf(_SC_CLK_TCK)};
	for (size_t i = 0; i < COUNT(groups); i++) {
		if (file_exists(groups[i].mark) != groups[i].root_has_mark)
			continue;
		c->source = groups[i].source;
		c->file = procfile_open(groups[i].file);
		if (cpu_time_read(c, &ns))
			return;
		procfile_close(&c->file);
	}
	c->source = CPU_TIME_PROC_STAT;
	c->file = procfile_open("/proc/stat");
}

void
cpu_time_close(struct cpu_time *c)
{
	procfile_close(&c->file);
}
