/* html.c: text and numbers in HTML, and the helpers of templates. */
#include "html.h"
#include "base/die.h"
#include "base/file.h"
#include "json/json_text.h"
#include "metric/metric_column.h"
#include "text/base64.h"
#include "text/markup.h"

#include <ctype.h>
#include <stdio.h>
#include <time.h>

enum { MAX_DATA_BYTES = 8 << 20, MAX_DIGITS = 20 };

static bool plain;

void
html_set_plain(bool on)
{
	plain = on;
}

/* The controls of the writing direction: U+202A..E, U+2066..9. */
static bool
is_direction_control(const unsigned char *c)
{
	return c[0] == 0xe2 &&
	    ((c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) ||
	    (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

static bool
is_ordinary(unsigned char c)
{
	return c >= ' ' && c != 0x7f && c != 0xe2 && !strchr("<>&\"'", c);
}

/* Text between tags, or between the quotes of an attribute. NULL: nothing. */
static void
put_escaped(struct buf *b, const char *text)
{
	const unsigned char *c = (const unsigned char *)(text ? text : ""), *from = c;
	for (; *c; from = c) {
		while (*c && is_ordinary(*c))
			c++;
		buf_add(b, from, (size_t)(c - from));
		if (!*c)
			break;
		if (is_direction_control(c)) {
			buf_addf(b, "\xef\xbf\xbd");
			c += 2;
		} else if ((*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7f) {
			/* The Unicode symbol for the control character. */
			buf_addf(b, "\xe2\x90%c", *c == 0x7f ? 0xa1 : 0x80 + *c);
		} else if (plain || !markup_escape(b, (char)*c)) {
			buf_add(b, c, 1);
		}
		c++;
	}
}

void
html_url(struct buf *b, const char *name)
{
	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		if (isalnum(*c) || strchr("/._-@", *c))
			buf_add(b, c, 1);
		else
			buf_addf(b, "%%%02X", *c);
}

void
html_script_json(struct buf *b, const json_t *value)
{
	char *text = json_text_of(value);
	for (const char *c = text, *end; *c; c = end + (*end != '\0')) {
		end = c + strcspn(c, "<>&");
		buf_add(b, c, (size_t)(end - c));
		if (*end)
			buf_addf(b, "\\u%04x", (unsigned)*end);
	}
	free(text);
}

bool
html_is_file_name(const char *name)
{
	return name && *name && *name != '.' && !strchr(name, '/') && strlen(name) < 256;
}

/* ---- helpers ------------------------------------------------------------------------ */

void
html_json(struct buf *b, const json_t *v)
{
	bool whole = json_is_integer(v);
	char *text = whole || json_is_string(v) || json_is_null(v) ? NULL : json_text_of(v);
	if (whole)
		buf_addf(b, "%lld", json_integer_value(v));
	else
		put_escaped(b, text ? text : json_string_value(v));
	free(text);
}

/* It costs less than buf_addf(). */
static void
add_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

static size_t
number_of(const char *arg, size_t most)
{
	unsigned long n = strtoul(arg, NULL, 10);
	return n < most ? n : most;
}

/* Writes what printf would, in a fifth of its time; false: the number is too large, or too near to
 * the middle of two others. */
static bool
put_digits(struct buf *b, double v, size_t decimals)
{
	static const double powers[] = {1, 10, 100, 1e3, 1e4, 1e5};
	double x = decimals < COUNT(powers) ? v * powers[decimals] : -1, whole = floor(x);
	char text[32], *end = text + sizeof text, *at = end;
	if (!(x >= 0 && x < 1e9) || fabs(x - whole - 0.5) < 1e-6)
		return false;
	unsigned long n = (unsigned long)whole + (x - whole > 0.5);
	for (size_t i = 0; n || i <= decimals; i++, n /= 10) {
		if (i && i == decimals)
			*--at = '.';
		*--at = (char)('0' + n % 10);
	}
	buf_add(b, at, (size_t)(end - at));
	return true;
}

/* {{fixed X 3}}: "0.500" */
static void
put_fixed(struct buf *b, const json_t *v, const char *decimals)
{
	size_t n = number_of(decimals, MAX_DIGITS);
	char text[400];
	if (put_digits(b, json_number_value(v), n))
		return;
	snprintf(text, sizeof text, "%.*f", (int)n, json_number_value(v));
	add_text(b, text);
}

/* {{general X 6}}: six digits */
static void
put_general(struct buf *b, const json_t *v, const char *digits)
{
	buf_addf(b, "%.*g", (int)number_of(digits, MAX_DIGITS), json_number_value(v));
}

/* Returns the length of a list, or the number of members of an object. */
static size_t
size_of(const json_t *v)
{
	return json_is_object(v) ? json_object_size(v) : json_array_size(v);
}

/* {{count X "row"}}: "12,345 rows"; also the length of a list, or the number of members */
static void
put_count(struct buf *b, const json_t *v, const char *what)
{
	char digits[32];
	snprintf(digits, sizeof digits, "%.0f", json_is_number(v) ? json_number_value(v)
	    : (double)size_of(v));
	for (size_t i = 0, n = strlen(digits); i < n; i++)
		buf_addf(b, "%s%c", i && (n - i) % 3 == 0 ? "," : "", digits[i]);
	if (*what)
		buf_addf(b, " %s%s", what, strcmp(digits, "1") == 0 ? "" : "s");
}

/* {{more LIST 50}}: the number of items or members after the first 50 */
static void
put_more(struct buf *b, const json_t *v, const char *shown)
{
	size_t n = size_of(v);
	buf_addf(b, "%zu", n - number_of(shown, n));
}

/* {{amount X "run_time_s"}}: in the unit that the column's name ends with, "1 h 52 min" */
static void
put_amount(struct buf *b, const json_t *v, const char *column)
{
	struct unit u = metric_unit_of(column);
	struct buf t = {0};
	unit_print(&t, json_is_number(v) ? json_number_value(v) : (double)NAN, &u, false);
	put_escaped(b, t.p);
	buf_free(&t);
}

/* {{day T}}: "2026-11-23 00:00 UTC" */
static void
put_day(struct buf *b, const json_t *v, const char *arg)
{
	time_t whole = (time_t)json_number_value(v);
	struct tm tm;
	char text[sizeof "2026-11-23 00:00:00 UTC"];
	(void)arg;
	if (json_is_number(v) && gmtime_r(&whole, &tm) &&
	    strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &tm))
		buf_addf(b, "%s", text);
	else
		buf_addf(b, "unknown time");
}

/* {{cut TEXT 4000}}: at most this number of bytes, whole characters */
static void
put_cut(struct buf *b, const json_t *v, const char *most)
{
	const char *text = json_is_string(v) ? json_string_value(v) : "";
	size_t n = strlen(text), limit = number_of(most, n);
	if (n > limit)
		for (n = limit; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
			;
	char *cut = xasprintf("%.*s%s", (int)n, text, text[n] ? " ..." : "");
	put_escaped(b, cut);
	free(cut);
}

static void
put_url(struct buf *b, const json_t *v, const char *arg)
{
	(void)arg;
	html_url(b, json_is_string(v) ? json_string_value(v) : "");
}

/* {{data FILE "image/png"}}: the file as an address; nothing if it cannot be read */
static void
put_data(struct buf *b, const json_t *v, const char *type)
{
	size_t n;
	char *bytes = json_is_string(v) ? file_read(json_string_value(v), MAX_DATA_BYTES, &n)
	    : NULL;
	char *text = bytes ? base64_encode(bytes, n) : NULL;
	if (text) {
		buf_addf(b, "data:%s;base64,", type);
		buf_add(b, text, strlen(text));
	}
	free(text);
	free(bytes);
}

/* The last ones write a cell of a table. */
static const struct html_helper {
	const char *name;
	void (*put)(struct buf *, const json_t *, const char *arg);
	enum { NUMBER = 1, CELL = 2, SORTED = 4 } is;
} helpers[] = {
	{"fixed", put_fixed, NUMBER}, {"general", put_general, NUMBER},
	{"count", put_count, 0}, {"more", put_more, 0}, {"amount", put_amount, 0},
	{"day", put_day, 0}, {"cut", put_cut, 0},
	{"url", put_url, 0}, {"data", put_data, 0},
	{"td", put_fixed, NUMBER | CELL}, {"td-general", put_general, NUMBER | CELL},
	{"td-count", put_count, NUMBER | CELL}, {"td-amount", put_amount, CELL | SORTED},
};

const struct html_helper *
html_helper_of(const char *name)
{
	for (size_t i = 0; i < COUNT(helpers); i++)
		if (strcmp(helpers[i].name, name) == 0)
			return &helpers[i];
	return NULL;
}

void
html_help(struct buf *b, const struct html_helper *h, const json_t *v, const char *arg)
{
	bool none = h->is & NUMBER && !json_is_number(v);
	if (h->is & CELL)
		add_text(b, none ? "<td class=\"n none\"" : "<td class=\"n\"");
	if (h->is & SORTED && json_is_number(v))
		buf_addf(b, " data-v=\"%.9g\"", json_number_value(v));
	add_text(b, h->is & CELL ? ">" : "");
	if (none)
		add_text(b, "&ndash;");
	else
		h->put(b, v, arg);
	add_text(b, h->is & CELL ? "</td>" : "");
}
