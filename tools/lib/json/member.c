/* member.c: members of a JSON object written as text. */
#include "json/member.h"

#include <stdio.h>

void
member_raw(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

static void
member_key(struct buf *b, const char *key)
{
	char text[64] = "\"";
	size_t n = strlen(key);
	if (n + 3 > sizeof text) {
		buf_addf(b, "\"%s\":", key);
		return;
	}
	memcpy(text + 1, key, n);
	memcpy(text + 1 + n, "\":", 2);
	buf_add(b, text, n + 3);
}

void
member_span(struct buf *b, const char *key, struct span value)
{
	member_key(b, key);
	buf_add(b, value.p ? value.p : "null", value.p ? value.n : 4);
	member_raw(b, ",");
}

void
member_text(struct buf *b, const char *key, const char *text)
{
	member_key(b, key);
	member_raw(b, "\"");
	member_raw(b, text);
	member_raw(b, "\",");
}

/* Avoids snprintf() for speed: each record has thirty numbers. */
void
member_number(struct buf *b, const char *key, double x, bool whole)
{
	member_key(b, key);
	if (!isfinite(x) || fabs(x) > 9e12) {
		char wide[40];
		snprintf(wide, sizeof wide, "%.17g", x);
		member_raw(b, isfinite(x) ? wide : "null");
		member_raw(b, ",");
		return;
	}
	char text[40], *p = text + sizeof text;
	long long scaled = llround(whole ? x : x * 1e6);
	unsigned long long left = (unsigned long long)llabs(scaled);
	*--p = ',';
	if (!whole) {
		bool significant = false;
		for (int i = 0; i < 6; i++, left /= 10) {
			significant = significant || left % 10 || i == 5;
			if (significant)
				*--p = (char)('0' + left % 10);
		}
		*--p = '.';
	}
	do
		*--p = (char)('0' + left % 10);
	while (left /= 10);
	if (scaled < 0)
		*--p = '-';
	buf_add(b, p, (size_t)(text + sizeof text - p));
}

/* The end of the line of JSON text that begins at p, or its first `most` bytes. */
static const char *
line_stop(const char *p, const char *end, size_t most)
{
	const char *stop = p;
	while (stop < end && (size_t)(stop - p) < most &&
	    !(*stop == '\\' && strchr("nr", stop[1]))) {
		if (*stop == '\\') {
			bool pair = stop[1] == 'u' && strchr("dD", stop[2]) &&
			    strchr("89abAB", stop[3]);
			stop += stop[1] != 'u' ? 2 : pair ? 12 : 6;
		} else {
			stop++;
		}
	}
	return stop;
}

void
member_line(struct buf *b, const char *key, struct span text, size_t most)
{
	if (!text.p || *text.p != '"') {
		member_span(b, key, (struct span){0});
		return;
	}
	const char *p = text.p + 1, *end = text.p + text.n - 1, *first = NULL;
	for (;;) {
		while (p < end && (*p == ' ' || (*p == '\\' && strchr("nrt", p[1]))))
			p += *p == ' ' ? 1 : 2;
		if (p < end && (*p == '#' || *p == '%')) {
			first = first ? first : p;
			p = line_stop(p, end, SIZE_MAX);
		} else {
			break;
		}
	}
	if (p >= end && first)
		p = first;
	const char *stop = line_stop(p, end, most);
	while (stop < end && (*stop & 0xc0) == 0x80)
		stop++;
	member_key(b, key);
	member_raw(b, "\"");
	buf_add(b, p, (size_t)(stop - p));
	member_raw(b, "\",");
}
