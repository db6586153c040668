/* rank_test.c: whether two samples differ, by the order of their values alone. */
#include "stats/rank_test.h"

#include "base/die.h"
#include "stats/normal.h"

static const double interval_alpha = 0.05;

/* ---- the distribution of U ---------------------------------------------------- */

/* P(U = u) for u in 0..m*n, by the recursion over which sample has the largest value: all
 * terms are positive, so nothing cancels.  Remembers all sizes: searches for a number of runs
 * ask for many of them. */
static const double *
distribution_of_u(size_t m, size_t n)
{
	static double *known[RANK_MAX_EXACT + 1][RANK_MAX_EXACT + 1];
	if (known[m][n])
		return known[m][n];
	size_t width = m * n + 1;
	double *row = xmalloc((n + 1) * width * sizeof *row), *next = xmalloc(width * sizeof *next);
	memset(row, 0, (n + 1) * width * sizeof *row);
	for (size_t j = 0; j <= n; j++)
		row[j * width] = 1;
	for (size_t i = 1; i <= m; i++) {
		for (size_t j = 1; j <= n; j++) {
			double from_x = (double)i / (double)(i + j);
			double *old = row + j * width, *before = old - width;
			for (size_t u = 0; u <= i * j; u++) {
				next[u] = u >= j ? from_x * old[u - j] : 0;
				next[u] += u <= i * (j - 1) ? (1 - from_x) * before[u] : 0;
			}
			memcpy(old, next, (i * j + 1) * sizeof *old);
		}
	}
	memcpy(next, row + n * width, width * sizeof *next);
	free(row);
	return known[m][n] = next;
}

static bool
is_exact(size_t m, size_t n)
{
	return m <= RANK_MAX_EXACT && n <= RANK_MAX_EXACT;
}

double
rank_min_p(size_t m, size_t n)
{
	double ways = 1;	/* m + n over n */
	for (size_t i = 1; i <= n && ways < 1e300; i++)
		ways = ways * (double)(m + i) / (double)i;
	return m && n && ways > 2 ? 2 / ways : 1;
}

double
rank_level(size_t m, size_t n, double alpha)
{
	if (rank_min_p(m, n) > alpha)
		return 0;
	if (!is_exact(m, n))
		return alpha;
	const double *p = distribution_of_u(m, n);
	double level = 0;
	for (size_t u = 0; level + 2 * p[u] <= alpha; u++)
		level += 2 * p[u];
	return level;
}

/* ---- Mann and Whitney ------------------------------------------------------------ */

/* The pairs in which x is larger, a tie counting half; *ties: the sum of t^3 - t. */
static double
count_u(const double *x, size_t m, const double *y, size_t n, double *ties)
{
	double u = 0;
	*ties = 0;
	for (size_t i = 0, j = 0; i < m || j < n;) {
		double v = i == m || (j < n && y[j] < x[i]) ? y[j] : x[i];
		size_t of_x = 0, of_y = 0;
		while (i + of_x < m && x[i + of_x] <= v)
			of_x++;
		while (j + of_y < n && y[j + of_y] <= v)
			of_y++;
		double t = (double)(of_x + of_y);
		u += (double)of_x * ((double)j + (double)of_y / 2);
		*ties += t * t * t - t;
		i += of_x;
		j += of_y;
	}
	return u;
}

struct rank_sum
rank_sum(const double *x, size_t m, const double *y, size_t n)
{
	double ties, pairs = (double)m * (double)n, all = (double)(m + n);
	struct rank_sum r = {.u = count_u(x, m, y, n, &ties)};
	double larger = fmax(r.u, pairs - r.u);
	r.delta = 1 - 2 * r.u / pairs;
	r.exact = ties <= 0 && is_exact(m, n);
	if (r.exact) {
		const double *p = distribution_of_u(m, n);
		double tail = 0;
		for (size_t u = (size_t)larger; u <= m * n; u++)
			tail += p[u];
		r.p = fmin(1, 2 * tail);
	} else {
		double variance = pairs / 12 * (all + 1 - ties / (all * (all - 1)));
		double z = (larger - pairs / 2 - 0.5) / sqrt(variance);
		r.p = variance > 0 ? fmin(1, 2 * normal_above(z)) : 1;
	}
	return r;
}

/* ---- Hodges and Lehmann ------------------------------------------------------------ */

/* Doubles as whole numbers of the same order, so that a bisection ends exactly. */
static int64_t
to_order(double x)
{
	int64_t i;
	memcpy(&i, &x, sizeof i);
	return i < 0 ? INT64_MIN - i : i;
}

static double
from_order(int64_t i)
{
	double x;
	i = i < 0 ? INT64_MIN - i : i;
	memcpy(&x, &i, sizeof x);
	return x;
}

/* The number of differences y - x that are at most v. */
static double
differences_to(const double *x, size_t m, const double *y, size_t n, double v)
{
	double count = 0;
	for (size_t i = 0, j = 0; i < m; i++) {
		while (j < n && y[j] - x[i] <= v)
			j++;
		count += (double)j;
	}
	return count;
}

/* The k-th smallest (from 1) of all y - x, without computing all. */
static double
kth_difference(const double *x, size_t m, const double *y, size_t n, double k)
{
	int64_t low = to_order(y[0] - x[m - 1]), high = to_order(y[n - 1] - x[0]);
	while (low < high) {
		/* The mean, rounded down, of numbers of either sign. */
		int64_t middle = (low & high) + ((low ^ high) >> 1);
		if (differences_to(x, m, y, n, from_order(middle)) >= k)
			high = middle;
		else
			low = middle + 1;
	}
	return from_order(low);
}

/* The number of differences outside the interval on each side; below 0: the interval is
 * infinite. */
static double
outside_interval(size_t m, size_t n)
{
	double pairs = (double)m * (double)n, tail = 0;
	if (!is_exact(m, n)) {
		double z = normal_quantile(1 - interval_alpha / 2);
		return floor(pairs / 2 - z * sqrt(pairs * (double)(m + n + 1) / 12)) - 1;
	}
	const double *p = distribution_of_u(m, n);
	size_t u = 0;
	while (u <= m * n && (tail += p[u]) <= interval_alpha / 2)
		u++;
	return (double)u - 1;
}

struct rank_shift
rank_shift(const double *x, size_t m, const double *y, size_t n)
{
	double pairs = (double)m * (double)n, half = floor(pairs / 2);
	double outside = outside_interval(m, n);
	struct rank_shift s = {.low = -INFINITY, .high = INFINITY};
	s.shift = kth_difference(x, m, y, n, half + 1);
	if (pairs - 2 * half < 1)
		s.shift = s.shift / 2 + kth_difference(x, m, y, n, half) / 2;
	if (outside >= 0) {
		s.low = kth_difference(x, m, y, n, outside + 1);
		s.high = kth_difference(x, m, y, n, pairs - outside);
	}
	return s;
}
