/* repeated.c: the repetitions of each notebook: which one stands for all, and their range. */
#include "metric/repeated.h"
#include "base/die.h"

static const struct summary *sorted;

static int
compare_runs(const void *a, const void *b)
{
	const struct run_summary *p = &sorted->v[*(const size_t *)a];
	const struct run_summary *q = &sorted->v[*(const size_t *)b];
	int order = strcmp(p->name, q->name);
	order = order ? order : strcmp(p->label, q->label);
	if (order)
		return order;
	if (p->filmed != q->filmed)
		return p->filmed ? 1 : -1;
	double x = isfinite(p->client_s) ? p->client_s : INFINITY;
	double y = isfinite(q->client_s) ? q->client_s : INFINITY;
	return x < y ? -1 : x > y ? 1 : p < q ? -1 : p > q;
}

struct repeated
repeated_of(const struct summary *s, size_t *at, size_t n)
{
	struct repeated k = {.runs = at, .n = n, .median_s = NAN, .least_s = NAN, .most_s = NAN,
	    .speed_index_s = NAN};
	size_t timed = 0;
	sorted = s;
	qsort(at, n, sizeof *at, compare_runs);
	if (s->v[at[n - 1]].filmed) {
		k.speed_index_s = s->v[at[n - 1]].speed_index_s;
		k.n = n = n > 1 ? n - 1 : n;
	}
	for (size_t i = 0; i < n; i++) {
		const struct run_summary *r = &s->v[at[i]];
		timed += isfinite(r->client_s);
		k.failed += summary_failed(r);
		k.skipped += summary_skipped(r);
	}
	/* Two in the middle are equally near to the median: the faster one is shown. */
	k.shown = at[timed ? (timed - 1) / 2 : 0];
	if (timed) {
		k.median_s = s->v[k.shown].client_s / 2 + s->v[at[timed / 2]].client_s / 2;
		k.least_s = s->v[at[0]].client_s;
		k.most_s = s->v[at[timed - 1]].client_s;
	}
	for (size_t i = n; i-- > 0;)
		if (summary_failed(&s->v[at[i]]))
			k.shown = at[i];
	return k;
}

static size_t
first_of(const struct repeated *k)
{
	size_t first = k->runs[0];
	for (size_t i = 1; i < k->n; i++)
		first = k->runs[i] < first ? k->runs[i] : first;
	return first;
}

static int
compare_repeated(const void *a, const void *b)
{
	size_t p = first_of(a), q = first_of(b);
	return p < q ? -1 : p > q;
}

struct repeated *
repeated_find(const struct summary *s, size_t *n)
{
	size_t *at = xmalloc(s->n * sizeof *at);
	struct repeated *all = xmalloc(s->n * sizeof *all);
	*n = 0;
	for (size_t i = 0; i < s->n; i++)
		at[i] = i;
	sorted = s;
	qsort(at, s->n, sizeof *at, compare_runs);
	for (size_t i = 0, k; i < s->n; i = k) {
		const struct run_summary *r = &s->v[at[i]];
		for (k = i + 1; k < s->n && strcmp(s->v[at[k]].name, r->name) == 0 &&
		    strcmp(s->v[at[k]].label, r->label) == 0; k++)
			;
		all[(*n)++] = repeated_of(s, at + i, k - i);
	}
	qsort(all, *n, sizeof *all, compare_repeated);
	return all;
}
