/* num.c: small numbers. */
#include "base/num.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
num_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int
num_descending(const void *a, const void *b)
{
	const struct num_at *p = a, *q = b;
	if (isnan(p->x) != isnan(q->x))
		return isnan(p->x) ? 1 : -1;
	if (p->x < q->x || p->x > q->x)
		return p->x < q->x ? 1 : -1;
	return (p->at > q->at) - (p->at < q->at);
}

double
num_round(double x, int decimals)
{
	double scale = pow(10, decimals);
	return round(x * scale) / scale;
}

double
num_or_0(double x)
{
	return isfinite(x) ? x : 0;
}

/* ---- text ---------------------------------------------------------------------------- */

enum { MANTISSA_BITS = 52, EXPONENT_OF_1 = 1075 };

__extension__ typedef unsigned __int128 wide;

/* digits / 10^places, without zeros at its end. */
static char *
put_decimal(char *text, uint64_t digits, unsigned places)
{
	char reversed[40];
	size_t n = 0;
	for (; places && digits % 10 == 0; places--)
		digits /= 10;
	for (unsigned i = 0; digits || i <= places; i++, digits /= 10) {
		if (i == places && i)
			reversed[n++] = '.';
		reversed[n++] = (char)('0' + digits % 10);
	}
	while (n)
		*text++ = reversed[--n];
	*text = '\0';
	return text;
}

/* Does it for a fraction from 1e-6 to 1e15, in whole numbers of 128 bits, which are exact: rounds
 * m / 2^shift to 15 digits, and to more if those are not nearest to it of all doubles.  NULL:
 * another number. */
static char *
put_fraction(char *text, double x)
{
	static const double tens[] = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5,
	    1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	const uint64_t top = (uint64_t)1 << MANTISSA_BITS;
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	uint64_t m = bits % top + top;
	if (!(x >= 1e-6 && x < 1e15) || m == top)
		return NULL;
	wide one = 1;
	unsigned size = 0, places = 0, shift = EXPONENT_OF_1 - (unsigned)(bits / top);
	while (x >= tens[size])
		size++;
	for (; places < 22 - size; places++)
		one *= 10;
	wide all = m * one, whole = all >> shift;
	for (unsigned drop = 100; drop; drop /= 10) {
		/* Half of the last digit is drop / 2 of these; a tie goes to the even digit. */
		wide half = (wide)drop << (shift - 1), unit = 2 * half, low = all % unit;
		uint64_t kept = (uint64_t)(whole / drop);
		bool up = low > half || (low == half && kept % 2);
		wide off = up ? unit - low : low;
		kept += up;
		if (drop > 1 && 2 * off >= one)
			continue;
		if (x >= 1e-4)
			return put_decimal(text, kept * drop, places);
		char *end = put_decimal(text, kept * drop, 16);
		return end + snprintf(end, 8, "e-0%u", places - 16);
	}
	return NULL;
}

char *
num_text(char text[40], double x)
{
	char *p = text;
	if (x < 0)
		*p++ = '-';
	double size = fabs(x);
	if (size < 1e15 && size == (double)(uint64_t)size && !(x == 0 && signbit(x)))
		return put_decimal(p, (uint64_t)size, 0);
	char *end = put_fraction(p, size);
	for (int digits = 15; !end && digits <= 17; digits++) {
		int n = snprintf(text, 40, "%.*g", digits, x);
		if (digits == 17 || strtod(text, NULL) == x)
			end = text + n;
	}
	return end;
}
