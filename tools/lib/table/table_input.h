/* table_input.h: a file that is read in chunks. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* p[n] and some bytes after it are room for a sentinel. */
struct table_input {
	int fd;
	const char *name;
	char *p;
	size_t n, at, cap;	/* bytes in the buffer; bytes used up */
	bool eof;
	/* Another way to read at most some bytes; NULL: those of the file. */
	ssize_t (*get)(const struct table_input *, char *to, size_t most);
};
/* Drops the used bytes and reads more; false: the end. */
bool xtable_input_more(struct table_input *);
