/* chart.c: the scales of a graph. */
#include "chart.h"

static const struct {
	double of;
	const char *bytes, *count;
} prefixes[] = {{1e12, "T", ""}, {1e9, "G", ""}, {1e6, "M", "million "}, {1e3, "k", "thousand "}};

/* 1, 2 or 5 times a power of ten. */
static double
nice_step(double least)
{
	double power = pow(10, floor(log10(least)));
	double f = least / power;
	return power * (f <= 1.000001 ? 1 : f <= 2.000001 ? 2 : f <= 5.000001 ? 5 : 10);
}

struct axis
chart_axis(double most, size_t ticks, bool bytes)
{
	struct axis a = {.divide = 1, .prefix = ""};
	if (!(most > 0) || !isfinite(most))
		most = 1;
	a.step = nice_step(most / (double)(ticks ? ticks : 1));
	a.top = a.step * ceil(most / a.step - 1e-9);
	/* Numbers of up to five digits have no prefix. */
	double from = bytes ? 1 : 100;
	for (size_t i = 0; i < COUNT(prefixes); i++)
		if (a.top >= from * prefixes[i].of && (bytes || *prefixes[i].count)) {
			a.divide = prefixes[i].of;
			a.prefix = bytes ? prefixes[i].bytes : prefixes[i].count;
			break;
		}
	double shown = a.step / a.divide;
	a.decimals = shown < 1 ? (int)ceil(-log10(shown) - 1e-9) : 0;
	return a;
}

void
chart_tick(struct buf *b, const struct axis *a, double value)
{
	buf_addf(b, "%.*f", a->decimals, value / a->divide + 0.0);
}

void
chart_unit(struct buf *b, const struct panel *p, const struct axis *a)
{
	buf_addf(b, "%s%s", a->prefix, p->unit);
}

void
chart_amount(struct buf *b, double v, bool bytes)
{
	const char *prefix = "";
	for (size_t i = 0; i < COUNT(prefixes) && bytes; i++)
		if (v >= 0.9995 * prefixes[i].of) {
			v /= prefixes[i].of;
			prefix = prefixes[i].bytes;
			break;
		}
	int decimals = v == 0 || v >= 99.95 || (bytes && !*prefix) ? 0 : v >= 9.995 ? 1 : 2;
	buf_addf(b, "%.*f%s%s%s", decimals, v, bytes ? " " : "", prefix, bytes ? "B" : "");
}
