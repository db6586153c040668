/* num.c: times and small numbers. */
#include "nbscope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

double
now_t(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	return (double)ts.tv_sec + (double)(ts.tv_nsec / 1000) / 1e6;
}

uint64_t
now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void
pause_ms(long ms)
{
	clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

int
compare_reals(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double
round_to(double x, int decimals)
{
	double scale = pow(10, decimals);
	return round(x * scale) / scale;
}

json_t *
json_ms(double ms)
{
	/* + 0.0: no negative zero. */
	return isfinite(ms) ? json_real(round_to(ms, 3) + 0.0) : json_null();
}

json_t *
json_t_of(double t)
{
	return isfinite(t) ? json_real(round_to(t, 6)) : json_null();
}

json_t *
json_text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

json_t *
json_real_or_null(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

double
json_real_at(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);
	return json_is_number(v) ? json_number_value(v) : NAN;
}

void
xrandom_hex(char *hex, size_t digits)
{
	unsigned char bytes[64];
	if (digits > 2 * sizeof bytes || getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		die(ST_SYSTEM, "cannot get random bytes:");
	for (size_t i = 0; i < digits; i++)
		hex[i] = "0123456789abcdef"[(bytes[i / 2] >> (i % 2 * 4)) & 15];
	hex[digits] = '\0';
}
