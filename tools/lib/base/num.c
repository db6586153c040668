/* num.c: small numbers. */
#include "base/num.h"
#include "base/die.h"

#include <math.h>
#include <sys/random.h>
#include <sys/types.h>

int
num_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
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

void
xnum_random_hex(char *hex, size_t digits)
{
	unsigned char bytes[64];
	if (digits > 2 * sizeof bytes || getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		die(ST_SYSTEM, "cannot get random bytes:");
	for (size_t i = 0; i < digits; i++)
		hex[i] = "0123456789abcdef"[(bytes[i / 2] >> (i % 2 * 4)) & 15];
	hex[digits] = '\0';
}
