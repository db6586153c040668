/* base64.h: RFC 4648, for files sent to a server and screenshots from a browser. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

char *base64_encode(const void *, size_t n);
/* Writes what the text encodes to a file; false, and no file, if it is not base64. */
bool xbase64_write_file(const char *path, const char *text);
