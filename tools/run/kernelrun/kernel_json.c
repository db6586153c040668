/* kernel_json.c: JSON as kernels write it. */
#include "kernel_json.h"
#include "base/buf.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

enum { ESCAPE_BYTES = 6, MAX_DIGITS = 18 };	/* \uXXXX; of whole numbers that surely fit */

/* The code of \uXXXX at p, in NUL-terminated text; 0: it is something else. */
static unsigned
escaped_code(const char *p)
{
	unsigned code = 0;
	bool is = strncmp(p, "\\u", 2) == 0 && strspn(p + 2, "0123456789abcdefABCDEF") >= 4;
	return is && sscanf(p + 2, "%4x", &code) == 1 ? code : 0;
}

/* Adds what begins with a backslash at p; returns its bytes. */
static size_t
add_escape(struct buf *b, const char *p)
{
	unsigned code = escaped_code(p), next = code ? escaped_code(p + ESCAPE_BYTES) : 0;
	bool first = code >= 0xd800 && code < 0xdc00, second = code >= 0xdc00 && code < 0xe000;
	bool pair = first && next >= 0xdc00 && next < 0xe000;
	size_t n = pair ? 2 * ESCAPE_BYTES : code ? ESCAPE_BYTES : p[1] ? 2 : 1;
	if (!pair && (first || second))
		buf_add(b, REPLACEMENT, 3);
	else
		buf_add(b, p, n);
	return n;
}

/* Adds a number, a whole one that does not fit into 64 bits as a real; returns its bytes. */
static size_t
add_number(struct buf *b, const char *p)
{
	size_t n = strspn(p, "+-0123456789.eE");
	bool whole = strcspn(p, ".eE") >= n;
	buf_add(b, p, n);
	if (whole && n > MAX_DIGITS)
		buf_add(b, ".0", 2);
	return n;
}

/* `text` is NUL-terminated. */
static void
add_repaired(struct buf *b, const char *text, size_t n)
{
	bool in_string = false;
	for (const char *p = text; p < text + n; ) {
		size_t bytes = utf8_length(p);
		if (in_string && *p == '\\') {
			p += add_escape(b, p);
		} else if (!in_string && (*p == '-' || (*p >= '0' && *p <= '9'))) {
			p += add_number(b, p);
		} else {
			in_string = in_string != (*p == '"');
			buf_add(b, bytes ? p : REPLACEMENT, bytes ? bytes : 3);
			p += bytes ? bytes : 1;
		}
	}
}

json_t *
kernel_json_parse(const char *text, size_t n)
{
	enum { FLAGS = JSON_DECODE_ANY | JSON_ALLOW_NUL };
	json_t *value = json_loadb(text, n, FLAGS, NULL);
	if (value || n == 0)
		return value;
	struct buf copy = {0}, repaired = {0};
	buf_add(&copy, text, n);
	add_repaired(&repaired, copy.p, copy.n);
	value = json_loadb(repaired.p, repaired.n, FLAGS, NULL);
	buf_free(&copy);
	buf_free(&repaired);
	return value;
}
