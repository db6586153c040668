/* kernel_json.h: JSON as kernels write it. */
#ifndef KERNEL_JSON_H
#define KERNEL_JSON_H

#include <jansson.h>

/* What a page would read: bytes that are not UTF-8 and halves of surrogate pairs become U+FFFD,
 * whole numbers of more than 64 bits become reals.  NULL: it is not JSON. */
json_t *kernel_json_parse(const char *text, size_t n);

#endif
