/* series.c: readings of one quantity over time. */
#include "run/series.h"
#include "base/die.h"

static void
append_point(struct time_series *s, double t, double reading)
{
	s->unordered |= s->n && t < s->points[s->n - 1].t;
	*XAPPEND(s->points, s->n) = (struct series_point){t, reading};
}

void
series_interrupt(struct time_series *s, double t)
{
	if (s->n && isfinite(s->points[s->n - 1].reading))
		append_point(s, t, NAN);
}

void
series_add(struct time_series *s, const struct series_def *def, double t, double reading)
{
	if (isfinite(reading))
		append_point(s, t, reading);
	else if (!(def->flags & SERIES_COUNTER))
		series_interrupt(s, t);
}

void
series_drop(struct time_series *s, size_t first)
{
	s->n -= first;
	if (first)
		memmove(s->points, s->points + first, s->n * sizeof *s->points);
	s->unordered &= s->n > 1;
}

void
series_drop_before(struct time_series *s, double t)
{
	size_t first = 0;
	while (first + 1 < s->n && s->points[first + 1].t <= t)
		first++;
	series_drop(s, first);
}

void
series_clear(struct time_series *s)
{
	free(s->points);
	*s = (struct time_series){0};
}

double
series_rate(double past_s, double before, double now)
{
	return past_s > 0 && now >= before ? (now - before) / past_s : (double)NAN;
}

double
series_scale(const struct series_def *def)
{
	return def->flags & SERIES_COUNTER && def->flags & SERIES_PERCENT ? 100 : 1;
}

double
series_value(const struct series_def *def, const struct series_point *p)
{
	if (def->flags & SERIES_COUNTER)
		return series_scale(def) * series_rate(p[1].t - p->t, p->reading, p[1].reading);
	return p[def->flags & SERIES_TRAILING ? 1 : 0].reading;
}

size_t
series_after(const struct time_series *s, double t)
{
	size_t lo = 0, hi = s->unordered ? 0 : s->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (s->points[mid].t > t)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static void
count_value(struct series_stats *stats, double value, double weight)
{
	if (!isfinite(value) || weight <= 0)
		return;
	stats->sum += value * weight;
	stats->min = fmin(stats->min, value);
	stats->max = fmax(stats->max, value);
	stats->n++;
}

struct series_stats
series_readings(const struct time_series *s, double from_t, double to_t)
{
	struct series_stats stats = {.min = NAN, .max = NAN};
	for (size_t i = series_after(s, nextafter(from_t, -INFINITY)); i < s->n; i++) {
		double t = s->points[i].t;
		if (t > to_t && !s->unordered)
			break;
		if (t >= from_t && t <= to_t)
			count_value(&stats, s->points[i].reading, 1);
	}
	return stats;
}

/* How much of the interval from p to the next point counts. */
static double
part_s(const struct series_point *p, double from_t, double to_t, enum series_rule rule)
{
	double begin = p->t, end = p[1].t, middle = (begin + end) / 2;
	switch (rule) {
	case SERIES_MIDDLE:
		return middle >= from_t && middle <= to_t ? end - begin : 0;
	case SERIES_WITHIN:
		return begin >= from_t && end <= to_t ? end - begin : 0;
	case SERIES_CUT:
		break;
	}
	return fmin(end, to_t) - fmax(begin, from_t);
}

struct series_stats
series_intervals(const struct time_series *s, const struct series_def *def, double from_t,
    double to_t, enum series_rule rule)
{
	struct series_stats stats = {.min = NAN, .max = NAN};
	size_t first = series_after(s, from_t);
	for (size_t i = first ? first - 1 : 0; i + 1 < s->n; i++) {
		const struct series_point *p = &s->points[i];
		if (p->t >= to_t && !s->unordered)
			break;
		double part = part_s(p, from_t, to_t, rule), value = series_value(def, p);
		count_value(&stats, value, part);
		if (isfinite(value) && part > 0)
			stats.time_s += part;
	}
	return stats;
}
