/* placed_file.h: the files that a notebook finds next to it, and how they got there. */
#pragma once

#include "jupyter/lab.h"

#include <jansson.h>
#include <sys/stat.h>

enum placed_how {
	PLACED_LINKED,		/* a symbolic link to a file that the user cannot write */
	PLACED_CLONED,		/* a copy that shares the original's disk space */
	PLACED_REUSED,		/* the copy of an earlier run, which did not change it */
	PLACED_COPIED, PLACED_UPLOADED,
	PLACED_WAYS
};
struct placed_file {
	enum placed_how how;
	char *path;		/* on the server */
	char *key;		/* its name in the store; NULL: no later run may have it */
	json_t *mark;		/* as it was before the notebook ran */
	off_t bytes;
};
struct placed_files {
	struct placed_file *v;
	size_t n;
	char *root;		/* the server's root folder on this machine; NULL: elsewhere */
	double ms;		/* that placing them took */
	bool cold;		/* dropped from memory */
	off_t resident;		/* bytes that still were in memory; -1: unknown */
};

/* Puts the file there.  0, or -1: see lab->error. */
int placed_file_add(struct placed_files *, struct lab *, const char *local, const struct stat *,
    const char *path);
/* Drops all of them from the page cache, where they are on this machine. */
void placed_file_drop_all(struct placed_files *);
/* When nothing uses them any more: moves those that are unchanged to where the next run of the
 * same labserve finds them. */
void placed_file_keep_all(struct placed_files *, struct lab *);
/* The member `placed_files` of the run record. */
json_t *placed_file_record(const struct placed_files *);
void placed_file_free_all(struct placed_files *);
