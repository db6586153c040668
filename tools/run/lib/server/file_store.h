/* file_store.h: copies of large files, kept on the server from one run to the next. */
#pragma once

#include "jupyter/lab.h"

#include <sys/stat.h>

/* labserve names the folder, and removes it when it ends.  A copy is moved out of it for a run,
 * which may change it, and moved back if the run has not.  `root` is the server's root folder on
 * this machine, or NULL. */

/* The name of the file's copy, the caller's: another one as soon as the file changes.  NULL: there
 * is no store, or the file is so small that it is copied each time. */
char *file_store_key(const struct stat *);
/* For a server elsewhere, the caller's: `key` and the digest of the file's content, which is read
 * only if the store has no copy of that key.  NULL: it cannot be read. */
char *file_store_name(struct lab *, const char *key, const char *local);
/* Whether two such names are of the same content. */
bool file_store_is_same(const char *name, const char *other);
/* The name of a copy in the store with the content of `name`; NULL: none. */
const char *file_store_same(struct lab *, const char *name);
/* 0: the copy is at `path` on the server now; -1: there is none. */
int file_store_take(struct lab *, const char *root, const char *key, const char *path);
void file_store_keep(struct lab *, const char *root, const char *key, const char *path);
/* What is different once the file has changed, the caller's; NULL: it cannot be read. */
json_t *file_store_mark(struct lab *, const char *root, const char *path);
