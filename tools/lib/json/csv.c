/* csv.c: fields of CSV as in RFC 4180. */
#include "json/csv.h"
#include "json/json_parse.h"
#include "json/json_text.h"

static bool
is_number(const char *text)
{
	json_t *v = json_loads(text, JSON_DECODE_ANY, NULL);
	bool number = json_is_number(v);
	json_decref(v);
	return number;
}

/* Whether a spreadsheet may evaluate the text as a formula: some skip blanks before it, and
 * some accept full-width signs.  A number is not a formula.  A formula after apostrophes is one
 * too, so that the escape can be reversed: of such a text the first apostrophe is removed. */
static bool
is_formula(const char *text)
{
	static const char *const starts[] = {"=", "+", "-", "@", "\t", "\r", "\n", "\uff1d",
	    "\uff0b", "\uff0d", "\uff20"};
	text += strspn(text, "'");
	text += strspn(text, " ");
	for (size_t i = 0; i < COUNT(starts); i++)
		if (strncmp(text, starts[i], strlen(starts[i])) == 0)
			return !is_number(text);
	return false;
}

void
csv_text(struct buf *b, const char *text, bool escape)
{
	size_t n = strlen(text);
	bool harmful = escape && is_formula(text);
	if (n && !harmful && !strpbrk(text, ",\"\r\n") && text[0] != ' ' && text[n - 1] != ' ') {
		buf_add(b, text, n);
		return;
	}
	buf_add(b, harmful ? "\"'" : "\"", harmful ? 2 : 1);
	for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
		buf_add(b, text, (size_t)(quote - text) + 1);
		buf_add(b, "\"", 1);
	}
	buf_add(b, text, strlen(text));
	buf_add(b, "\"", 1);
}

static bool
of_words(const json_t *list)
{
	const json_t *item;
	size_t i;
	json_array_foreach(list, i, item)
		if (!json_is_string(item))
			return false;
	return json_is_array(list);
}

void
csv_value(struct buf *b, const json_t *v, bool escape)
{
	if (!v || json_is_null(v) || (json_is_array(v) && json_array_size(v) == 0))
		return;
	if (json_is_string(v)) {
		char *text = json_parse_string(v);
		csv_text(b, text, escape);
		free(text);
	} else if (of_words(v)) {
		struct buf words = {0};
		for (size_t i = 0; i < json_array_size(v); i++) {
			const char *word = json_string_value(json_array_get(v, i));
			buf_add(&words, ",", i ? 1 : 0);
			buf_add(&words, word, strlen(word));
		}
		csv_text(b, words.p, escape);
		buf_free(&words);
	} else if (json_is_array(v) || json_is_object(v)) {
		char *text = json_text_of(v);
		csv_text(b, text, escape);
		free(text);
	} else {
		json_text_add(b, v);
	}
}

void
csv_span(struct buf *b, struct span v, bool escape)
{
	if (span_null(v))
		return;
	char *text = span_string(v);
	json_t *j = *v.p == '[' || *v.p == '{' ? span_json(v) : NULL;
	if (text)
		csv_text(b, text, escape);
	else if (j)
		csv_value(b, j, escape);
	else
		buf_add(b, v.p, v.n);
	json_decref(j);
	free(text);
}
