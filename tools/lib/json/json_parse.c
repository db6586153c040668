/* json_parse.c: JSON values from text. */
#include "json/json_parse.h"
#include "base/die.h"

#include <stdio.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

const char *
json_parse_format(const char *text, size_t len)
{
	static const struct {
		const char *magic, *reason;
	} formats[] = {
		{"\x1f\x8b", "compressed by gzip: use zcat"},
		{"\xfd" "7zXZ", "compressed by xz: use xzcat"},
		{"\x28\xb5\x2f\xfd", "compressed by zstd: use zstdcat"},
		{"BZh", "compressed by bzip2: use bzcat"},
		{"PK\3\4", "a spreadsheet or an archive: export its table as CSV"},
		{BYTE_ORDER_MARK, "a byte order mark: save it as UTF-8 without one"},
		{"\xff\xfe", "UTF-16: save it as UTF-8, as with iconv -f UTF-16"},
		{"\xfe\xff", "UTF-16: save it as UTF-8, as with iconv -f UTF-16"},
	};
	for (size_t i = 0; i < COUNT(formats); i++) {
		size_t n = strlen(formats[i].magic);
		if (len >= n && memcmp(text, formats[i].magic, n) == 0)
			return formats[i].reason;
	}
	return NULL;
}

/* RFC 8259 without duplicate keys.  jansson ignores a NUL after a number and drops keys
 * with one, so it never sees any. */
json_t *
json_parse_strict(const char *text, size_t len, json_error_t *e)
{
	const char *nul = memchr(text, '\0', len), *reason = json_parse_format(text, len);
	if (reason) {
		*e = (json_error_t){.line = 1, .column = 1};
		snprintf(e->text, sizeof e->text, "%s", reason);
		return NULL;
	}
	if (!nul)
		return json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, e);
	*e = (json_error_t){.line = 1, .column = 1};
	for (const char *p = text; p < nul; p++) {
		e->line += *p == '\n';
		e->column = *p == '\n' ? 1 : e->column + 1;
	}
	snprintf(e->text, sizeof e->text, "a NUL byte");
	return NULL;
}

size_t
json_parse_mark(const char *text, size_t len)
{
	size_t n = strlen(BYTE_ORDER_MARK);
	return len >= n && memcmp(text, BYTE_ORDER_MARK, n) == 0 ? n : 0;
}

json_t *
json_parse_text(const char *text, size_t len, const char *name, char **error)
{
	json_error_t e;
	size_t mark = json_parse_mark(text, len);
	json_t *v = json_parse_strict(text + mark, len - mark, &e);
	if (!v)
		*error = xasprintf("%s:%d:%d: %s", name, e.line < 1 ? 1 : e.line,
		    e.column < 1 ? 1 : e.column, e.text);
	return v;
}

char *
json_parse_string(const json_t *string)
{
	const char *p = json_string_value(string), *end = p + json_string_length(string);
	struct buf b = {0};
	buf_add(&b, "", 0);
	for (;;) {
		size_t n = strlen(p);
		buf_add(&b, p, n);
		if (p + n == end)
			return b.p;
		buf_add(&b, "\xef\xbf\xbd", 3);
		p += n + 1;
	}
}
