/* buf.h: a byte buffer that grows up to a limit. */
#pragma once

#include "base/nbscope.h"

struct buf {
	char *p;	/* NUL-terminated once something was added */
	size_t n, cap, limit;	/* limit 0: 1 GiB */
};
/* 0, or -1 when the limit would be exceeded (nothing is added then). */
int buf_add(struct buf *, const void *, size_t);
int buf_addf(struct buf *, const char *fmt, ...) PRINTF(2, 3);
void buf_free(struct buf *);
