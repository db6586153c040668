/* html.c: pieces of HTML.  Everything from outside becomes text.
 * Text and attributes have the same rule: attributes are always quoted, and every
 * character that is special in either is escaped. */
#include "base/die.h"
#include "base/file.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "text/base64.h"
#include "text/markup.h"
#include "metric/metric_column.h"
#include "html.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The controls of the writing direction: U+202A..E, U+2066..9. */
static bool
is_direction_control(const unsigned char *c)
{
	return c[0] == 0xe2 &&
	    ((c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) ||
	    (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

void
html_text(struct buf *b, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c; c++) {
		if (markup_escape(b, (char)*c))
			continue;
		if (is_direction_control(c)) {
			buf_addf(b, "\xef\xbf\xbd");
			c += 2;
		} else if ((*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7f) {
			/* The Unicode symbol for the control character. */
			buf_addf(b, "\xe2\x90%c", *c == 0x7f ? 0xa1 : 0x80 + *c);
		} else {
			buf_add(b, c, 1);
		}
	}
}

void
html_url(struct buf *b, const char *name)
{
	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		if (isalnum(*c) || strchr("._-@", *c))
			buf_add(b, c, 1);
		else
			buf_addf(b, "%%%02X", *c);
}

void
html_text_cut(struct buf *b, const char *text, size_t most)
{
	size_t n = strlen(text);
	if (n > most)
		for (n = most; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
			;
	char *cut = xasprintf("%.*s%s", (int)n, text, text[n] ? " ..." : "");
	html_text(b, cut);
	free(cut);
}

void
html_script_json(struct buf *b, const json_t *value)
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
html_anchor(const char *name, long index)
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
html_amount(struct buf *b, double x, const char *column)
{
	struct unit u = metric_unit_of(column);
	struct buf t = {0};
	unit_print(&t, x, &u, false);
	html_text(b, t.p);
	buf_free(&t);
}

void
html_td_number(struct buf *b, double x, int decimals)
{
	if (isfinite(x))
		buf_addf(b, "<td class=\"n\">%.*f</td>", decimals, x);
	else
		buf_addf(b, "<td class=\"n none\">&ndash;</td>");
}

void
html_td_text(struct buf *b, const char *text, const char *class)
{
	buf_addf(b, "<td%s%s%s>", class ? " class=\"" : "", class ? class : "", class ? "\"" : "");
	html_text(b, text);
	buf_addf(b, "</td>");
}

void
html_table(struct buf *b, const char *class, const char *caption, const char *const *columns)
{
	buf_addf(b, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"");
	html_text(b, caption);
	buf_addf(b, "\"><table class=\"%s\"><caption>", class);
	html_text(b, caption);
	buf_addf(b, "</caption><thead><tr>");
	for (; *columns; columns++) {
		bool number = **columns == '#';
		buf_addf(b, "<th scope=\"col\"%s>", number ? " class=\"n\"" : "");
		html_text(b, *columns + number);
		buf_addf(b, "</th>");
	}
	buf_addf(b, "</tr></thead><tbody>\n");
}

void
html_table_end(struct buf *b)
{
	buf_addf(b, "</tbody></table></div>\n");
}

char *
html_metric_column(enum metric_id id, const char *unit)
{
	const char *title = metric_catalogue[id].title;
	return unit ? xasprintf("#%s, %s", title, unit) : xasprintf("#%s", title);
}

bool
html_data(struct buf *b, const char *path, const char *type, size_t limit)
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
html_is_file_name(const char *name)
{
	return name && *name && *name != '.' && !strchr(name, '/') && strlen(name) < 256;
}

void
html_day(struct buf *b, double t)
{
	time_t whole = (time_t)t;
	struct tm tm;
	char text[sizeof "2026-11-23 00:00:00 UTC"];
	if (isfinite(t) && gmtime_r(&whole, &tm) &&
	    strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &tm))
		buf_addf(b, "<time>%s</time>", text);
	else
		buf_addf(b, "unknown time");
}

void
html_count(struct buf *b, size_t n, const char *what)
{
	char digits[32];
	snprintf(digits, sizeof digits, "%zu", n);
	for (size_t i = 0, k = strlen(digits); i < k; i++)
		buf_addf(b, "%s%c", i && (k - i) % 3 == 0 ? "," : "", digits[i]);
	buf_addf(b, " %s%s", what, n == 1 ? "" : "s");
}

void
html_number(struct buf *b, const char *what, const char *value)
{
	buf_addf(b, "<div class=\"number\"><h3>");
	html_text(b, what);
	buf_addf(b, "</h3><p class=\"value\">");
	html_text(b, value);
	buf_addf(b, "</p>");
}

void
html_members(struct buf *b, const json_t *o)
{
	const char *key;
	json_t *v;
	size_t n = 0;
	json_object_foreach((json_t *)o, key, v) {
		char *text = json_is_string(v) ? xstrdup(json_string_value(v)) : json_text_of(v);
		buf_addf(b, n++ ? " " : "");
		html_text(b, key);
		buf_addf(b, "=");
		html_text(b, text);
		free(text);
	}
}

void
html_empty(struct buf *b, const char *html)
{
	buf_addf(b, "<p class=\"empty\">%s</p>\n", html);
}

void
html_more(struct buf *b, size_t n, size_t most, const char *where)
{
	if (n > most)
		buf_addf(b, "<p>%zu more: %s.</p>\n", n - most, where);
}

const char *
html_member(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));
	return s ? s : "";
}

char *
html_column(const json_t *o)
{
	const char *column = html_member(o, "column"), *unit = html_member(o, "unit");
	if (!*unit || metric_unit_of(column).quantity != OF_NOTHING)
		return xstrdup(column);
	return xasprintf("%s_%s", column, strcmp(unit, "B") == 0 ? "bytes" : strcmp(unit, "%") == 0
	    ? "pct" : unit);
}

void
html_td_amount(struct buf *b, const json_t *o, const char *key, const char *column)
{
	double x = json_value_real_at(o, key);
	buf_addf(b, "<td class=\"n\"");
	if (isfinite(x))
		buf_addf(b, " data-v=\"%.9g\"", x);
	buf_addf(b, ">");
	html_amount(b, x, column);
	buf_addf(b, "</td>");
}
