/* table_numbers.c: the text of a field as a number, correctly rounded.
 *
 * Nearly all fields have at most 18 digits: these and a power of ten up to 27 are
 * exact in a long double of 64 bits, so their quotient is rounded once, and once
 * more to a double; where the second rounding could change the result, strtod is used.
 */
#include "table/table_numbers.h"
#include "text/unit.h"

#include <float.h>
#include <stdio.h>

enum { MAX_DIGITS = 18, LONGEST = 400, UNIT_BYTES = 16 };

/* The lowest bit of the payload is set. */
double
table_invalid(void)
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
	    "<NA>", "#N/A", "-", "NaT",
};

static bool
is_missing_word(const char *p, size_t n)
{
	for (size_t i = 0; i < COUNT(no_value); i++)
		if (strlen(no_value[i]) == n && memcmp(no_value[i], p, n) == 0)
			return true;
	return n == 0;
}

/* One or more digits; moves *p behind them.  NaN: none, or too many. */
static double
digits_number(const char **p, const char *end)
{
	const char *first = *p;
	double x = 0;
	while (*p < end && (unsigned char)(**p - '0') < 10)
		x = 10 * x + (*(*p)++ - '0');
	return *p > first && *p - first <= MAX_DIGITS ? x : (double)NAN;
}

/* "1-02:03:04", "02:03:04", "03:04.5", as schedulers write times: in seconds; NaN: not a time. */
static double
clock_number(const char *p, size_t n)
{
	const char *end = p + n;
	double s = 0, part = digits_number(&p, end);
	size_t colons = 0;
	bool days = p < end && *p == '-';
	if (days) {
		s = 24 * part;
		p++;
		part = digits_number(&p, end);
	}
	for (s += part; p < end && *p == ':'; colons++) {
		const char *first = ++p;
		part = digits_number(&p, end);
		s = p - first == 2 && part < 60 ? 60 * s + part : (double)NAN;
	}
	if (p < end && *p == '.') {
		const char *first = ++p;
		part = digits_number(&p, end);
		s += part / pow(10, (double)(p - first));
	}
	return p == end && (days ? colons == 2 : colons == 1 || colons == 2) ? s : (double)NAN;
}

/* "K", "k", "Ki", "GiB": powers of 1024; "MB": of 1000; "B": 1; NaN: no size. */
static double
size_factor(const char *word)
{
	static const char letters[] = "KMGTP";
	const char *letter = strchr(letters, *word == 'k' ? 'K' : *word);
	if (strcmp(word, "B") == 0)
		return 1;
	if (!letter)
		return NAN;
	double power = (double)(letter - letters) + 1;
	if (strcmp(word + 1, "B") == 0)
		return pow(1000, power);
	return !word[1] || strcmp(word + 1, "i") == 0 || strcmp(word + 1, "iB") == 0 ?
	    pow(1024, power) : (double)NAN;
}

/* "469838K", "1.5 GiB", "12 MB": in bytes; "5 s", "1.5h", "-250 ms": in seconds; "100%": the
 * number.  "2d" and "3D" are words. */
static double
unit_number(const char *p, size_t n)
{
	struct unit u;
	char word[UNIT_BYTES];
	size_t sign = *p == '-' || *p == '+', digits = sign;
	while (digits < n && ((unsigned char)(p[digits] - '0') < 10 || p[digits] == '.'))
		digits++;
	bool blank = digits < n && p[digits] == ' ';
	size_t at = digits + blank, left = n - at;
	if (digits == sign || left == 0 || left >= sizeof word)
		return NAN;
	memcpy(word, p + at, left);
	word[left] = '\0';
	double factor = sign ? (double)NAN : size_factor(word);
	if (strcmp(word, "%") == 0)
		factor = 1;
	else if (isnan(factor) && unit_parse(word, &u) == 0 && u.quantity == OF_TIME &&
	    (blank || (*word | ' ') != 'd'))
		factor = u.factor;
	return table_number(p, digits) * factor;
}

static double
other_number(const char *p, size_t n)
{
	if ((unsigned char)(*p - '0') >= 10 && !strchr("+-.", *p))
		return table_invalid();
	double x = clock_number(p, n);
	if (isnan(x))
		x = unit_number(p, n);
	return isnan(x) ? table_invalid() : x;
}

/* All other forms; strtod alone would accept "0x1p3" and "inf". */
static double
slow_number(const char *p, size_t n)
{
	char text[LONGEST + 1], *end;
	if (n == 0 || n > LONGEST || memchr(p, '\0', n))
		return n ? table_invalid() : (double)NAN;
	memcpy(text, p, n);
	text[n] = '\0';
	if (strspn(text, "0123456789.+-eE") != n)
		return is_missing_word(p, n) ? (double)NAN : other_number(p, n);
	double x = strtod(text, &end);
	if (is_missing_word(p, n))
		return NAN;
	return *end || !isfinite(x) ? table_invalid() : x;
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
table_number(const char *p, size_t n)
{
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
	return slow_number(p, n);
}
