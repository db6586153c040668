/* disk.h: free space on disk. */
#ifndef DISK_H
#define DISK_H

/* Bytes that this user can still write where `dir` is, or will be created; NULL or "": the
 * current folder.  NaN if the file system does not report it. */
double disk_free_bytes(const char *dir);

#endif
