/* run_ends.c: a run's first and last record, read without what lies between. */
#include "run/run_ends.h"
#include "base/die.h"

#include <unistd.h>

/* Most records are found in the first part; a record of the largest size in the last. */
static const size_t part_bytes[] = {1 << 13, 1 << 16, 1 << 20};

/* Finds the record of this kind in a part of a file: the first, or the last. */
static bool
find_record(struct scan *s, char *text, size_t n, const char *opening, bool last)
{
	char *found = NULL;
	size_t opening_n = strlen(opening), found_n = 0;
	for (size_t at = 0; at < n && (last || !found);) {
		char *line = text + at, *newline = memchr(line, '\n', n - at);
		size_t len = newline ? (size_t)(newline - line) : n - at;
		if (len >= opening_n && memcmp(line, opening, opening_n) == 0) {
			/* Scanned text ends with a NUL: there is room for it, see read_record(). */
			line[len] = '\0';
			if (scan_record(s, line, len)) {
				found = line;
				found_n = len;
			}
		}
		at += len + 1;
	}
	/* A later line may have been no record. */
	return found && scan_record(s, found, found_n);
}

static void
on_run(struct run_ends *e, struct scan *s)
{
	e->begun = true;
	run_read(&e->run, s);
	e->made_from = span_json(scan_get(s, "made_from"));
	e->params = span_json(scan_get(s, "params"));
}

static void
on_run_end(struct run_ends *e, struct scan *s)
{
	e->ended = true;
	run_read(&e->run, s);
}

static void
read_record(struct run_ends *e, int fd, long long file_bytes, const char *opening, bool last)
{
	static struct scan s;
	bool found = false;
	for (size_t i = 0; i < COUNT(part_bytes) && !found; i++) {
		char *text = xmalloc(part_bytes[i] + 1);
		long long before = last ? file_bytes - (long long)part_bytes[i] : 0;
		ssize_t n = pread(fd, text, part_bytes[i], before > 0 ? before : 0);
		found = n > 0 && find_record(&s, text, (size_t)n, opening, last);
		if (found)
			(last ? on_run_end : on_run)(e, &s);
		free(text);
		if (file_bytes <= (long long)part_bytes[i])
			break;
	}
}

void
run_ends_read(struct run_ends *e, int fd, long long file_bytes)
{
	*e = (struct run_ends){.run = {.t = NAN}};
	read_record(e, fd, file_bytes, "{\"type\":\"run\",", false);
	e->run.end.status = CELL_STATUSES;
	e->run.end.t = e->run.end.wall_s = NAN;
	read_record(e, fd, file_bytes, "{\"type\":\"run_end\",", true);
}

void
run_ends_free(struct run_ends *e)
{
	json_decref(e->made_from);
	json_decref(e->params);
}
