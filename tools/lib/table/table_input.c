/* table_input.c: a file that is read in chunks. */
#include "table/table_input.h"
#include "base/die.h"

#include <errno.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 18, SPARE_BYTES = 64 };

bool
xtable_input_more(struct table_input *in)
{
	if (in->eof)
		return false;
	if (in->at) {
		memmove(in->p, in->p + in->at, in->n - in->at);
		in->n -= in->at;
		in->at = 0;
	}
	if (in->cap - in->n < CHUNK_BYTES + SPARE_BYTES) {
		in->cap = in->n + in->n / 2 + CHUNK_BYTES + SPARE_BYTES;
		in->p = xrealloc(in->p, in->cap);
	}
	ssize_t n;
	do
		n = in->get ? in->get(in, in->p + in->n, CHUNK_BYTES) :
		    read(in->fd, in->p + in->n, CHUNK_BYTES);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		die(ST_SYSTEM, "cannot read '%s':", in->name);
	in->eof = n == 0;
	in->n += (size_t)n;
	memset(in->p + in->n, 0, SPARE_BYTES);
	return !in->eof;
}
