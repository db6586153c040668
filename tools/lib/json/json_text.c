/* json_text.c: JSON values as text. */
#include "json/json_text.h"
#include "base/die.h"
#include "base/num.h"

#include <math.h>

void
json_text_add_real(struct buf *b, double x)
{
	char text[44] = "null", *end = text + strlen("null");
	if (isfinite(x)) {
		end = num_text(text, x);
		if (fabs(x) < 1e15 && !(trunc(x) < x || trunc(x) > x)) {
			memcpy(end, ".0", 3);
			end += 2;
		}
	}
	buf_add(b, text, (size_t)(end - text));
}

/* jansson escapes what JSON requires; DEL and C1 control terminals as well. */
static int
add_escaped(const char *data, size_t n, void *b)
{
	const char *end = data + n;
	for (const char *p = data; p < end; p++) {
		bool c1 = (unsigned char)*p == 0xc2 && p + 1 < end && (unsigned char)p[1] < 0xa0;
		if (*p != 0x7f && !c1)
			continue;
		if (buf_add(b, data, (size_t)(p - data)) < 0 ||
		    buf_addf(b, "\\u%04x", c1 ? (unsigned char)p[1] : 0x7fu) < 0)
			return -1;
		p += c1;
		data = p + 1;
	}
	return buf_add(b, data, (size_t)(end - data));
}

/* Whether the text needs no escapes in JSON: nearly all texts do not. */
static bool
is_plain(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
			return false;
	}
	return true;
}

void
json_text_add_string(struct buf *b, const char *text, size_t n)
{
	if (is_plain(text, n)) {
		if (buf_add(b, "\"", 1) < 0 || buf_add(b, text, n) < 0 || buf_add(b, "\"", 1) < 0)
			die(ST_SYSTEM, "out of memory");
		return;
	}
	json_t *v = json_stringn(text, n);
	if (!v || json_dump_callback(v, add_escaped, b, JSON_ENCODE_ANY) < 0)
		die(ST_SYSTEM, "out of memory");
	json_decref(v);
}

void
json_text_add(struct buf *b, const json_t *v)
{
	const char *key;
	json_t *item;
	size_t i;
	switch (json_typeof(v)) {
	case JSON_REAL:
		json_text_add_real(b, json_real_value(v));
		return;
	case JSON_ARRAY:
		buf_add(b, "[", 1);
		json_array_foreach(v, i, item) {
			if (i)
				buf_add(b, ",", 1);
			json_text_add(b, item);
		}
		buf_add(b, "]", 1);
		return;
	case JSON_OBJECT: {
		bool first = true;
		buf_add(b, "{", 1);
		/* jansson's macro requires a non-const object; nothing is changed. */
		json_object_foreach((json_t *)(uintptr_t)v, key, item) {
			if (!first)
				buf_add(b, ",", 1);
			first = false;
			json_text_add_string(b, key, strlen(key));
			buf_add(b, ":", 1);
			json_text_add(b, item);
		}
		buf_add(b, "}", 1);
		return;
	}
	case JSON_STRING:
		json_text_add_string(b, json_string_value(v), json_string_length(v));
		return;
	default:
		if (json_dump_callback(v, add_escaped, b, JSON_ENCODE_ANY) < 0)
			die(ST_SYSTEM, "out of memory");
	}
}

char *
json_text_of(const json_t *v)
{
	struct buf b = {0};
	json_text_add(&b, v);
	return b.p;
}
