/* member.c: members of a JSON object written as text. */
#include "json/member.h"
#include "json/json_text.h"

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

void
member_real(struct buf *b, const char *key, double x)
{
	member_key(b, key);
	json_text_add_real(b, x);
	buf_add(b, ",", 1);
}

void
member_string(struct buf *b, const char *key, const char *text)
{
	json_text_add_string(b, key, strlen(key));
	buf_add(b, ":", 1);
	if (text)
		json_text_add_string(b, text, strlen(text));
	member_raw(b, text ? "," : "null,");
}

void
member_end(struct buf *b)
{
	if (b->n && b->p[b->n - 1] == ',')
		b->p[b->n - 1] = '}';
	else
		buf_add(b, "}", 1);
}
