/* stream_text.c: the text of a stream as JupyterLab shows and saves it. */
#include "stream_text.h"

#include <string.h>

static size_t
line_begin(const struct stream_text *s)
{
	size_t at = s->at;
	while (at > 0 && s->text.p[at - 1] != '\n')
		at--;
	return at;
}

static bool
continues_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t
count_characters(const char *text, size_t n)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += !continues_character(text[i]);
	return count;
}

/* Where as many characters after `at` end, or the text does. */
static size_t
after_characters(const struct stream_text *s, size_t count)
{
	size_t to = s->at;
	for (; to < s->text.n && count > 0; count--)
		do
			to++;
		while (to < s->text.n && continues_character(s->text.p[to]));
	return to;
}

/* Text without control characters that move. */
static void
write_over(struct stream_text *s, const char *text, size_t n)
{
	if (s->at < s->text.n) {
		size_t to = after_characters(s, count_characters(text, n));
		struct buf rest = {0};
		buf_add(&rest, s->text.p + to, s->text.n - to);
		s->text.n = s->at;
		buf_add(&s->text, text, n);
		s->at = s->text.n;
		buf_add(&s->text, rest.p, rest.n);
		buf_free(&rest);
		return;
	}
	buf_add(&s->text, text, n);
	s->at = s->text.n;
}

void
stream_text_add(struct stream_text *s, const char *text, size_t n)
{
	for (const char *p = text, *end = text + n; p < end; ) {
		const char *stop = p;
		while (stop < end && *stop != '\b' && *stop != '\r' &&
		    !(*stop == '\n' && s->at < s->text.n))
			stop++;
		if (stop > p)
			write_over(s, p, (size_t)(stop - p));
		if (stop < end && *stop == '\n') {
			buf_add(&s->text, "\n", 1);
			s->at = s->text.n;
		} else if (stop < end && *stop == '\r') {
			s->at = line_begin(s);
		} else if (stop < end && s->at > line_begin(s)) {
			do
				s->at--;
			while (continues_character(s->text.p[s->at]));
		}
		p = stop + (stop < end);
	}
}

void
stream_text_free(struct stream_text *s)
{
	buf_free(&s->text);
	s->at = 0;
}
