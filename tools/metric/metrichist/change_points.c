/* change_points.c: where the level of a series of values changes. */
#include "change_points.h"

#include "base/die.h"
#include "stats/random.h"
#include "stats/sample.h"

enum { MIN_SIDE = 2, SHUFFLES = 999, MAX_DEPTH = 8, MAX_WINDOW = 64 };
/* The share of alpha for the second test of a series: without a single step, it may have two. */
#define WINDOW_SHARE 0.5

/* The largest sum of squares that a step explains.  Of ranks, so that a single outlier is no
 * step. */
static double
best_split(const double *v, size_t n)
{
	double sum = 0, all = 0, best = 0;
	for (size_t i = 0; i < n; i++)
		all += v[i];
	for (size_t i = 1; i < n; i++) {
		sum += v[i - 1];
		double left = sum / (double)i, right = (all - sum) / (double)(n - i);
		double between = (double)i * (double)(n - i) / (double)n;
		between *= (left - right) * (left - right);
		if (i >= MIN_SIDE && i + MIN_SIDE <= n && between > best)
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
	double middle = sample_median(copy, sample_sort(copy, n));
	for (size_t i = 0; i < n; i++)
		sum += fabs(v[i] - middle);
	free(copy);
	return sum;
}

/* The ranks show that there is a step; its position minimizes the values' distances to each
 * side's median. */
static size_t
split_position(const double *v, size_t n)
{
	size_t at = MIN_SIDE;
	double best = INFINITY;
	for (size_t i = MIN_SIDE; i + MIN_SIDE <= n; i++) {
		double sum = distance_to_median(v, i) + distance_to_median(v + i, n - i);
		if (sum < best) {
			best = sum;
			at = i;
		}
	}
	return at;
}

/* Compares a window with everything outside it: a level that rises and falls back has no
 * single split. */
static double
best_window(const double *v, size_t n)
{
	double all = 0, best = 0;
	for (size_t i = 0; i < n; i++)
		all += v[i];
	for (size_t i = MIN_SIDE; i < n; i++) {
		double sum = 0;
		for (size_t k = i + 1; k + MIN_SIDE <= n && k - i <= MAX_WINDOW; k++) {
			double in = (double)(k - i), out = (double)n - in;
			sum += v[k - 1];
			double apart = sum / in - (all - sum) / out,
			       between = in * out / (double)n * apart * apart;
			if (k - i >= MIN_SIDE && between > best)
				best = between;
		}
	}
	return best;
}

static void
window_position(const double *v, size_t n, size_t *from, size_t *to)
{
	double *rest = xmalloc(n * sizeof *rest), best = INFINITY;
	for (size_t i = MIN_SIDE; i + 2 * MIN_SIDE <= n; i++)
		for (size_t k = i + MIN_SIDE; k + MIN_SIDE <= n && k - i <= MAX_WINDOW; k++) {
			memcpy(rest, v, i * sizeof *rest);
			memcpy(rest + i, v + k, (n - k) * sizeof *rest);
			double sum = distance_to_median(v + i, k - i) +
			    distance_to_median(rest, n - (k - i));
			if (sum < best) {
				best = sum;
				*from = i;
				*to = k;
			}
		}
	free(rest);
}

/* The share of random orders with as large a step; stops once it is known to exceed alpha. */
static double
share_of_orders(const double *v, size_t n, double (*best_of)(const double *, size_t), double alpha)
{
	double *rank = xmalloc(n * sizeof *rank);
	uint64_t state = 20261121;	/* fixed: the same history has the same steps */
	size_t as_good = 1;
	to_ranks(v, n, rank);
	double best = best_of(rank, n);
	double most = alpha * (SHUFFLES + 1);
	for (size_t k = 0; k < SHUFFLES && best > 0 && (double)as_good <= most; k++) {
		for (size_t i = n; i > 1; i--) {
			size_t other = (size_t)random_below(&state, i);
			double kept = rank[i - 1];
			rank[i - 1] = rank[other];
			rank[other] = kept;
		}
		as_good += best_of(rank, n) >= best * (1 - 1e-12);
	}
	free(rank);
	return best > 0 ? (double)as_good / (SHUFFLES + 1) : 1;
}

struct change_list {
	const double *v;
	double alpha;
	size_t *at, n;
	double *p;
};

static void
append_change(struct change_list *f, size_t at, double p)
{
	f->at[f->n] = at;
	f->p[f->n++] = p;
}

/* Splits recursively, so that changes are found in their order. */
static void
find_in_range(struct change_list *f, size_t from, size_t to, int depth)
{
	const double *v = f->v + from;
	size_t n = to - from, at = 0, end = to - from;
	if (n < CHANGE_POINTS_MIN || depth > MAX_DEPTH)
		return;
	double p = share_of_orders(v, n, best_split, f->alpha);
	if (p <= f->alpha) {
		at = split_position(v, n);
		find_in_range(f, from, from + at, depth + 1);
		append_change(f, from + at, p);
		find_in_range(f, from + at, to, depth + 1);
		return;
	}
	p = share_of_orders(v, n, best_window, f->alpha * WINDOW_SHARE);
	if (p > f->alpha * WINDOW_SHARE)
		return;
	window_position(v, n, &at, &end);
	find_in_range(f, from, from + at, depth + 1);
	append_change(f, from + at, p);
	find_in_range(f, from + at, from + end, depth + 1);
	append_change(f, from + end, p);
	find_in_range(f, from + end, to, depth + 1);
}

size_t
change_points_find(const double *v, size_t n, double alpha, size_t *at, double *p)
{
	struct change_list f = {.v = v, .alpha = alpha, .at = at, .p = p};
	find_in_range(&f, 0, n, 0);
	return f.n;
}

bool
change_points_last(const double *v, size_t n, double error)
{
	double low = INFINITY, high = -INFINITY;
	if (n < CHANGE_POINTS_MIN + 1)
		return false;
	for (size_t i = 0; i + 1 < n; i++) {
		low = fmin(low, v[i]);
		high = fmax(high, v[i]);
	}
	double room = fmax((high - low) / 2, 3 * error);
	return v[n - 1] > high + room || v[n - 1] < low - room;
}
