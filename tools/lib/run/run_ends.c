/* run_ends.c: a run's first and last record, read without what lies between. */
#include "run/run_ends.h"
#include "base/die.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Most records are found in the first part; a record of the largest size in the last. */
static const size_t part_bytes[] = {1 << 13, 1 << 16, 1 << 20};

/* The record of this kind in a part of a file: the first, or the last. */
static json_t *
find_record(const char *text, size_t n, const char *opening, bool last)
{
	json_t *found = NULL;
	size_t opening_n = strlen(opening);
	for (size_t at = 0; at < n && (last || !found);) {
		const char *line = text + at, *newline = memchr(line, '\n', n - at);
		size_t len = newline ? (size_t)(newline - line) : n - at;
		if (len >= opening_n && memcmp(line, opening, opening_n) == 0) {
			json_t *record = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL);
			if (record) {
				json_decref(found);
				found = record;
			}
		}
		at += len + 1;
	}
	return found;
}

static json_t *
read_record(int fd, long long file_bytes, const char *opening, bool last)
{
	json_t *found = NULL;
	for (size_t i = 0; i < COUNT(part_bytes) && !found; i++) {
		char *text = xmalloc(part_bytes[i]);
		long long before = last ? file_bytes - (long long)part_bytes[i] : 0;
		ssize_t n = pread(fd, text, part_bytes[i], before > 0 ? before : 0);
		found = n > 0 ? find_record(text, (size_t)n, opening, last) : NULL;
		free(text);
		if (file_bytes <= (long long)part_bytes[i])
			break;
	}
	return found;
}

void
run_ends_read(struct run_ends *e, int fd, long long file_bytes)
{
	e->run = read_record(fd, file_bytes, "{\"type\":\"run\",", false);
	e->end = read_record(fd, file_bytes, "{\"type\":\"run_end\",", true);
}

void
run_ends_free(struct run_ends *e)
{
	json_decref(e->run);
	json_decref(e->end);
}
