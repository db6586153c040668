/* processor_usage.c: how long each processor was busy, from the lines of /proc/stat. */
#include "resource/processor_usage.h"
#include "base/die.h"
#include "base/num.h"
#include "resource/procfile.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* The most that a line about a processor has: ten numbers of twenty digits. */
enum { LINE_BYTES = 224 };

struct processor {
	int id;
	uint64_t start_ticks, last_ticks;
};

struct processor_usage {
	struct procfile file;
	char *text;
	size_t text_bytes;
	struct processor *processors;	/* ascending */
	size_t n;
	double ticks_per_s;
	int error;	/* errno of the last failure; 0: none */
};

bool
processor_busy_ticks(const char *numbers, uint64_t *ticks)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, KINDS };
	char *end;
	*ticks = 0;
	for (int kind = USER; kind < KINDS; kind++, numbers = end) {
		uint64_t n = strtoull(numbers, &end, 10);
		if (end == numbers)
			return false;
		if (kind != IDLE && kind != IOWAIT)
			*ticks += n;
	}
	return true;
}

/* false: a processor's line is not there, see error. */
static bool
read_ticks(struct processor_usage *u)
{
	size_t found = 0;
	uint64_t ticks;
	ssize_t got = u->file.fd < 0 ? -1 : pread(u->file.fd, u->text, u->text_bytes - 1, 0);
	u->error = u->file.fd < 0 ? u->file.error : got < 0 ? errno : ENODATA;
	if (got < 0)
		return false;
	u->text[got] = '\0';
	for (char *line = u->text; line && found < u->n; line = strchr(line, '\n')) {
		char *numbers;
		line += *line == '\n';
		if (strncmp(line, "cpu", 3) != 0)
			break;
		long id = strtol(line + 3, &numbers, 10);
		struct processor *p = &u->processors[found];
		if (numbers == line + 3 || id != p->id || !processor_busy_ticks(numbers, &ticks))
			continue;
		/* The kernel's sums may decrease by a tick; these never do. */
		p->last_ticks = ticks > p->last_ticks ? ticks : p->last_ticks;
		found++;
	}
	return found == u->n && found > 0;
}

void
processor_usage_follow(struct processor_usage *u, pid_t pid)
{
	cpu_set_t set;
	if (sched_getaffinity(pid, sizeof set, &set) != 0)
		return;
	u->n = 0;
	u->processors = xrealloc(u->processors, (size_t)CPU_COUNT(&set) * sizeof *u->processors);
	for (size_t id = 0; id < CPU_SETSIZE; id++)
		if (CPU_ISSET(id, &set))
			u->processors[u->n++] = (struct processor){.id = (int)id};
	read_ticks(u);
	for (size_t i = 0; i < u->n; i++)
		u->processors[i].start_ticks = u->processors[i].last_ticks;
}

struct processor_usage *
processor_usage_open(void)
{
	struct processor_usage *u = xmalloc(sizeof *u);
	long configured = sysconf(_SC_NPROCESSORS_CONF);
	*u = (struct processor_usage){.file = procfile_open("/proc/stat"),
		.ticks_per_s = (double)sysconf(_SC_CLK_TCK),
		.text_bytes = LINE_BYTES * (size_t)(configured + 1)};
	u->text = xmalloc(u->text_bytes);
	processor_usage_follow(u, 0);
	return u;
}

void
processor_usage_fill(struct processor_usage *u, json_t *record)
{
	bool known = read_ticks(u);
	json_t *ids = known ? json_array() : json_null();
	json_t *busy = known ? json_array() : json_null();
	for (size_t i = 0; known && i < u->n; i++) {
		const struct processor *p = &u->processors[i];
		double s = (double)(p->last_ticks - p->start_ticks) / u->ticks_per_s;
		json_array_append_new(ids, json_integer(p->id));
		json_array_append_new(busy, json_real(num_round(s, 3)));
	}
	json_object_set_new(record, "processor_ids", ids);
	json_object_set_new(record, "processor_busy_s", busy);
	json_object_set_new(record, "processor_reason", known ? json_null() :
	    json_sprintf("cannot read each processor's line in '%s': %s", u->file.path,
		strerror(u->error)));
}

void
processor_usage_close(struct processor_usage *u)
{
	if (!u)
		return;
	procfile_close(&u->file);
	free(u->text);
	free(u->processors);
	free(u);
}
