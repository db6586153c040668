/* stream_text.c: the text of a stream as JupyterLab shows and saves it. */
#include "stream_text.h"

#include <string.h>

static size_t
line_begin(const struct buf *text, size_t at)
{
	while (at > 0 && text->p[at - 1] != '\n')
		at--;
	return at;
}

static bool
continues_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Where the character at `at` ends. */
static size_t
character_end(const struct buf *text, size_t at)
{
	while (at < text->n && continues_character(text->p[++at]))
		;
	return at;
}

static void
replace(struct buf *text, size_t from, size_t to, const char *with, size_t n)
{
	struct buf rest = {0};
	if (to < text->n)
		buf_add(&rest, text->p + to, text->n - to);
	text->n = from;
	buf_add(text, with, n);
	buf_add(text, rest.p, rest.n);
	buf_free(&rest);
}

/* Text of one line, whose characters replace as many. */
static void
write_over(struct buf *text, size_t *at, const char *line, size_t n)
{
	size_t to = *at;
	for (size_t i = 0; i < n && to < text->n; i++)
		if (!continues_character(line[i]))
			to = character_end(text, to);
	replace(text, *at, to, line, n);
	*at += n;
}

/* JupyterLab also removes the character after the one that it removes, if there is one. */
static void
remove_before(struct buf *text, size_t *at)
{
	size_t from = *at;
	if (from == line_begin(text, from))
		return;
	do
		from--;
	while (continues_character(text->p[from]));
	replace(text, from, character_end(text, *at), "", 0);
	*at = from;
}

void
stream_text_add(struct buf *text, size_t *at, const char *more, size_t n)
{
	for (const char *p = more, *end = more + n; p < end; p++) {
		const char *stop = p;
		while (stop < end && *stop != '\b' && *stop != '\r' && *stop != '\n')
			stop++;
		write_over(text, at, p, (size_t)(stop - p));
		p = stop;
		if (p < end && *p == '\n') {
			buf_add(text, "\n", 1);
			*at = text->n;
		} else if (p < end && *p == '\r') {
			*at = line_begin(text, *at);
		} else if (p < end) {
			remove_before(text, at);
		}
	}
}
