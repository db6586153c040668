/* memory_limit.c: the memory that a notebook can use on this machine. */
#include "machine/memory_limit.h"
#include "base/die.h"
#include "base/file.h"
#include "machine/cgroup_limits.h"

enum { MAX_PROC_BYTES = 1 << 20 };

/* The kibibytes of one line of /proc/meminfo, in bytes. */
static double
meminfo_bytes(const char *text, const char *key)
{
	const char *line = strstr(text, key);
	return line ? strtod(line + strlen(key), NULL) * 1024 : (double)NAN;
}

void
xmemory_limit_read(struct memory_limit *m)
{
	size_t n;
	char *text = file_read("/proc/meminfo", MAX_PROC_BYTES, &n);
	double total = text ? meminfo_bytes(text, "MemTotal:") : 0;
	struct cgroup_limits limits;
	cgroup_limits_read(&limits, 0);
	double limit = limits.memory_bytes;
	cgroup_limits_free(&limits);
	if (!(total > 0))
		die(ST_SYSTEM, "cannot read this machine's memory from /proc/meminfo "
		    "(use --machine-memory)");
	m->bytes = fmin(total, limit);
	m->available_bytes = fmin(meminfo_bytes(text, "MemAvailable:"), m->bytes);
	m->set_by = limit < total ? "cgroup" : "machine";
	free(text);
}
