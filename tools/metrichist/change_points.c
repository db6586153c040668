/* steps.c: where a series of values steps. */
#include "change_points.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/nbscope.h"
#include "stats/rank_test.h"

enum { LEAST_SIDE = 2, SHUFFLES = 999, MOST_DEPTH = 8, MOST_WINDOW = 64 };
/* A series is looked at twice: for one step, and where there is none, for two. */
#define WINDOW_SHARE 0.5

/* splitmix64 with a fixed seed: the same history gives the same steps. */
static uint64_t
draw(uint64_t *state, uint64_t below)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (z ^ z >> 31) % below;
}

/* How far apart two sides can be, as what a step explains of the squares; of ranks:
 * one wild label makes no step. */
static double
best_split(const double *v, size_t n)
{
	double sum = 0, all = 0, best = 0;
	for (size_t i = 0; i < n; i++)
		all += v[i];
	for (size_t i = 1; i < n; i++) {
		sum += v[i - 1];
		double left = sum / (double)i, right = (all - sum) / (double)(n - i);
		double between = (double)i * (double)(n - i) / (double)n * (left - right) * (left - right);
		if (i >= LEAST_SIDE && i + LEAST_SIDE <= n && between > best)
			best = between;
	}
	return best;
}

static void
to_ranks(const double *v, size_t n, double *rank)
{
	for (size_t i = 0; i < n; i++) {
		double below = 0, same = 0;
		for (size_t k = 0; k < n; k++) {
			below += v[k] < v[i];
			same += !(v[k] < v[i]) && !(v[k] > v[i]);
		}
		rank[i] = below + (same + 1) / 2;
	}
}

static double
distance_to_median(const double *v, size_t n)
{
	double *copy = xmalloc(n * sizeof *copy), sum = 0;
	memcpy(copy, v, n * sizeof *copy);
	double middle = rank_median(copy, rank_sort(copy, n));
	for (size_t i = 0; i < n; i++)
		sum += fabs(v[i] - middle);
	free(copy);
	return sum;
}

/* Ranks say that there is a step; where it is, the values say, each side around
 * its own median. */
static size_t
place_of(const double *v, size_t n)
{
	size_t at = LEAST_SIDE;
	double best = INFINITY;
	for (size_t i = LEAST_SIDE; i + LEAST_SIDE <= n; i++) {
		double sum = distance_to_median(v, i) + distance_to_median(v + i, n - i);
		if (sum < best) {
			best = sum;
			at = i;
		}
	}
	return at;
}

/* The same of a stretch against what lies before and behind it: what went up and came
 * down again has no split of its own. */
static double
best_window(const double *v, size_t n)
{
	double all = 0, best = 0;
	for (size_t i = 0; i < n; i++)
		all += v[i];
	for (size_t i = LEAST_SIDE; i < n; i++) {
		double sum = 0;
		for (size_t k = i + 1; k + LEAST_SIDE <= n && k - i <= MOST_WINDOW; k++) {
			double in = (double)(k - i), out = (double)n - in;
			sum += v[k - 1];
			double apart = sum / in - (all - sum) / out, between = in * out / (double)n * apart * apart;
			if (k - i >= LEAST_SIDE && between > best)
				best = between;
		}
	}
	return best;
}

static void
place_window(const double *v, size_t n, size_t *from, size_t *to)
{
	double *rest = xmalloc(n * sizeof *rest), best = INFINITY;
	for (size_t i = LEAST_SIDE; i + 2 * LEAST_SIDE <= n; i++)
		for (size_t k = i + LEAST_SIDE; k + LEAST_SIDE <= n && k - i <= MOST_WINDOW; k++) {
			memcpy(rest, v, i * sizeof *rest);
			memcpy(rest + i, v + k, (n - k) * sizeof *rest);
			double sum = distance_to_median(v + i, k - i) + distance_to_median(rest, n - (k - i));
			if (sum < best) {
				best = sum;
				*from = i;
				*to = k;
			}
		}
	free(rest);
}

/* The share of random orders that look as stepped; no more of them are tried than say
 * that it is above alpha. */
static double
share_of_orders(const double *v, size_t n, double (*best_of)(const double *, size_t), double alpha)
{
	double *rank = xmalloc(n * sizeof *rank);
	uint64_t state = 20261121;
	size_t as_good = 1;
	to_ranks(v, n, rank);
	double best = best_of(rank, n);
	for (size_t k = 0; k < SHUFFLES && best > 0 && (double)as_good <= alpha * (SHUFFLES + 1); k++) {
		for (size_t i = n; i > 1; i--) {
			size_t other = (size_t)draw(&state, i);
			double kept = rank[i - 1];
			rank[i - 1] = rank[other];
			rank[other] = kept;
		}
		as_good += best_of(rank, n) >= best * (1 - 1e-12);
	}
	free(rank);
	return best > 0 ? (double)as_good / (SHUFFLES + 1) : 1;
}

struct found {
	const double *v;
	double alpha;
	size_t *at, n;
	double *p;
};

static void
add_found(struct found *f, size_t at, double p)
{
	f->at[f->n] = at;
	f->p[f->n++] = p;
}

/* Splits, and each part again: so they come in their order. */
static void
split(struct found *f, size_t from, size_t to, int depth)
{
	const double *v = f->v + from;
	size_t n = to - from, at = 0, end = to - from;
	if (n < STEPS_LEAST || depth > MOST_DEPTH)
		return;
	double p = share_of_orders(v, n, best_split, f->alpha);
	if (p <= f->alpha) {
		at = place_of(v, n);
		split(f, from, from + at, depth + 1);
		add_found(f, from + at, p);
		split(f, from + at, to, depth + 1);
		return;
	}
	p = share_of_orders(v, n, best_window, f->alpha * WINDOW_SHARE);
	if (p > f->alpha * WINDOW_SHARE)
		return;
	place_window(v, n, &at, &end);
	split(f, from, from + at, depth + 1);
	add_found(f, from + at, p);
	split(f, from + at, from + end, depth + 1);
	add_found(f, from + end, p);
	split(f, from + end, to, depth + 1);
}

size_t
steps_find(const double *v, size_t n, double alpha, size_t *at, double *p)
{
	struct found f = {.v = v, .alpha = alpha, .at = at, .p = p};
	split(&f, 0, n, 0);
	return f.n;
}

bool
step_last(const double *v, size_t n, double error)
{
	double low = INFINITY, high = -INFINITY;
	if (n < STEPS_LEAST + 1)
		return false;
	for (size_t i = 0; i + 1 < n; i++) {
		low = fmin(low, v[i]);
		high = fmax(high, v[i]);
	}
	double room = fmax((high - low) / 2, 3 * error);
	return v[n - 1] > high + room || v[n - 1] < low - room;
}
