/* atomic_file.h: a file appears whole or not at all. */
#pragma once

#include "base/buf.h"

#include <stdio.h>

/* A stream that replaces a file by a nameless one.  Pipes and devices are written to directly. */
struct atomic_file {
	FILE *f;
	char *path, *temp;
	bool named;	/* `temp` exists */
	bool stream;	/* `path` is a pipe or a device */
};
int atomic_file_open(struct atomic_file *, const char *path);	/* 0, or -1 and errno */
int atomic_file_commit(struct atomic_file *);	/* flush, fsync, rename; 0, or -1 and errno */
void atomic_file_abort(struct atomic_file *);	/* removes it; leaves errno as it is */

/* Opens it after making its folder; dies naming `path`.  If the process exits before the
 * commit, nothing remains.  One at a time; the struct must live until then. */
void xatomic_file_open(struct atomic_file *, const char *path);
/* Writes the whole file by `put` and commits it, with signals blocked; or dies and leaves
 * nothing. */
void xatomic_file_write(const char *path, void (*put)(FILE *, void *), void *arg);
void xatomic_file_write_buf(const char *path, const struct buf *);
void xatomic_file_put_buf(const char *path, const struct buf *);	/* NULL: to stdout */
