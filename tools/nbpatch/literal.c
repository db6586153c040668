/* literal.c: a JSON value as code of Python, R or Julia, and as text within
 * what stands around it: a string of any kind, a comment.
 */
#include "generate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* R has no integers beyond its doubles. */
#define R_EXACT (INT64_C(1) << 53)

static const struct words {
	const char *null, *yes, *no;
	const char *list, *list_end, *object, *object_end, *pair;
} words[] = {
	[LANG_PYTHON] = {"None", "True", "False", "[", "]", "{", "}", ": "},
	[LANG_R] = {"NULL", "TRUE", "FALSE", "list(", ")", "list(", ")", " = "},
	[LANG_JULIA] = {"nothing", "true", "false", "[", "]", "Dict(", ")", " => "},
};

static void
add(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

/* ---- text within strings and comments ---- */

enum { LAST_SEPARATOR = 0x2029 };	/* of lines and paragraphs: what turns text comes behind it */

/* What must not stand as it is, in any language: control characters, what some
 * readers take for an end of line, and what turns the direction of text, which R
 * refuses.  The length of such a one, its code. */
static size_t
control_at(const char *s, unsigned *code)
{
	const unsigned char *p = (const unsigned char *)s;
	*code = p[0] < 0x20 || p[0] == 0x7f ? p[0] : p[0] == 0xc2 && p[1] == 0x85 ? 0x85 :
	    p[0] == 0xe2 && p[1] == 0x80 && p[2] >= 0xa8 && p[2] <= 0xae ? 0x2000u + p[2] - 0x80 :
	    p[0] == 0xe2 && p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9 ? 0x2040u + p[2] - 0x80 : 0;
	return *code > 0xff ? 3 : *code > 0x7f ? 2 : *code ? 1 : 0;
}

static void
add_control(struct buf *b, enum language l, const struct spot *spot, unsigned code)
{
	const char *simple = code == '\n' ? "\\n" : code == '\r' ? "\\r" : code == '\t' ? "\\t" : NULL;
	if (simple)
		add(b, simple);
	else if (code > 0xff || (l == LANG_R && !spot->bytes))
		buf_addf(b, "\\u%04x", code);
	else
		buf_addf(b, l == LANG_JULIA && code > 0x7f ? "\\u%04x" : "\\x%02x", code);
}

static bool
has_direction(const char *s)
{
	for (; *s; s++) {
		unsigned code;
		control_at(s, &code);
		if (code > LAST_SEPARATOR)
			return true;
	}
	return false;
}

static const char *
check_raw(enum language l, const struct spot *spot, const char *s)
{
	size_t n = strlen(s);
	if (strchr(s, spot->quote))
		return "a raw string cannot hold its own quote";
	if (n && s[n - 1] == '\\')
		return "a raw string cannot end in a backslash";
	if (strchr(s, '\r'))
		return "a raw string cannot hold a carriage return, which is read as a newline";
	if (!spot->triple && strchr(s, '\n'))
		return "a raw string cannot hold a newline";
	if (l == LANG_R && has_direction(s))
		return "a raw string cannot hold what turns the direction of text, which R refuses in code";
	return NULL;
}

static bool
needs_backslash(enum language l, const struct spot *spot, char c)
{
	return spot->kind == IN_STRING && (c == '\\' || c == spot->quote || (c == '$' && l == LANG_JULIA));
}

static const char *
escape(struct buf *b, enum language l, const struct spot *spot, const char *s)
{
	const char *why = spot->kind == IN_RAW_STRING ? check_raw(l, spot, s) : NULL;
	for (; *s && !why; s++) {
		unsigned code;
		size_t n = spot->kind == IN_RAW_STRING ? 0 : control_at(s, &code);
		if (spot->bytes && (unsigned char)*s >= 0x80)
			return "a byte string holds ASCII only";
		if (n) {
			add_control(b, l, spot, code);
			s += n - 1;
			continue;
		}
		if (spot->kind == IN_BLOCK_COMMENT && *s == '#') {
			add(b, "\\x23");
			continue;
		}
		if (needs_backslash(l, spot, *s))
			add(b, "\\");
		if (spot->format && (*s == '{' || *s == '}'))
			buf_add(b, s, 1);
		buf_add(b, s, 1);
	}
	return why;
}

/* ---- values as code ---- */

static const char *
add_string(struct buf *b, enum language l, const char *s)
{
	static const struct spot quoted = {.kind = IN_STRING, .quote = '"'};
	add(b, "\"");
	escape(b, l, &quoted, s);
	add(b, "\"");
	return NULL;
}

/* What R's c() keeps as it is: all numbers, all strings or all truth values. */
static bool
is_vector(const json_t *list)
{
	size_t i, numbers = 0, strings = 0, booleans = 0, n = json_array_size(list);
	json_t *v;
	json_array_foreach(list, i, v) {
		numbers += json_is_number(v);
		strings += json_is_string(v);
		booleans += json_is_boolean(v);
	}
	return n && (numbers == n || strings == n || booleans == n);
}

static const char *
add_list(struct buf *b, enum language l, const json_t *list)
{
	const char *why = NULL;
	size_t i;
	json_t *v;
	add(b, l == LANG_R && is_vector(list) ? "c(" : words[l].list);
	json_array_foreach(list, i, v) {
		add(b, i ? ", " : "");
		if (!why)
			why = add_literal(b, l, v);
	}
	add(b, words[l].list_end);
	return why;
}

static const char *
add_object(struct buf *b, enum language l, const json_t *object)
{
	const char *why = NULL, *key;
	json_t *v;
	bool first = true;
	add(b, words[l].object);
	/* jansson's macro wants a non-const object; nothing is changed. */
	json_object_foreach((json_t *)(uintptr_t)object, key, v) {
		add(b, first ? "" : ", ");
		first = false;
		if (l == LANG_R && !*key)
			return "a list in R has no empty name";
		add_string(b, l, key);
		add(b, words[l].pair);
		if (!why)
			why = add_literal(b, l, v);
	}
	add(b, words[l].object_end);
	return why;
}

const char *
add_literal(struct buf *b, enum language l, const json_t *v)
{
	switch (json_typeof(v)) {
	case JSON_NULL: add(b, words[l].null); return NULL;
	case JSON_TRUE: add(b, words[l].yes); return NULL;
	case JSON_FALSE: add(b, words[l].no); return NULL;
	case JSON_STRING: return add_string(b, l, json_string_value(v));
	case JSON_ARRAY: return add_list(b, l, v);
	case JSON_OBJECT: return add_object(b, l, v);
	case JSON_INTEGER:
		if (l == LANG_R && (json_integer_value(v) > R_EXACT || json_integer_value(v) < -R_EXACT))
			return "R holds no integer beyond 2^53 exactly";
		break;
	case JSON_REAL: break;
	}
	dump_json(b, v);
	return NULL;
}

const char *
add_within(struct buf *b, enum language l, const struct spot *spot, const json_t *v)
{
	if (json_is_string(v))
		return escape(b, l, spot, json_string_value(v));
	struct buf text = {0};
	const char *why = add_literal(&text, l, v);
	if (!why)
		why = escape(b, l, spot, text.p);
	buf_free(&text);
	return why;
}
