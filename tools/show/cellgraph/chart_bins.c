/* chart_bins.c: a time series as the columns of a chart. */
#include "chart_bins.h"
#include "base/die.h"

/* `mean` accumulates the integral, and *known the width. */
static void
spread(struct chart_bin *bins, double *known, size_t n, double a, double b, double v)
{
	for (size_t i = a > 0 ? (size_t)a : 0; i < n && (double)i < b; i++) {
		double part = fmin(b, (double)i + 1) - fmax(a, (double)i);
		if (part <= 0)
			continue;
		bins[i].mean = (known[i] > 0 ? bins[i].mean : 0) + part * v;
		bins[i].lo = fmin(bins[i].lo, v);
		bins[i].hi = fmax(bins[i].hi, v);
		known[i] += part;
	}
}

struct chart_bin *
chart_bins(const struct time_series *series, const struct series_def *def, const struct stretch *s,
    size_t stretches, double from, double to, size_t n)
{
	struct chart_bin *bins = xmalloc(n * sizeof *bins);
	double *known = xmalloc(n * sizeof *known), width = (to - from) / (double)n;
	for (size_t i = 0; i < n; i++) {
		bins[i] = (struct chart_bin){NAN, NAN, NAN};
		known[i] = 0;
	}
	for (size_t k = 0; k < stretches; k++) {
		size_t first = series_after(series, s[k].from_t);
		for (size_t i = first ? first : 1; i < series->n; i++) {
			const struct series_point *p = &series->points[i - 1], *q = p + 1;
			if (p->t >= s[k].to_t && !series->unordered)
				break;
			double v = series_value(def, p), shift = s[k].at - s[k].from_t - from;
			double a = fmax(p->t, s[k].from_t), b = fmin(q->t, s[k].to_t);
			if (isfinite(v) && a < b)
				spread(bins, known, n, (a + shift) / width, (b + shift) / width, v);
		}
	}
	for (size_t i = 0; i < n; i++)
		if (known[i] > 0)
			bins[i].mean = fmin(fmax(bins[i].mean / known[i], bins[i].lo), bins[i].hi);
	free(known);
	return bins;
}
