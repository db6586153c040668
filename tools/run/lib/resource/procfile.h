/* procfile.h: small files of the system that stay open and are read again and again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { PROCFILE_BYTES = 1024 };
struct procfile {
	int fd;		/* -1: see error */
	int error;	/* errno of the failed open or read; 0: none */
	char *path;
};

/* `path` below NBSCOPE_SYSROOT: the root of the host as a container sees it, or a test's. */
char *procfile_path(const char *path);
struct procfile procfile_open(const char *path);	/* below NBSCOPE_SYSROOT */
/* The file's first PROCFILE_BYTES, NUL-terminated; false: see error. */
bool procfile_read(struct procfile *, char text[PROCFILE_BYTES]);
/* The number after `key` at the start of a line. */
bool procfile_number(const char *text, const char *key, uint64_t *value);
void procfile_close(struct procfile *);
