/* table_numbers.c: the text of a field as a number, correctly rounded.
 *
 * Nearly all fields have at most 18 digits: these and a power of ten up to 27 are
 * exact in a long double of 64 bits, so their quotient is rounded once, and once
 * more to a double; where the second rounding could change the result, strtod is used.
 */
#include "table/table_numbers.h"
#include "text/amount.h"
#include "text/moment.h"

#include <float.h>
#include <stdio.h>

enum { MAX_DIGITS = 18, LONGEST = 400 };

/* A NaN of its own for text that is not a finite number: the lowest bit of its payload is set. */
static double
invalid_number(void)
{
	uint64_t bits;
	double x = NAN;
	memcpy(&bits, &x, sizeof bits);
	bits |= 1;
	memcpy(&x, &bits, sizeof x);
	return x;
}

bool
table_is_invalid(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return isnan(x) && (bits & 1);
}

static const char *const no_value[] = {
	"NA", "N/A", "n/a", "NaN", "nan", "-nan", "-NaN", "null", "NULL", "Null", "None", "none",
	    "<NA>", "#N/A", "-", "NaT", "undefined",
};

static bool
is_missing_word(const char *p, size_t n)
{
	for (size_t i = 0; i < COUNT(no_value); i++)
		if (strlen(no_value[i]) == n && memcmp(no_value[i], p, n) == 0)
			return true;
	return n == 0;
}

/* An amount with a unit, which is converted to that of the column, else to seconds, bytes, percent
 * or joules; a number with a decimal comma; a date in a column that is to be numbers. */
static double
other_number(const struct table *t, const struct column *c, char *text, struct number_form *form)
{
	char *comma = t && t->has_commas && !strchr(text, '.') ? strchr(text, ',') : NULL;
	struct amount a = amount_of(text, c ? c->measures : OF_NOTHING);
	if (isnan(a.x) && c && c->keep == KEEP_NUMBER)
		a = (struct amount){.x = moment_unix_s(text)};
	if (isnan(a.x) && comma) {
		form->comma = true;
		*comma = '.';	/* a second comma makes the text invalid */
		a = amount_of(text, c->measures);
	}
	struct unit own = unit_own(a.unit.quantity);
	double x = amount_in(&a, c && c->unit.quantity ? &c->unit : &own);
	form->unit = a.unit;
	return isnan(x) ? invalid_number() : x;
}

/* All other forms; strtod alone would accept "0x1p3" and "inf". */
static double
slow_number(const struct table *t, const struct column *c, const char *p, size_t n,
    struct number_form *form)
{
	char text[LONGEST + 1], *end;
	if (n == 0 || n > LONGEST || memchr(p, '\0', n))
		return n ? invalid_number() : (double)NAN;
	memcpy(text, p, n);
	text[n] = '\0';
	if ((unsigned char)(*p - '0') >= 10 && is_missing_word(p, n))
		return NAN;
	if (!strchr("0123456789+-.,P", *p))
		return invalid_number();
	double x = strspn(text, "0123456789.+-eE") == n ? strtod(text, &end) : (double)NAN;
	if (!isnan(x) && !*end)
		return isfinite(x) ? x : invalid_number();
	return other_number(t, c, text, form);
}

#if LDBL_MANT_DIG == 64
static const long double tens[] = {1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L,
    1e10L, 1e11L, 1e12L, 1e13L,
	1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L,
	    1e27L};

/* digits / 10^places; false where two roundings could differ from one. */
static bool
quotient(uint64_t digits, unsigned places, double *x)
{
	uint64_t mantissa;
	long double q = (long double)digits / tens[places];
	memcpy(&mantissa, &q, sizeof mantissa);
	*x = (double)q;
	return (mantissa & 0x7ff) != 0x400;
}
#else
static bool
quotient(uint64_t digits, unsigned places, double *x)
{
	static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	    1e12, 1e13, 1e14, 1e15,
		1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	*x = places < COUNT(tens) ? (double)digits / tens[places] : 0;
	return digits <= (uint64_t)1 << 53 && places < COUNT(tens);
}
#endif

double
table_number_in(const struct table *t, const struct column *c, const char *p, size_t n,
    struct number_form *form)
{
	form->unit.quantity = OF_NOTHING;
	form->comma = false;
	while (n && (*p == ' ' || *p == '\t'))
		p++, n--;
	while (n && (p[n - 1] == ' ' || p[n - 1] == '\t'))
		n--;
	const char *q = p, *end = p + n;
	bool negative = n && *q == '-';
	uint64_t digits = 0;
	if (negative || (n && *q == '+'))
		q++;
	const char *first = q;
	while (q < end && (unsigned char)(*q - '0') < 10)
		digits = digits * 10 + (uint64_t)(*q++ - '0');
	size_t count = (size_t)(q - first), places = 0;
	if (q < end && *q == '.') {
		const char *point = ++q;
		while (q < end && (unsigned char)(*q - '0') < 10)
			digits = digits * 10 + (uint64_t)(*q++ - '0');
		places = (size_t)(q - point);
		count += places;
	}
	double x;
	if (q == end && count && count <= MAX_DIGITS && quotient(digits, (unsigned)places, &x))
		return negative ? -x : x;
	return slow_number(t, c, p, n, form);
}

double
table_number(const char *p, size_t n)
{
	struct number_form form;
	return table_number_in(NULL, NULL, p, n, &form);
}
