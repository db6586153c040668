/* file_upload.h: a file is uploaded to the server. */
#ifndef FILE_UPLOAD_H
#define FILE_UPLOAD_H

#include "jupyter/lab.h"

/* Uploads in chunks, so that a large file needs little memory on either side. The server's model
 * of it, without content; NULL: see lab->error. */
json_t *file_upload(struct lab *, const char *local, const char *path);

#endif
