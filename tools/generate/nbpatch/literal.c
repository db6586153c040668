/* literal.c: a JSON value as code of Python, R or Julia, and as text within a string or a comment
 * of it.
 */
#include "literal.h"
#include "json/json_text.h"

#include <inttypes.h>

/* R has no integers larger than its doubles hold. */
#define MAX_R_INTEGER (INT64_C(1) << 53)

static const struct literal_words {
	const char *null, *yes, *no;
	const char *list, *list_end, *object, *object_end, *pair;
} words[] = {
	[LANG_PYTHON] = {"None", "True", "False", "[", "]", "{", "}", ": "},
	[LANG_R] = {"NULL", "TRUE", "FALSE", "list(", ")", "list(", ")", " = "},
	[LANG_JULIA] = {"nothing", "true", "false", "[", "]", "Dict(", ")", " => "},
};

static void
add_text(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

/* ---- text within strings and comments ---- */

enum { PARAGRAPH_SEPARATOR = 0x2029 };	/* what changes the direction of text has higher codes */

/* What must be escaped in any language: control characters, what some readers take for the end of
 * a line, and what changes the direction of text, which R refuses.  Returns the length of such a
 * character in bytes, or 0. */
static size_t
control_length(const char *s, unsigned *code)
{
	const unsigned char *p = (const unsigned char *)s;
	*code = p[0] < 0x20 || p[0] == 0x7f ? p[0] : p[0] == 0xc2 && p[1] == 0x85 ? 0x85 : 0;
	if (p[0] == 0xe2 && p[1] == 0x80 && p[2] >= 0xa8 && p[2] <= 0xae)
		*code = 0x2000u + p[2] - 0x80;
	if (p[0] == 0xe2 && p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9)
		*code = 0x2040u + p[2] - 0x80;
	return *code > 0xff ? 3 : *code > 0x7f ? 2 : *code ? 1 : 0;
}

static void
add_control(struct buf *b, enum language l, unsigned code)
{
	bool short_form = l != LANG_R && code <= (l == LANG_JULIA ? 0x7f : 0xff);
	if (code == '\n' || code == '\r' || code == '\t')
		add_text(b, code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t");
	else
		buf_addf(b, short_form ? "\\x%02x" : "\\u%04x", code);
}

static bool
changes_direction(const char *s)
{
	unsigned code = 0;
	while (*s && code <= PARAGRAPH_SEPARATOR)
		control_length(s++, &code);
	return code > PARAGRAPH_SEPARATOR;
}

static const char *
check_raw_string(enum language l, const struct lexer_spot *spot, const char *s)
{
	size_t n = strlen(s);
	const char three[] = {spot->quote, spot->quote, spot->quote, '\0'};
	bool at_end = n && (s[0] == spot->quote || s[n - 1] == spot->quote);
	if (spot->triple ? strstr(s, three) || at_end : strchr(s, spot->quote) != NULL)
		return "a raw string cannot contain its own quote";
	if (n && s[n - 1] == '\\')
		return "a raw string cannot end in a backslash";
	if (strchr(s, '\r'))
		return "a raw string cannot contain a carriage return, which is read as a newline";
	if (!spot->multiline && strchr(s, '\n'))
		return "a raw string cannot contain a newline";
	if (l == LANG_R && changes_direction(s))
		return "R refuses characters that change the direction of text in a raw string";
	return NULL;
}

static const char *
add_escaped(struct buf *b, enum language l, const struct lexer_spot *spot, const char *s)
{
	bool raw = spot->kind == IN_RAW_STRING;
	const char *fault = raw ? check_raw_string(l, spot, s) : NULL;
	for (; *s && !fault; s++) {
		unsigned code;
		size_t n = raw ? 0 : control_length(s, &code);
		if (spot->bytes && (unsigned char)*s >= 0x80)
			return "a bytes literal can contain ASCII characters only";
		if (n) {
			add_control(b, l, code);
			s += n - 1;
		} else if (spot->kind == IN_BLOCK_COMMENT && *s == '#') {
			add_text(b, "\\x23");	/* it could end or nest the comment */
		} else {
			if (spot->kind == IN_STRING && (*s == '\\' || *s == spot->quote ||
			    (*s == '$' && l == LANG_JULIA)))
				add_text(b, "\\");
			if (spot->format && (*s == '{' || *s == '}'))
				buf_add(b, s, 1);
			buf_add(b, s, 1);
		}
	}
	return fault;
}

const char *
literal_add_text(struct buf *b, enum language l, const struct lexer_spot *spot, json_t *v)
{
	if (json_is_string(v))
		return add_escaped(b, l, spot, json_string_value(v));
	struct buf text = {0};
	const char *fault = literal_add(&text, l, v);
	if (!fault)
		fault = add_escaped(b, l, spot, text.p);
	buf_free(&text);
	return fault;
}

/* ---- values as code ---- */

static void
add_string(struct buf *b, enum language l, const char *s)
{
	static const struct lexer_spot quoted = {.kind = IN_STRING, .quote = '"'};
	add_text(b, "\"");
	add_escaped(b, l, &quoted, s);
	add_text(b, "\"");
}

/* R's c() does not convert the elements if all are numbers, strings or booleans. */
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
add_list(struct buf *b, enum language l, json_t *list)
{
	const char *fault = NULL;
	size_t i;
	json_t *v;
	add_text(b, l == LANG_R && is_vector(list) ? "c(" : words[l].list);
	json_array_foreach(list, i, v) {
		add_text(b, i ? ", " : "");
		if (!fault)
			fault = literal_add(b, l, v);
	}
	add_text(b, words[l].list_end);
	return fault;
}

static const char *
add_object(struct buf *b, enum language l, json_t *object)
{
	const char *fault = NULL, *key, *comma = "";
	json_t *v;
	add_text(b, words[l].object);
	json_object_foreach(object, key, v) {
		if (l == LANG_R && !*key)
			return "a list in R cannot have an empty name";
		add_text(b, comma);
		comma = ", ";
		add_string(b, l, key);
		add_text(b, words[l].pair);
		if (!fault)
			fault = literal_add(b, l, v);
	}
	add_text(b, words[l].object_end);
	return fault;
}

const char *
literal_add(struct buf *b, enum language l, json_t *v)
{
	json_int_t integer = json_integer_value(v);
	if (json_is_array(v))
		return add_list(b, l, v);
	if (json_is_object(v))
		return add_object(b, l, v);
	if (l == LANG_R && (integer > MAX_R_INTEGER || integer < -MAX_R_INTEGER))
		return "R represents integers exactly up to 2^53 only";
	if (json_is_string(v))
		add_string(b, l, json_string_value(v));
	else if (json_is_number(v))
		json_text_add(b, v);
	else if (json_is_null(v))
		add_text(b, words[l].null);
	else
		add_text(b, json_is_true(v) ? words[l].yes : words[l].no);
	return NULL;
}
