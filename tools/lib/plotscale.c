/* plotscale.c: ranges and round numbers for axes. */
#include "plot.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TICK_ROOM = 38, TICK_ROOM_UP = 22, DECADES_PADDED = 200 };
#define PLAIN_MOST 1e5
#define PLAIN_LEAST 1e-3

void
scale_tick(struct scale *s, double at, const char *name)
{
	s->ticks = xrealloc(s->ticks, (s->n + 1) * sizeof(*s->ticks));
	s->ticks[s->n++] = (struct tick){at, xstrdup(name)};
}

static char *
power_text(int exponent)
{
	static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
	int e = abs(exponent);
	return e < 10 ? xasprintf("10%s%s", exponent < 0 ? "⁻" : "", digits[e])
	              : xasprintf("10%s%s%s%s", exponent < 0 ? "⁻" : "", e / 100 ? digits[e / 100 % 10] : "", digits[e / 10 % 10], digits[e % 10]);
}

char *
tick_text(double value)
{
	double size = fabs(value);
	if (size >= PLAIN_LEAST && size < PLAIN_MOST)
		return xasprintf("%.6g", value);
	if (value == 0)
		return xstrdup("0");
	int exponent = (int)floor(log10(size) + 1e-9);
	double front = value / pow(10, exponent);
	char *power = power_text(exponent), *all = fabs(front - 1) < 1e-6 ? xstrdup(power) : xasprintf("%.3g×%s", front, power);
	free(power);
	return all;
}

char *
number_text(double value)
{
	if (isnan(value))
		return xstrdup("unknown");
	double size = fabs(value);
	if (size >= 1e6 || (size < 1e-3 && size > 0))
		return xasprintf("%.3g", value);
	int decimals = size >= 100 || size == 0 ? 0 : 2 - (int)floor(log10(size));
	return xasprintf("%.*f", decimals, value);
}

static double
nice_step(double span, double most_ticks)
{
	double rough = span / (most_ticks < 1 ? 1 : most_ticks), power = pow(10, floor(log10(rough)));
	for (const double *m = (const double[]){1, 2, 5, 10}; ; m++)
		if (*m * power >= rough * (1 - 1e-9) || *m == 10)
			return *m * power;
}

static void
linear_ticks(struct scale *s, double most_ticks)
{
	double step = nice_step(s->hi - s->lo, most_ticks);
	for (double k = ceil(s->lo / step - 1e-6); k * step <= s->hi + step * 1e-6; k++) {
		char *name = tick_text(k * step);
		scale_tick(s, k * step, name);
		free(name);
	}
}

static void
log_ticks(struct scale *s, double most_ticks)
{
	double decades = log10(s->hi) - log10(s->lo);
	int every = (int)ceil(decades / (most_ticks < 1 ? 1 : most_ticks));
	bool halves = decades * 3 <= most_ticks;
	size_t named = 0;
	every = every < 1 ? 1 : every;
	for (int e = (int)floor(log10(s->lo) - 1e-9); e <= (int)ceil(log10(s->hi)); e++)
		for (int m = 1; m < 10; m++) {
			double at = m * pow(10, e);
			if (at < s->lo * (1 - 1e-9) || at > s->hi * (1 + 1e-9))
				continue;
			bool name = m == 1 ? e % every == 0 : halves && (m == 2 || m == 5);
			char *text = name ? tick_text(at) : xstrdup("");
			if (name || every == 1)
				scale_tick(s, at, text);
			named += name;
			free(text);
		}
	if (named >= 2)
		return;
	for (size_t i = 0; i < s->n; i++)
		free(s->ticks[i].name);
	s->n = 0;
	linear_ticks(s, most_ticks < 4 ? most_ticks : 4);
}

static double
log_pad(double least, double most)
{
	double decades = log10(most) - log10(least);
	return decades < DECADES_PADDED ? pow(10, 0.03 * decades) : 1;
}

void
scale_fit(struct scale *s, double least, double most, bool log, double room, bool upright)
{
	double ticks = floor(room / (upright ? TICK_ROOM_UP : TICK_ROOM));
	s->log = log && least > 0 && most > 0;
	if (!(most > least)) {
		/* One value stands in the middle. */
		double v = least;
		least = s->log ? v / 2 : v > 0 ? 0 : v < 0 ? 2 * v : 0;
		most = s->log ? v * 2 : v > 0 ? 2 * v : v < 0 ? 0 : 1;
	}
	double pad = s->log ? log_pad(least, most) : (most - least) * 0.04;
	s->lo = s->log ? least / pad : least == 0 ? 0 : least > 0 && least < 0.3 * most ? 0 : least - pad;
	s->hi = s->log ? most * pad : most == 0 ? 0 : most + pad;
	/* Their difference is to be a number too. */
	s->hi = fmin(s->hi, DBL_MAX / 4);
	s->lo = fmax(s->lo, s->log ? DBL_MIN : -DBL_MAX / 4);
	if (s->log)
		log_ticks(s, ticks);
	else
		linear_ticks(s, ticks);
}

void
scale_names(struct scale *s, char *const *names, size_t n, bool down, double px, double room)
{
	s->lo = down ? (double)n - 0.5 : -0.5;
	s->hi = down ? -0.5 : (double)n - 0.5;
	char **fits = names_fit(names, n, px, room);
	for (size_t i = 0; i < n; i++)
		scale_tick(s, (double)i, *fits[i] ? fits[i] : " ");
	texts_free(fits, n);
}
