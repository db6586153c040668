/* sampled.c: what the samples of one cell say. */
#include "sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a GPU `cpu_s` is the integral of its use over time, so that both are rates. */
struct one {
	double t, cpu_s, bytes;
};
static struct {
	struct one *s;
	size_t n, cap;
} kept[SAMPLED_ROLES];
enum { MOST_SAMPLES = 4000000 };	/* an hour at 1000 Hz; of what is beyond, the latest */

static void
keep(enum sampled_role role, struct one s)
{
	if (kept[role].n == MOST_SAMPLES)
		memmove(kept[role].s, kept[role].s + 1, --kept[role].n * sizeof s);
	if (kept[role].n == kept[role].cap) {
		kept[role].cap = kept[role].cap ? 2 * kept[role].cap : 256;
		kept[role].s = xrealloc(kept[role].s, kept[role].cap * sizeof s);
	}
	kept[role].s[kept[role].n++] = s;
}

/* All GPUs together: their mean use, their memory. */
static void
take_gpus(double t, struct span text)
{
	json_t *gpus = span_null(text) ? NULL : span_json(text), *gpu;
	size_t i, known = 0, n = kept[SAMPLED_GPU].n;
	double use = 0, bytes = 0;
	json_array_foreach(gpus, i, gpu) {
		json_t *pct = json_object_get(gpu, "use_pct");
		bytes += json_number_value(json_object_get(gpu, "memory_bytes"));
		use += json_number_value(pct);
		known += json_is_number(pct);
	}
	if (gpus) {
		const struct one *last = n ? &kept[SAMPLED_GPU].s[n - 1] : NULL;
		double past = last ? last->cpu_s + (t - last->t) * (known ? use / (double)known / 100 : (double)NAN) : 0;
		keep(SAMPLED_GPU, (struct one){t, past, bytes});
	}
	json_decref(gpus);
}

void
sampled_take(struct scan *s)
{
	double t = span_number(scan_get(s, "t"));
	struct span role = scan_get(s, "role");
	if (!isfinite(t))
		return;
	if (span_is(role, "\"machine\""))
		take_gpus(t, scan_get(s, "gpus"));
	else if (span_is(role, "\"kernel\"") || span_is(role, "\"browser\""))
		keep(span_is(role, "\"kernel\"") ? SAMPLED_KERNEL : SAMPLED_BROWSER,
		    (struct one){t, span_number(scan_get(s, "cpu_s")), span_number(scan_get(s, "rss_bytes"))});
}

static void
widen(struct range *r, double x)
{
	if (!(r->min <= x))
		r->min = x;
	if (!(r->max >= x))
		r->max = x;
}

size_t
sampled_cpu(enum sampled_role role, double from_t, double to_t, struct range *r)
{
	double cpu_s = 0, wall_s = 0;
	size_t n = 0;
	*r = (struct range){NAN, NAN, NAN};
	for (size_t i = 1; i < kept[role].n; i++) {
		const struct one *a = &kept[role].s[i - 1], *b = a + 1;
		double middle = (a->t + b->t) / 2, used = b->cpu_s - a->cpu_s;
		if (middle < from_t || middle > to_t || b->t <= a->t || !isfinite(used))
			continue;
		widen(r, 100 * used / (b->t - a->t));
		cpu_s += used;
		wall_s += b->t - a->t;
		n++;
	}
	if (n)
		r->mean = 100 * cpu_s / wall_s;
	return n;
}

size_t
sampled_memory(enum sampled_role role, double from_t, double to_t, struct range *r)
{
	double sum = 0;
	size_t n = 0;
	*r = (struct range){NAN, NAN, NAN};
	for (size_t i = 0; i < kept[role].n; i++) {
		const struct one *s = &kept[role].s[i];
		if (s->t < from_t || s->t > to_t || !isfinite(s->bytes))
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
sampled_forget(void)
{
	for (size_t i = 0; i < SAMPLED_ROLES; i++)
		if (kept[i].n > 1) {
			kept[i].s[0] = kept[i].s[kept[i].n - 1];
			kept[i].n = 1;
		}
}
