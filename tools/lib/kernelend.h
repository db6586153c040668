/* kernelend.h: a kernel that went wrong, as its server tells it. */
#ifndef KERNELEND_H
#define KERNELEND_H

#include "nbscope.h"

/* "busy", "idle" ... as the server heard it last; NULL: it does not answer, see
 * lab->error. */
char *kernel_state(struct lab *, const char *kernel_id);
/* How it ended, a record's "kernel_end": only the server, whose child it was, can
 * know, and only labserve's tells.  `usage` is the kernel's of the cell, or NULL:
 * from it comes the memory that was seen last where the server does not tell. */
json_t *kernel_end(struct lab *, const char *kernel_id, const json_t *usage);
/* The same in words for people; the caller's. */
char *kernel_end_words(const json_t *end, const char *state);

#endif
