/* keep.h: files that programs are told to write, in folders that may not exist. */
#ifndef KEEP_H
#define KEEP_H

#include "nbscope.h"

/* save_open, with the folder made first; dies naming `path`.  If the process
 * exits before the file is committed nothing of it stays.  One at a time; what
 * it fills must live until then. */
void xkeep_open(struct saving *, const char *path);
/* Writes a whole file by `put` and commits it, or dies and nothing of it stays.
 * Signals wait meanwhile. */
void xkeep(const char *path, void (*put)(FILE *, void *), void *arg);
/* Likewise, the buffer. */
void xkeep_buf(const char *path, const struct buf *);
/* Likewise, or (NULL) to standard output. */
void xput_buf(const char *path, const struct buf *);
/* Likewise, what a text in base64 means; false: it is none, and nothing is written. */
bool xkeep_base64(const char *path, const char *text);

#endif
