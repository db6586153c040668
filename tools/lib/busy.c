/* busy.c: how long the processors of the machine were at work. */
#include "busy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "energy.h"
#include "nbscope.h"

struct reread
reread_open(const char *path)
{
	struct reread s = {.path = machine_path(path)};
	s.fd = open(s.path, O_RDONLY | O_CLOEXEC);
	s.error = s.fd < 0 ? errno : 0;
	return s;
}

void
reread_close(struct reread *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->path);
}

bool
reread(struct reread *s, char text[READ_BYTES])
{
	if (s->fd < 0)
		return false;
	ssize_t n = pread(s->fd, text, READ_BYTES - 1, 0);
	s->error = n < 0 ? errno : n == 0 ? ENODATA : 0;
	if (n <= 0)
		return false;
	text[n] = '\0';
	return true;
}

bool
number_of(const char *text, const char *key, uint64_t *value)
{
	size_t n = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, n) != 0)
			continue;
		char *end;
		*value = strtoull(line + n, &end, 10);
		return end != line + n;
	}
	return false;
}

/* Steal is another guest's work and iowait nobody's: neither is busy. guest and
 * guest_nice are in user and nice already. */
static bool
stat_ns(const char *text, long ticks, uint64_t *ns)
{
	unsigned long long user, nice, system, irq, softirq;
	if (sscanf(text, "cpu %llu %llu %llu %*u %*u %llu %llu", &user, &nice, &system, &irq, &softirq) != 5)
		return false;
	*ns = (user + nice + system + irq + softirq) * (1000000000u / (uint64_t)ticks);
	return true;
}

bool
busy_read(struct busy *b, uint64_t *ns)
{
	char text[READ_BYTES], *end;
	uint64_t user, system;
	if (!reread(&b->file, text))
		return false;
	switch (b->how) {
	case BUSY_CPUACCT:
		*ns = strtoull(text, &end, 10);
		return end != text;
	case BUSY_CPU_STAT:
		/* usage_usec has steal in it. */
		if (!number_of(text, "user_usec ", &user) || !number_of(text, "system_usec ", &system))
			return false;
		*ns = (user + system) * 1000;
		return true;
	case BUSY_STAT:
		break;
	}
	return stat_ns(text, b->ticks, ns);
}

static bool
there_is(const char *path)
{
	char *full = machine_path(path);
	bool there = access(full, F_OK) == 0;
	free(full);
	return there;
}

/* A control group counts only its own work, so the one that is taken must be
 * the machine's root: of version 1 only that has a release_agent, of version 2
 * only that has no cgroup.type.  The first counts in ns, the second in timer
 * ticks told in us, /proc/stat in 10 ms. */
void
busy_open(struct busy *b)
{
	static const struct { const char *file, *mark; bool marked; int how; } ways[] = {
		{"/sys/fs/cgroup/cpuacct/cpuacct.usage", "/sys/fs/cgroup/cpuacct/release_agent", true, BUSY_CPUACCT},
		{"/sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "/sys/fs/cgroup/cpu,cpuacct/release_agent", true, BUSY_CPUACCT},
		{"/sys/fs/cgroup/cpu.stat", "/sys/fs/cgroup/cgroup.type", false, BUSY_CPU_STAT},
		{"/sys/fs/cgroup/unified/cpu.stat", "/sys/fs/cgroup/unified/cgroup.type", false, BUSY_CPU_STAT},
	};
	uint64_t ns;
	*b = (struct busy){.ticks = sysconf(_SC_CLK_TCK)};
	for (size_t i = 0; i < COUNT(ways); i++) {
		if (there_is(ways[i].mark) != ways[i].marked)
			continue;
		b->how = ways[i].how;
		b->file = reread_open(ways[i].file);
		if (busy_read(b, &ns))
			return;
		reread_close(&b->file);
	}
	b->how = BUSY_STAT;
	b->file = reread_open("/proc/stat");
}

void
busy_close(struct busy *b)
{
	reread_close(&b->file);
}
