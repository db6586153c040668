/* plot_scale.c: ranges and round numbers for axes. */
#include "base/die.h"
#include "plot_figure.h"
#include "plot_scale.h"
#include "plot_text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TICK_ROOM = 38, TICK_ROOM_UP = 22, TICK_GAP = 3, DECADES_PADDED = 200, DIGITS_FRONT = 3, DIGITS_PLAIN = 6, DIGITS_MOST = 15 };
#define PLAIN_MOST 1e5
#define PLAIN_LEAST 1e-3
#define NO_SPAN 1e-13

void
plot_scale_tick(struct scale *s, double at, const char *name)
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
plot_scale_tick_text(double value, double step)
{
	double size = fabs(value);
	if (value == 0)
		return xstrdup("0");
	int exponent = (int)floor(log10(size) + 1e-9), last = step > 0 ? (int)floor(log10(step) + 1e-9) : exponent;
	/* As many digits as distinguish it from its neighbour. */
	int digits = exponent - last + 1 < DIGITS_MOST ? exponent - last + 1 : DIGITS_MOST;
	if (size >= PLAIN_LEAST && size < PLAIN_MOST)
		return xasprintf("%.*g", digits > DIGITS_PLAIN ? digits : DIGITS_PLAIN, value);
	if (digits > DIGITS_FRONT && size >= PLAIN_MOST && exponent < DIGITS_MOST)
		return xasprintf("%.*f", last < 0 ? digits - 1 - exponent : 0, value);
	double front = value / pow(10, exponent);
	char *power = power_text(exponent);
	char *all = fabs(front - 1) < pow(10, 1 - fmax(digits, DIGITS_FRONT)) / 2 ? xstrdup(power) : xasprintf("%.*g×%s", digits > DIGITS_FRONT ? digits : DIGITS_FRONT, front, power);
	free(power);
	return all;
}

double
plot_scale_step(const double *v, size_t n)
{
	double least = 0;
	for (size_t i = 1; i < n; i++)
		if (!least || v[i] - v[i - 1] < least)
			least = v[i] - v[i - 1];
	return least;
}

char *
plot_scale_number(double value)
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
drop_ticks(struct scale *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->ticks[i].name);
	s->n = 0;
}

double
plot_scale_place(const struct scale *s, double v)
{
	return s->log ? (log(v) - log(s->lo)) / (log(s->hi) - log(s->lo)) : (v - s->lo) / (s->hi - s->lo);
}

/* Whether all names have enough space; on a vertical axis they are one above the other.
 * The last one is moved into the figure, which may end PX_EDGE after the axis. */
static bool
ticks_part(const struct scale *s, double room, bool upright)
{
	double end = -INFINITY;
	for (size_t i = 0; i < s->n; i++) {
		if (!*s->ticks[i].name)
			continue;
		double half = upright ? PX_LINE / 2.0 : plot_text_px(s->ticks[i].name, PX_TEXT) / 2 + TICK_GAP, at = plot_scale_place(s, s->ticks[i].at) * room;
		if (!upright)
			at = fmin(at, room + PX_EDGE - half);
		if (at - half < end)
			return false;
		end = at + half;
	}
	return true;
}

static void
step_ticks(struct scale *s, double step)
{
	drop_ticks(s);
	for (double k = ceil(s->lo / step - 1e-6); k * step <= s->hi + step * 1e-6; k++) {
		char *name = plot_scale_tick_text(k * step, step);
		plot_scale_tick(s, k * step, name);
		free(name);
	}
}

/* Powers of ten, as many as have space. */
static void
linear_ticks(struct scale *s, double most_ticks, double room, bool upright)
{
	double step = nice_step(s->hi - s->lo, most_ticks), finer = step;
	for (step_ticks(s, step); s->n > 1 && !ticks_part(s, room, upright); step_ticks(s, step)) {
		finer = step;
		step = nice_step(s->hi - s->lo, --most_ticks);
		if (most_ticks < 1)
			break;
	}
	if (s->n > 1)
		return;
	step_ticks(s, finer);
	for (size_t i = 1; i + 1 < s->n; i++)
		*s->ticks[i].name = '\0';
}

/* Powers of ten, every `every`th labelled, counted from `from`; 2 and 5 times them too if `halves`.
 * Returns the number of labelled ticks. */
static size_t
power_ticks(struct scale *s, int every, int from, bool halves)
{
	size_t named = 0;
	drop_ticks(s);
	for (int e = (int)floor(log10(s->lo) - 1e-9); e <= (int)ceil(log10(s->hi)); e++)
		for (int m = 1; m < 10; m++) {
			double at = m * pow(10, e);
			if (at < s->lo * (1 - 1e-9) || at > s->hi * (1 + 1e-9))
				continue;
			bool name = m == 1 ? (e - from) % every == 0 : halves && (m == 2 || m == 5);
			char *text = name ? plot_scale_tick_text(at, 0) : xstrdup("");
			if (name || every == 1)
				plot_scale_tick(s, at, text);
			named += name;
			free(text);
		}
	return named;
}

/* As many as fit, but at least two, which show that the axis is logarithmic. */
static void
log_ticks(struct scale *s, double most_ticks, double room, bool upright)
{
	int first = (int)ceil(log10(s->lo) - 1e-9), last = (int)floor(log10(s->hi) + 1e-9);
	double decades = log10(s->hi) - log10(s->lo);
	if (last - first < 2 || decades * 3 <= most_ticks)
		if (power_ticks(s, 1, 0, true) >= 2 && ticks_part(s, room, upright))
			return;
	for (int every = 1; every <= last - first; every++)
		if (decades <= every * most_ticks && (power_ticks(s, every, 0, false) >= 2 || power_ticks(s, every, first, false) >= 2) && ticks_part(s, room, upright))
			return;
	if (last > first)
		power_ticks(s, last - first, first, false);
	else
		linear_ticks(s, most_ticks < 4 ? most_ticks : 4, room, upright);
}

static double
log_pad(double least, double most)
{
	double decades = log10(most) - log10(least);
	return decades < DECADES_PADDED ? pow(10, 0.03 * decades) : 1;
}

void
plot_scale_fit(struct scale *s, double least, double most, bool log, double room, bool upright)
{
	double ticks = floor(room / (upright ? TICK_ROOM_UP : TICK_ROOM));
	s->log = log && least > 0 && most > 0;
	if (!(most - least > fmax(fabs(most), fabs(least)) * NO_SPAN)) {
		/* A single value is in the middle, as are values that no tick can distinguish. */
		double v = least;
		least = s->log ? v / 2 : v > 0 ? 0 : v < 0 ? 2 * v : 0;
		most = s->log ? v * 2 : v > 0 ? 2 * v : v < 0 ? 0 : 1;
	}
	double pad = s->log ? log_pad(least, most) : (most - least) * 0.04;
	s->lo = s->log ? least / pad : least == 0 ? 0 : least > 0 && least < 0.3 * most ? 0 : least - pad;
	s->hi = s->log ? most * pad : most == 0 ? 0 : most + pad;
	/* The difference must be representable. */
	s->hi = fmin(s->hi, DBL_MAX / 4);
	s->lo = fmax(s->lo, s->log ? DBL_MIN : -DBL_MAX / 4);
	if (s->log)
		log_ticks(s, ticks, room, upright);
	else
		linear_ticks(s, ticks, room, upright);
}

void
plot_scale_names(struct scale *s, char *const *names, size_t n, bool down, double px, double room)
{
	s->lo = down ? (double)n - 0.5 : -0.5;
	s->hi = down ? -0.5 : (double)n - 0.5;
	char **fits = plot_text_fit_names(names, n, px, room);
	for (size_t i = 0; i < n; i++)
		plot_scale_tick(s, (double)i, *fits[i] ? fits[i] : " ");
	plot_text_free(fits, n);
}
