/* terminal_output.c: stdout on a terminal, without characters that control it. */
#include "base/terminal_output.h"
#include "base/buf.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_CHARACTER_BYTES = 4 };

const char *(*terminal_output_escape)(unsigned long code);
static bool guarded;
static char held[MAX_CHARACTER_BYTES];	/* the beginning of a character, whose rest follows */
static size_t n_held;

static void
add_escape(struct buf *b, const char *p, size_t n)
{
	unsigned long c = utf8_code(p, n);
	if (!n)
		buf_addf(b, "\\x%02x", (unsigned char)*p);
	else if (c < 0x10000)
		buf_addf(b, "\\u%04lx", c);
	else
		buf_addf(b, "\\u%04lx\\u%04lx", 0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
}

/* Whether more bytes could make a character, or the end of a line, of these. */
static bool
is_beginning(const char *p, size_t left)
{
	const unsigned char *u = (const unsigned char *)p;
	size_t n = *u >= 0xf0 ? 4 : *u >= 0xe0 ? 3 : *u >= 0xc2 ? 2 : 1;
	for (size_t i = 1; i < left; i++)
		if ((u[i] & 0xc0) != 0x80)
			return false;
	return left < n || (left == 1 && *p == '\r');
}

/* What a terminal may show of the text; the beginning of a character stays in `held`. */
static void
add_safe(struct buf *b, const char *text, size_t len)
{
	struct buf all = {0};
	buf_add(&all, held, n_held);
	buf_add(&all, text, len);
	n_held = 0;
	for (size_t i = 0, n; i < all.n; i += n ? n : 1) {
		const char *p = all.p + i;
		size_t left = all.n - i;
		if (left < MAX_CHARACTER_BYTES && is_beginning(p, left)) {
			memcpy(held, p, left);
			n_held = left;
			break;
		}
		n = utf8_length(p);
		const char *escape =
		    terminal_output_escape ? terminal_output_escape(utf8_code(p, n)) : NULL;
		bool end = *p == '\n' || *p == '\t' || (*p == '\r' && p[1] == '\n');
		if (escape)
			buf_addf(b, "%s", escape);
		else if (!end && utf8_is_unsafe(p, n))
			add_escape(b, p, n);
		else
			buf_add(b, p, n);
	}
	buf_free(&all);
}

static int
write_all(const char *p, size_t n)
{
	while (n) {
		ssize_t got = write(STDOUT_FILENO, p, n);
		if (got < 0 && errno != EINTR)
			return errno;
		p += got > 0 ? got : 0;
		n -= got > 0 ? (size_t)got : 0;
	}
	return 0;
}

int
terminal_output_write(const char *text, size_t len)
{
	if (!guarded)
		return write_all(text, len);
	struct buf b = {0};
	add_safe(&b, text, len);
	int error = write_all(b.p, b.n);
	buf_free(&b);
	return error;
}

static ssize_t
on_write(void *cookie, const char *text, size_t len)
{
	(void)cookie;
	return terminal_output_write(text, len) ? 0 : (ssize_t)len;
}

static int
on_close(void *cookie)
{
	(void)cookie;
	return close(STDOUT_FILENO);
}

void
terminal_output_guard(void)
{
	if (guarded || !isatty(STDOUT_FILENO))
		return;
	FILE *f = fopencookie(NULL, "w", (cookie_io_functions_t){.write = on_write,
	    .close = on_close});
	if (!f)
		return;
	setvbuf(f, NULL, _IOLBF, BUFSIZ);
	stdout = f;
	guarded = true;
}
