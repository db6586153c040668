/* num.c: small numbers. */
#include "base/num.h"

#include <math.h>

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
