/* sampled.c: what the samples of one cell say. */
#include "sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct one {
	double t, bytes;
	double pct;	/* use since the one before; NaN: not known */
};
static struct {
	struct one *s;
	size_t n, cap;
	double cpu_s;	/* of the last one */
} kept[SAMPLED_ROLES];
static struct range times = {NAN, NAN, NAN};
enum { MOST_SAMPLES = 4000000 };	/* an hour at 1000 Hz; of what is beyond, the later half */

static void
widen(struct range *r, double x)
{
	if (!(r->min <= x))
		r->min = x;
	if (!(r->max >= x))
		r->max = x;
}

static void
keep(enum sampled_role role, struct one s)
{
	if (kept[role].n == MOST_SAMPLES) {
		kept[role].n /= 2;
		memmove(kept[role].s, kept[role].s + kept[role].n, kept[role].n * sizeof s);
	}
	if (kept[role].n == kept[role].cap) {
		kept[role].cap = kept[role].cap ? 2 * kept[role].cap : 256;
		kept[role].s = xrealloc(kept[role].s, kept[role].cap * sizeof s);
	}
	kept[role].s[kept[role].n++] = s;
}

/* CPU seconds that fall are those of a new watch. */
static void
take_tree(enum sampled_role role, double t, double cpu_s, double bytes)
{
	size_t n = kept[role].n;
	double past_s = n ? t - kept[role].s[n - 1].t : NAN, used_s = cpu_s - kept[role].cpu_s;
	keep(role, (struct one){t, bytes, past_s > 0 && used_s >= 0 ? 100 * used_s / past_s : NAN});
	kept[role].cpu_s = cpu_s;
}

/* All GPUs together: the mean use and the memory of those that tell it. */
static void
take_gpus(double t, struct span text)
{
	json_t *gpus = span_null(text) ? NULL : span_json(text), *gpu;
	size_t i, using = 0, holding = 0;
	double pct = 0, bytes = 0;
	json_array_foreach(gpus, i, gpu) {
		json_t *use = json_object_get(gpu, "use_pct"), *memory = json_object_get(gpu, "memory_bytes");
		pct += json_number_value(use);
		using += json_is_number(use);
		bytes += json_number_value(memory);
		holding += json_is_number(memory);
	}
	if (gpus)
		keep(SAMPLED_GPU, (struct one){t, holding ? bytes : NAN, using ? pct / (double)using : NAN});
	json_decref(gpus);
}

void
sampled_take(struct scan *s)
{
	double t = span_number(scan_get(s, "t"));
	struct span role = scan_get(s, "role");
	if (!isfinite(t))
		return;
	widen(&times, t);
	if (span_is(role, "\"machine\""))
		take_gpus(t, scan_get(s, "gpus"));
	else if (span_is(role, "\"kernel\"") || span_is(role, "\"browser\""))
		take_tree(span_is(role, "\"kernel\"") ? SAMPLED_KERNEL : SAMPLED_BROWSER, t,
		    span_number(scan_get(s, "cpu_s")), span_number(scan_get(s, "rss_bytes")));
}

size_t
sampled_cpu(enum sampled_role role, double from_t, double to_t, struct range *r)
{
	double sum = 0, wall_s = 0;
	size_t n = 0;
	*r = (struct range){NAN, NAN, NAN};
	for (size_t i = 1; i < kept[role].n; i++) {
		const struct one *a = &kept[role].s[i - 1], *b = a + 1;
		double middle = (a->t + b->t) / 2, past_s = b->t - a->t;
		if (!(middle >= from_t && middle <= to_t) || past_s <= 0 || !isfinite(b->pct))
			continue;
		widen(r, b->pct);
		sum += b->pct * past_s;
		wall_s += past_s;
		n++;
	}
	if (n)
		r->mean = sum / wall_s;
	return n;
}

double
sampled_used_s(enum sampled_role role, double from_t, double to_t)
{
	double used_s = 0;
	for (size_t i = 1; i < kept[role].n; i++) {
		const struct one *a = &kept[role].s[i - 1], *b = a + 1;
		if (a->t >= from_t && b->t <= to_t && isfinite(b->pct))
			used_s += b->pct * (b->t - a->t) / 100;
	}
	return used_s;
}

size_t
sampled_memory(enum sampled_role role, double from_t, double to_t, struct range *r)
{
	double sum = 0;
	size_t n = 0;
	*r = (struct range){NAN, NAN, NAN};
	for (size_t i = 0; i < kept[role].n; i++) {
		const struct one *s = &kept[role].s[i];
		if (!(s->t >= from_t && s->t <= to_t) || !isfinite(s->bytes))
			continue;
		widen(r, s->bytes);
		sum += s->bytes;
		n++;
	}
	if (n)
		r->mean = sum / (double)n;
	return n;
}

void
sampled_forget_before(double t)
{
	for (size_t i = 0; i < SAMPLED_ROLES; i++) {
		size_t gone = 0;
		while (gone + 1 < kept[i].n && kept[i].s[gone + 1].t <= t)
			gone++;
		kept[i].n -= gone;
		if (gone)
			memmove(kept[i].s, kept[i].s + gone, kept[i].n * sizeof *kept[i].s);
	}
}

void
sampled_forget(void)
{
	for (size_t i = 0; i < SAMPLED_ROLES; i++)
		kept[i].n = 0;
	times = (struct range){NAN, NAN, NAN};
}

struct range
sampled_times(void)
{
	return times;
}
