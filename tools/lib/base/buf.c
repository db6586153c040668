/* buf.c: bytes that grow up to a limit. */
#include "base/buf.h"
#include "base/die.h"

#include <stdarg.h>
#include <stdio.h>

enum { DEFAULT_LIMIT_BYTES = 1 << 30 };

static int
reserve_bytes(struct buf *b, size_t more)
{
	size_t limit = b->limit ? b->limit : DEFAULT_LIMIT_BYTES;
	if (more > limit || b->n > limit - more)
		return -1;
	size_t want = b->n + more + 1;
	if (want > b->cap) {
		size_t cap = b->cap ? b->cap : 256;
		while (cap < want)
			cap *= 2;
		b->p = xrealloc(b->p, cap);
		b->cap = cap;
	}
	return 0;
}

int
buf_add(struct buf *b, const void *data, size_t n)
{
	if (reserve_bytes(b, n) < 0)
		return -1;
	if (n)
		memcpy(b->p + b->n, data, n);
	b->n += n;
	b->p[b->n] = '\0';
	return 0;
}

int
buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	int failed = n < 0 || reserve_bytes(b, (size_t)n) < 0;
	if (!failed) {
		vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
		b->n += (size_t)n;
	}
	va_end(again);
	return failed ? -1 : 0;
}

void
buf_free(struct buf *b)
{
	free(b->p);
	b->p = NULL;
	b->n = b->cap = 0;
}
