/* amount.c: amounts of time, memory and energy in the forms in which tools write them. */
#include "text/amount.h"

#include <ctype.h>
#include <strings.h>

enum { UNIT_BYTES = 16, ISO_BYTES = 40 };
static const double day_s = 86400;
static const struct amount no_amount = {.x = (double)NAN};

static bool
skip(const char **p, char c)
{
	bool is = **p == c;
	*p += is;
	return is;
}

/* "12", "1.5", ".5", "1.2e3"; moves *p behind it.  NaN: it has another form. */
static double
decimal(const char **p)
{
	char *end;
	if (!isdigit((unsigned char)**p) && **p != '.')
		return NAN;
	bool hexadecimal = **p == '0' && ((*p)[1] | ' ') == 'x';
	double x = strtod(*p, &end);
	bool none = end == *p || hexadecimal || !isfinite(x);
	*p = end;
	return none ? (double)NAN : x;
}

/* ":03:04.5" up to the end, after the first number of a clock: all in seconds. */
static struct amount
clock_after(const char *p, double s, size_t least_colons)
{
	size_t colons = 0;
	for (; skip(&p, ':'); colons++) {
		const char *first = p;
		double part = decimal(&p);
		if (strspn(first, "0123456789") != 2 || !(part < 60) || p[-1] == '.')
			return no_amount;
		s = 60 * s + part;
	}
	bool good = !*p && colons >= least_colons && colons <= 2;
	return (struct amount){good ? s : (double)NAN, unit_own(OF_TIME)};
}

/* "K", "k", "Ki" and "Mn", "Gc" (for each node or core) are powers of 1024.  Lower-case letters
 * but k are, where sizes are expected. */
static bool
is_binary_size(const char *word, enum quantity expected, struct unit *u)
{
	static const char upper[] = "KMGTP", lower[] = "kmgtp";
	const char *at = strchr(upper, *word), *low = strchr(lower, *word);
	if (word[1] && (word[2] || !strchr("inc", word[1]) || (!at && *word != 'k')))
		return false;
	if (!at && !(low && (*word == 'k' || expected == OF_BYTES)))
		return false;
	*u = unit_own(OF_BYTES);
	u->factor = ldexp(1, 10 * (int)(at ? at - upper + 1 : low - lower + 1));
	return true;
}

/* The unit at *p; false: it is unknown, or there is none. */
static bool
read_unit(const char **p, enum quantity expected, struct unit *u)
{
	char word[UNIT_BYTES] = {0};
	size_t n = strcspn(*p, " ,:.+-0123456789");
	if (!n || n >= sizeof word)
		return false;
	memcpy(word, *p, n);
	*p += n;
	if (is_binary_size(word, expected, u))
		return true;
	if (strcmp(word, "b") == 0 || unit_parse(strcmp(word, "m") ? word : "min", u) != 0)
		return false;
	return u->quantity != OF_OTHER || expected == OF_OTHER;
}

/* One part, or times whose units become smaller: "2h 3m 4s". */
static struct amount
sum_of_parts(const char *p, enum quantity expected)
{
	struct amount sum = {0};
	const char *word = p;
	size_t parts = 0;
	do {
		struct unit u = {.factor = 1};
		bool after_days = parts && sum.unit.factor >= day_s;
		if (after_days)
			skip(&p, '+');
		double x = decimal(&p);
		if (isnan(x) || (!*p && parts))
			return no_amount;
		if (*p == ':') {
			struct amount clock = clock_after(p, x, parts ? 2 : 1);
			clock.x += sum.x;
			return !parts || after_days ? clock : no_amount;
		}
		if (!parts && (*p == '-' || *p == '+')) {	/* days */
			p++;
			double hours = decimal(&p);
			return clock_after(p, 24 * x + hours, 2);
		}
		p += strspn(p, " \t");
		word = p;
		if (*p && !read_unit(&p, parts ? OF_TIME : expected, &u))
			return no_amount;
		skip(&p, ',');
		p += strspn(p, " \t");
		bool more = parts || *p;
		if (more && (u.quantity != OF_TIME || (parts && u.factor >= sum.unit.factor)))
			return no_amount;
		sum = (struct amount){more ? sum.x + x * u.factor : x, u};
		parts++;
	} while (*p);
	if (parts > 1)
		return (struct amount){sum.x, unit_own(OF_TIME)};
	/* Alone, "5m" may be metres, and "2d" or "3D" a dimension. */
	bool doubtful = strcmp(word, "m") == 0 || (strcasecmp(word, "d") == 0 && word[-1] != ' ');
	return doubtful && sum.unit.quantity == OF_TIME && expected != OF_TIME ? no_amount : sum;
}

/* "1DT2H3.5S", as ISO 8601 has it after a P; M before the T are months. */
static struct amount
iso_duration(const char *p)
{
	char text[ISO_BYTES] = "";
	const char *of_day = strchr(p, 'T'), *month = strchr(p, 'M');
	if (strlen(p) >= sizeof text || (month && (!of_day || month < of_day)))
		return no_amount;
	for (size_t n = 0; *p; p++)
		if (*p != 'T' || !p[1])
			text[n++] = (char)tolower((unsigned char)*p);
	struct amount a = sum_of_parts(text, OF_TIME);
	return a.unit.quantity == OF_TIME ? a : no_amount;
}

struct amount
amount_of(const char *text, enum quantity expected)
{
	const char *p = text + strspn(text, " \t");
	bool negative = skip(&p, '-');
	if (!negative)
		skip(&p, '+');
	struct amount a = *p == 'P' ? iso_duration(p + 1) : sum_of_parts(p, expected);
	/* Python's "-1 day, 23:59:59" is -1 s: only the days are negative. */
	const char *day = negative ? strstr(p, "day") : NULL;
	if (day && strchr(day, ':'))
		a.x -= 2 * day_s * floor(a.x / day_s);
	else if (negative)
		a.x = a.unit.quantity == OF_BYTES ? (double)NAN : -a.x;
	return a;
}

double
amount_in(const struct amount *a, const struct unit *u)
{
	double factor = a->unit.factor;
	if (a->unit.quantity == OF_NOTHING || isnan(a->x))
		return a->x;
	if (a->unit.quantity != u->quantity || (u->quantity == OF_OTHER &&
	    strcmp(a->unit.symbol, u->symbol) != 0))
		return NAN;
	if (!(factor < u->factor) && !(factor > u->factor))
		return a->x;
	/* The reciprocals of milli, micro and nano are exact. */
	return (factor < 1 ? a->x / rint(1 / factor) : a->x * factor) / u->factor;
}

int
amount_read(const char *text, const struct unit *u, double *value)
{
	struct amount a = amount_of(text, u->quantity);
	double x = amount_in(&a, u);
	if (isnan(x))
		return -1;
	*value = x;
	return 0;
}
