/* passthrough.c: records that a filter passes on unchanged. */
#include "json/passthrough.h"
#include "base/die.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 16 };

/* Processes the complete lines of `b`, at the end all of it, and drops them from it. */
static void
pass_lines(struct buf *b, struct lines *in, bool end, const struct passthrough *pass)
{
	static struct scan s;
	size_t pos = 0;
	while (pos < b->n) {
		char *start = b->p + pos, *nl = memchr(start, '\n', b->n - pos);
		size_t n = nl ? (size_t)(nl - start) : b->n - pos;
		if (n > LINE_LIMIT_BYTES)
			die(ST_INPUT, "%s:%lu:1: line longer than %d bytes", in->name,
			    in->number + 1, LINE_LIMIT_BYTES);
		if (!nl && !end)
			break;
		start[n] = '\0';
		in->number++;
		xscan_record(&s, in, start, n);
		if (pass->before)
			pass->before(&s, in);
		if (nl)
			*nl = '\n';
		pass->write(start, n + (nl ? 1 : 0));
		if (pass->after)
			pass->after(&s, in, nl != NULL);
		pos += n + (nl ? 1 : 0);
	}
	memmove(b->p, b->p + pos, b->n - pos);
	b->n -= pos;
}

bool
xpassthrough_input(const struct passthrough *pass)
{
	static struct lines in = {.name = "stdin"};
	static struct buf b;
	char chunk[CHUNK_BYTES];
	ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
	if (n < 0 && errno == EINTR)
		return true;
	if (n < 0)
		die(ST_SYSTEM, "cannot read '%s':", in.name);
	buf_add(&b, chunk, (size_t)n);
	if (b.n)
		pass_lines(&b, &in, n == 0, pass);
	if (n == 0)
		buf_free(&b);
	return n > 0;
}
