/* contents.h: files and folders on a Jupyter server, by its contents API. */
#pragma once

#include "jupyter/lab.h"

/* All set lab->error when they fail. */

/* Takes the model, and creates or writes what is at `path`.  The server's model of it, or NULL. */
json_t *contents_put(struct lab *, const char *path, json_t *model);
int contents_put_folder(struct lab *, const char *path);	/* 0, or -1 */
json_t *contents_get(struct lab *, const char *path);
/* Describes a file or folder without its content; NULL, too, if it does not exist. */
json_t *contents_describe(struct lab *, const char *path);
int contents_rename(struct lab *, const char *from, const char *to);	/* 0, or -1 */
/* The server reads the whole file into its memory.  0, or -1. */
int contents_copy(struct lab *, const char *from, const char *to);
bool contents_remove(struct lab *, const char *path);	/* whether it is not there any more */
