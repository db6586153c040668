/* digest.h: SHA-256 of files, remembered so that an unchanged file is not read again. */
#pragma once

#include <jansson.h>
#include <sha2.h>
#include <stdbool.h>
#include <sys/stat.h>

enum { DIGEST_HEX = 65 };	/* with the NUL */

/* Inode, size and dates of a file, as text. */
char *digest_identity(const struct stat *);
/* Whether a later change of the file would have another date. */
bool digest_is_settled(const struct stat *);
void digest_put_hex(SHA2_CTX *, char hex[DIGEST_HEX]);

/* Reads what an earlier process remembered; NULL, or no such file: nothing.  A file counts
 * as unchanged while its inode, size and dates are. */
void xdigest_remember(const char *cache);
/* Writes what was learnt since, if anything was. */
void xdigest_save(void);

/* Of a notebook's JSON without its kernelspec, and the kernelspec's name ("": it has
 * none), which the caller frees.  NULL: there is no such file.  Dies if it is no JSON. */
char *xdigest_notebook(const char *path, char hex[DIGEST_HEX]);
/* Of the names and contents of files, and of folders' contents, as cellrun --with-file
 * copies them to a notebook's folder.  The digests of those whose names are keys of `some` become
 * their values there. */
void xdigest_files(const char *const *paths, size_t n, json_t *some, char hex[DIGEST_HEX]);

/* Whether every line of the run's file was found to be a record, and it has not changed since. */
bool digest_run_is_whole(const char *path, const struct stat *);
void digest_remember_whole(const char *path, const struct stat *);
