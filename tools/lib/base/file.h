/* file.h: files and folders. */
#ifndef FILE_H
#define FILE_H

#include <stddef.h>

/* The whole file ("-": stdin), with a NUL at its end that *n does not count.  NULL and
 * errno if it cannot be read or is larger than `limit` (EFBIG). */
char *file_read(const char *path, size_t limit, size_t *n);
int file_make_dirs(const char *path);	/* mkdir -p; 0, or -1 and errno */
/* rm -rf that follows no link and enters no other file system; 0, or -1 and errno. */
int file_remove_tree(const char *path);
/* A program that was built or installed together with this one: NAME in the folder above
 * this program's, or in share/nbscope there.  NULL if neither can be run; the caller frees
 * it. */
char *file_of_installation(const char *name);
/* bin/python of a Python environment; NULL if it has none; the caller's. */
char *file_python(const char *environment);
/* The same of the environment that the variable names or, if it is not set, of `name`, which was
 * made together with this program. */
char *file_own_python(const char *variable, const char *name);
/* Occupies descriptors 0 to 2 if the parent process left them closed, so that no other
 * file gets one of them; using them is an error. */
void file_fill_standard(void);

#endif
