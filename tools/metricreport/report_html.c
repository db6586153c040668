/* reporthtml.c: HTML in which everything from outside is text.
 * One rule for text and attributes: both are always quoted, and no character that
 * means something in either goes through. */
#include "report.h"
#include "text/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Characters that turn the text after them round: U+202A..E, U+2066..9. */
static bool
turns_text(const unsigned char *c)
{
	return c[0] == 0xe2 && ((c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) || (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

void
put_text(struct buf *b, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c; c++) {
		switch (*c) {
		case '<': buf_addf(b, "&lt;"); continue;
		case '>': buf_addf(b, "&gt;"); continue;
		case '&': buf_addf(b, "&amp;"); continue;
		case '"': buf_addf(b, "&quot;"); continue;
		case '\'': buf_addf(b, "&#39;"); continue;
		default: break;
		}
		if (turns_text(c)) {
			buf_addf(b, "\xef\xbf\xbd");
			c += 2;
		} else if ((*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7f) {
			/* The picture of the control character. */
			buf_addf(b, "\xe2\x90%c", *c == 0x7f ? 0xa1 : 0x80 + *c);
		} else {
			buf_add(b, c, 1);
		}
	}
}

void
put_url(struct buf *b, const char *name)
{
	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		if (isalnum(*c) || strchr("._-@", *c))
			buf_add(b, c, 1);
		else
			buf_addf(b, "%%%02X", *c);
}

void
put_cut(struct buf *b, const char *text, size_t most)
{
	size_t n = strlen(text);
	if (n > most)
		for (n = most; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
			;
	char *cut = xasprintf("%.*s%s", (int)n, text, text[n] ? " ..." : "");
	put_text(b, cut);
	free(cut);
}

void
put_script_json(struct buf *b, const json_t *value)
{
	char *text = json_text_of(value);
	for (const char *c = text; *c; c++)
		if (*c == '<' || *c == '>' || *c == '&')
			buf_addf(b, "\\u%04x", (unsigned)*c);
		else
			buf_add(b, c, 1);
	free(text);
}

char *
anchor_of(const char *name, long index)
{
	struct buf b = {0};
	buf_addf(&b, "c-");
	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		if (isalnum(*c) || strchr("._-", *c))
			buf_add(&b, c, 1);
		else
			buf_addf(&b, "~%02x", *c);
	buf_addf(&b, "/%ld", index);
	return b.p;
}

void
put_amount(struct buf *b, double x, const char *column)
{
	struct unit u = unit_of(column);
	struct buf t = {0};
	unit_print(&t, x, &u, false);
	put_text(b, t.p);
	buf_free(&t);
}

void
put_number(struct buf *b, double x, int decimals)
{
	if (isfinite(x))
		buf_addf(b, "<td class=\"n\">%.*f</td>", decimals, x);
	else
		buf_addf(b, "<td class=\"n none\">&ndash;</td>");
}

void
put_cell_text(struct buf *b, const char *text, const char *class)
{
	buf_addf(b, "<td%s%s%s>", class ? " class=\"" : "", class ? class : "", class ? "\"" : "");
	put_text(b, text);
	buf_addf(b, "</td>");
}

void
put_table(struct buf *b, const char *class, const char *caption, const char *const *columns)
{
	buf_addf(b, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"");
	put_text(b, caption);
	buf_addf(b, "\"><table class=\"%s\"><caption>", class);
	put_text(b, caption);
	buf_addf(b, "</caption><thead><tr>");
	for (; *columns; columns++) {
		bool number = **columns == '#';
		buf_addf(b, "<th scope=\"col\"%s>", number ? " class=\"n\"" : "");
		put_text(b, *columns + number);
		buf_addf(b, "</th>");
	}
	buf_addf(b, "</tr></thead><tbody>\n");
}

void
end_table(struct buf *b)
{
	buf_addf(b, "</tbody></table></div>\n");
}

bool
put_data(struct buf *b, const char *path, const char *type, size_t limit)
{
	size_t n;
	char *bytes = file_read(path, limit, &n);
	if (!bytes)
		return false;
	char *text = base64_encode(bytes, n);
	buf_addf(b, "data:%s;base64,", type);
	buf_add(b, text, strlen(text));
	free(text);
	free(bytes);
	return true;
}

bool
is_file_name(const char *name)
{
	return name && *name && *name != '.' && !strchr(name, '/') && strlen(name) < 256;
}

void
put_day(struct buf *b, double t)
{
	time_t whole = (time_t)t;
	struct tm tm;
	char text[DAY_FORMAT_BYTES];
	if (isfinite(t) && gmtime_r(&whole, &tm) && strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &tm))
		buf_addf(b, "<time>%s</time>", text);
	else
		buf_addf(b, "at an unknown time");
}

const char *
text_at(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));
	return s ? s : "";
}

char *
column_told(const json_t *o)
{
	const char *column = text_at(o, "column"), *unit = text_at(o, "unit");
	if (!*unit || unit_of(column).quantity != OF_NOTHING)
		return xstrdup(column);
	return xasprintf("%s_%s", column, strcmp(unit, "B") == 0 ? "bytes" : strcmp(unit, "%") == 0 ? "pct" : unit);
}

void
put_amount_of(struct buf *b, const json_t *o, const char *key, const char *column)
{
	double x = json_value_real_at(o, key);
	buf_addf(b, "<td class=\"n\"");
	if (isfinite(x))
		buf_addf(b, " data-v=\"%.9g\"", x);
	buf_addf(b, ">");
	put_amount(b, x, column);
	buf_addf(b, "</td>");
}
