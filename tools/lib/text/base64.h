/* base64.h: RFC 4648, for files on their way to a server and pictures from a browser. */
#ifndef BASE64_H
#define BASE64_H

#include <stdbool.h>
#include <stddef.h>

char *base64_encode(const void *, size_t n);
unsigned char *base64_decode(const char *, size_t *n);	/* NULL: not base64 */
/* Writes what the text encodes to a file; false, and no file, if it is not base64. */
bool xbase64_write_file(const char *path, const char *text);

#endif
