/* unit.c: units in column names, and numbers formatted for people. */
#include "text/unit.h"
#include "base/die.h"
#include "base/num.h"
#include "base/str.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

static const struct unit_word {
	const char *word;	/* lower case */
	const char *symbol;
	enum quantity quantity;
	double factor;
	bool in_names;	/* false: only in options, since run_time_min is a minimum */
} known[] = {
	{"ns", "ns", OF_TIME, 1e-9, true}, {"us", "us", OF_TIME, 1e-6, true},
	{"\u00b5s", "us", OF_TIME, 1e-6, true}, {"\u03bcs", "us", OF_TIME, 1e-6, true},
	{"usec", "us", OF_TIME, 1e-6, true}, {"msec", "ms", OF_TIME, 1e-3, true},
	{"ms", "ms", OF_TIME, 1e-3, true}, {"s", "s", OF_TIME, 1, true},
	{"sec", "s", OF_TIME, 1, true}, {"secs", "s", OF_TIME, 1, true},
	{"second", "s", OF_TIME, 1, true}, {"seconds", "s", OF_TIME, 1, true},
	{"min", "min", OF_TIME, 60, false}, {"mins", "min", OF_TIME, 60, true},
	{"minute", "min", OF_TIME, 60, true}, {"minutes", "min", OF_TIME, 60, true},
	{"h", "h", OF_TIME, 3600, true}, {"hr", "h", OF_TIME, 3600, true},
	{"hrs", "h", OF_TIME, 3600, true}, {"hour", "h", OF_TIME, 3600, true},
	{"hours", "h", OF_TIME, 3600, true}, {"d", "d", OF_TIME, 86400, false},
	{"day", "d", OF_TIME, 86400, false}, {"days", "d", OF_TIME, 86400, true},
	{"bytes", "B", OF_BYTES, 1, true},
	{"byte", "B", OF_BYTES, 1, true}, {"b", "B", OF_BYTES, 1, false},
	{"kb", "kB", OF_BYTES, 1e3, true}, {"mb", "MB", OF_BYTES, 1e6, true},
	{"gb", "GB", OF_BYTES, 1e9, true}, {"tb", "TB", OF_BYTES, 1e12, true},
	{"pb", "PB", OF_BYTES, 1e15, true}, {"kib", "KiB", OF_BYTES, 0x1p10, true},
	{"mib", "MiB", OF_BYTES, 0x1p20, true}, {"gib", "GiB", OF_BYTES, 0x1p30, true},
	{"tib", "TiB", OF_BYTES, 0x1p40, true}, {"pib", "PiB", OF_BYTES, 0x1p50, true},
	{"pct", "%", OF_SHARE, 0.01, true}, {"percent", "%", OF_SHARE, 0.01, true},
	{"%", "%", OF_SHARE, 0.01, true}, {"j", "J", OF_ENERGY, 1, true},
	{"kj", "kJ", OF_ENERGY, 1e3, true}, {"wh", "Wh", OF_ENERGY, 3600, true},
	{"kwh", "kWh", OF_ENERGY, 3.6e6, true}, {"w", "W", OF_OTHER, 1, true},
	{"hz", "Hz", OF_OTHER, 1, true}, {"g", "g", OF_OTHER, 1, true},
};

static const struct unit_word *
find_unit(const char *word, size_t n, bool in_name)
{
	for (size_t i = 0; i < COUNT(known); i++)
		if (strlen(known[i].word) == n && strncasecmp(known[i].word, word, n) == 0 &&
		    (known[i].in_names || !in_name))
			return &known[i];
	return NULL;
}

static struct unit
unit_from(const struct unit_word *k)
{
	struct unit u = {.quantity = k->quantity, .factor = k->factor};
	snprintf(u.symbol, sizeof u.symbol, "%s", k->symbol);
	return u;
}

/* The unit within "memory (GiB)", "size [MB]" or "run_time_s", and its length; NULL:
 * none.  *name_n is the length of the rest. */
static const char *
unit_in(const char *name, size_t *n, size_t *name_n)
{
	size_t all = strlen(name);
	if (all && (name[all - 1] == ')' || name[all - 1] == ']')) {
		const char *open = strrchr(name, name[all - 1] == ')' ? '(' : '[');
		if (!open || open == name)
			return NULL;
		*n = (size_t)(name + all - 1 - (open + 1));
		*name_n = (size_t)(open - name);
		return find_unit(open + 1, *n, false) ? open + 1 : NULL;
	}
	if (all > strlen("_param") && strcmp(name + all - strlen("_param"), "_param") == 0)
		all -= strlen("_param");
	size_t at = all;
	while (at && name[at - 1] != '_' && name[at - 1] != '.')
		at--;
	if (at < 2)
		return NULL;
	*n = all - at;
	*name_n = at - 1;
	return find_unit(name + at, *n, true) ? name + at : NULL;
}

struct unit
unit_of(const char *column)
{
	size_t n, rest;
	if (str_ends_with(column, "_per_s"))
		return (struct unit){"1/s", OF_OTHER, 1};
	const char *at = unit_in(column, &n, &rest);
	return at ? unit_from(find_unit(at, n, false)) : (struct unit){.factor = 1};
}

int
unit_parse(const char *text, struct unit *u)
{
	size_t n = strlen(text);
	const struct unit_word *k = find_unit(text, n, false);
	*u = (struct unit){.quantity = OF_OTHER, .factor = 1};
	if (k)
		*u = unit_from(k);
	else if (n == 0 || n >= sizeof u->symbol || strpbrk(text, "\t\r\n,\""))
		return -1;
	else
		memcpy(u->symbol, text, n + 1);
	return 0;
}

struct unit
unit_own(enum quantity q)
{
	static const struct unit own[] = {
		[OF_NOTHING] = {"", OF_NOTHING, 1}, [OF_TIME] = {"s", OF_TIME, 1},
		[OF_BYTES] = {"B", OF_BYTES, 1}, [OF_SHARE] = {"%", OF_SHARE, 0.01},
		[OF_ENERGY] = {"J", OF_ENERGY, 1}, [OF_OTHER] = {"", OF_OTHER, 1},
	};
	return own[q];
}

/* ---- for people --------------------------------------------------------------- */

/* A unit is used for amounts of at least this size. */
struct unit_step {
	double factor;
	const char *symbol;
};
static const struct unit_step times[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"},
    {60, "min"}, {3600, "h"}};
static const struct unit_step bytes[] = {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"},
    {1e12, "TB"}, {1e15, "PB"}, {1e18, "EB"}};
static const struct unit_step binary_bytes[] = {{1, "B"}, {0x1p10, "KiB"}, {0x1p20, "MiB"},
    {0x1p30, "GiB"}, {0x1p40, "TiB"}, {0x1p50, "PiB"}, {0x1p60, "EiB"}};
static const struct unit_step joules[] = {{1e-3, "mJ"}, {1, "J"}, {1e3, "kJ"}, {3.6e6, "kWh"}};

static const struct unit_step *
steps_of(enum quantity q, bool binary, size_t *n)
{
	*n = q == OF_TIME ? COUNT(times) : q == OF_BYTES ? COUNT(bytes) :
	    q == OF_ENERGY ? COUNT(joules) : 0;
	return q == OF_TIME ? times : q == OF_ENERGY ? joules : binary ? binary_bytes : bytes;
}

/* The largest step that is no larger than x, which is in the quantity's own unit. */
static const struct unit_step *
step_for(double x, enum quantity q, bool binary)
{
	size_t n;
	const struct unit_step *s = steps_of(q, binary, &n), *fits = n ? s : NULL;
	for (size_t i = 1; i < n; i++)
		if (fabs(x) >= s[i].factor * (1 - 5e-5))
			fits = &s[i];
	if (x == 0)	/* "0 s", not "0 ns" */
		for (size_t i = 0; i < n; i++)
			if (s[i].factor == 1)
				return &s[i];
	return fits;
}

/* Four digits; a whole number without decimals. */
static void
add_digits(struct buf *b, double x)
{
	char text[40];
	double size = fabs(x);
	if (x == rint(x) && size < 1e6) {
		buf_addf(b, "%.0f", x + 0.0);
		return;
	}
	if (size >= 1e7 || (size < 1e-3 && size > 0)) {
		buf_addf(b, "%.3e", x);
		return;
	}
	int digits = size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 :
	    size >= 0.99995 ? 3 : size >= 0.099995 ? 4 : 5;
	snprintf(text, sizeof text, "%.*f", digits, x);
	buf_addf(b, "%s", text);
}

/* "2 min 03 s", "1 h 52 min", "6 days 05 h", "2.3 years". */
static bool
add_long_time(struct buf *b, double s)
{
	if (!(fabs(s) >= 59.995) || fabs(s) >= 1e12)
		return false;
	const char *sign = s < 0 ? "-" : "";
	s = fabs(s);
	long whole = lround(s), minutes = lround(s / 60);
	if (whole < 3600)
		buf_addf(b, "%s%ld min %02ld s", sign, whole / 60, whole % 60);
	else if (minutes < 100 * 60)
		buf_addf(b, "%s%ld h %02ld min", sign, minutes / 60, minutes % 60);
	else if (s < 730 * 86400.0)
		buf_addf(b, "%s%ld days %02ld h", sign, lround(s / 3600) / 24,
		    lround(s / 3600) % 24);
	else
		buf_addf(b, "%s%.1f years", sign, s / (365.25 * 86400));
	return true;
}

void
unit_print(struct buf *b, double value, const struct unit *u, bool binary)
{
	if (isnan(value)) {
		buf_addf(b, "-");
		return;
	}
	double own = value * u->factor;
	if (u->quantity == OF_TIME && add_long_time(b, own))
		return;
	const struct unit_step *s = step_for(own, u->quantity, binary);
	if (s) {
		add_digits(b, own / s->factor);
		buf_addf(b, " %s", s->symbol);
	} else {
		add_digits(b, value);
		if (*u->symbol)
			buf_addf(b, " %s", u->symbol);
	}
}

struct unit_text
unit_text(double x, const struct unit *u)
{
	struct buf b = {0};
	struct unit_text t;
	unit_print(&b, x, u, false);
	snprintf(t.p, sizeof t.p, "%s", b.p);
	buf_free(&b);
	return t;
}

struct unit_text
unit_time(double s)
{
	return unit_text(s, &(struct unit){"s", OF_TIME, 1});
}

void
unit_bytes(struct buf *b, double x, int decimals)
{
	size_t i = 0;
	while (i + 1 < COUNT(bytes) && num_round(x / bytes[i].factor, i ? decimals : 0) >= 1000)
		i++;
	buf_addf(b, "%.*f %s", i ? decimals : 0, x / bytes[i].factor,
	    i ? bytes[i].symbol : "bytes");
}

struct unit
unit_suits(const struct unit *u, double largest, bool binary, double *ratio)
{
	const struct unit_step *s = !isfinite(largest) ? NULL :
	    step_for(largest * u->factor, u->quantity, binary);
	struct unit suits = *u;
	*ratio = 1;
	if (!s)
		return suits;
	*ratio = u->factor / s->factor;
	suits.factor = s->factor;
	snprintf(suits.symbol, sizeof suits.symbol, "%s", s->symbol);
	return suits;
}

char *
unit_title(const char *column)
{
	static const char *const tails[] = {"_metric", "_param"};
	size_t n, rest = strlen(column);
	if (str_ends_with(column, "_per_s") || !unit_in(column, &n, &rest)) {
		rest = strlen(column);
		for (size_t i = 0; i < COUNT(tails); i++)
			if (str_ends_with(column, tails[i]) && rest > strlen(tails[i]))
				rest -= strlen(tails[i]);
	}
	char *title = xasprintf("%.*s", (int)rest, column);
	for (char *p = title; *p; p++)
		if (*p == '_')
			*p = ' ';
	while (rest && title[rest - 1] == ' ')
		title[--rest] = '\0';
	return title;
}
