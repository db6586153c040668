/* busy.h: files that stay open and are read again from their start, and the
 * busy seconds of all processors. */
#ifndef BUSY_H
#define BUSY_H

#include <stdbool.h>
#include <stdint.h>

enum { READ_BYTES = 1024 };
struct reread {
	int fd;		/* -1: see error */
	int error;	/* errno of the failed open or read; 0: none */
	char *path;
};
/* `path` below NBSCOPE_SYSROOT. */
struct reread reread_open(const char *path);
/* The file's first READ_BYTES, NUL-ended; false: see error. */
bool reread(struct reread *, char text[READ_BYTES]);
/* The number behind `key` at a line's start. */
bool number_of(const char *text, const char *key, uint64_t *value);
void reread_close(struct reread *);

enum { BUSY_CPUACCT, BUSY_CPU_STAT, BUSY_STAT };
/* The busy time of all processors since boot, from the finest counter there is. */
struct busy {
	int how;	/* BUSY_CPUACCT, BUSY_CPU_STAT, BUSY_STAT */
	struct reread file;
	long ticks;
};
void busy_open(struct busy *);
bool busy_read(struct busy *, uint64_t *ns);
void busy_close(struct busy *);

#endif
