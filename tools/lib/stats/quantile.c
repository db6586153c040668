/* quantile.c: quantiles by selection, without sorting more than is needed. */
#include "stats/quantile.h"

#include "base/nbscope.h"
#include "base/num.h"

enum { FEW = 24 };	/* sorted by insertion */

/* ---- order ----------------------------------------------------------------------- */

static void
sort_few(double *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double x = v[i];
		size_t k = i;
		for (; k && v[k - 1] > x; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

static double
median_of_3(double a, double b, double c)
{
	return a < b ? b < c ? b : a < c ? c : a : a < c ? a : b < c ? c : b;
}

static double
pivot_of(const double *v, size_t n)
{
	size_t step = n / 9;
	double m[3];
	for (size_t i = 0; i < 3; i++)
		m[i] = median_of_3(v[3 * i * step], v[(3 * i + 1) * step], v[(3 * i + 2) * step]);
	return median_of_3(m[0], m[1], m[2]);
}

/* Moves the values below the pivot to the front and returns their number.  No branch
 * depends on a value. */
static size_t
partition(double *v, size_t n, double pivot, bool with_equal)
{
	size_t k = 0;
	if (with_equal)
		for (size_t i = 0; i < n; i++) {
			double x = v[i];
			v[i] = v[k];
			v[k] = x;
			k += x <= pivot;
		}
	else
		for (size_t i = 0; i < n; i++) {
			double x = v[i];
			v[i] = v[k];
			v[k] = x;
			k += x < pivot;
		}
	return k;
}

/* Selects the values of the ranks (ascending, all in [from, from + n)); all: sorts. */
static void
select_ranks(double *v, size_t from, size_t n, const size_t *ranks, size_t n_ranks, bool all,
    int depth)
{
	while (n_ranks || all) {
		if (n <= FEW) {
			sort_few(v + from, n);
			return;
		}
		if (depth-- == 0) {
			qsort(v + from, n, sizeof *v, num_compare);
			return;
		}
		double pivot = pivot_of(v + from, n);
		size_t below = partition(v + from, n, pivot, false);
		if (below == 0) {	/* many equal the minimum: they are in place already */
			size_t equal = partition(v + from, n, pivot, true);
			while (n_ranks && ranks[0] < from + equal)
				ranks++, n_ranks--;
			from += equal;
			n -= equal;
			continue;
		}
		size_t left = 0;
		while (left < n_ranks && ranks[left] < from + below)
			left++;
		select_ranks(v, from, below, ranks, left, all, depth);
		ranks += left;
		n_ranks -= left;
		from += below;
		n -= below;
	}
}

static int
depth_for(size_t n)
{
	int depth = 8;
	for (; n; n /= 2)
		depth += 2;
	return depth;
}

void
quantile_sort(double *v, size_t n)
{
	select_ranks(v, 0, n, NULL, 0, n > 0, depth_for(n));
}

/* ---- quantiles ------------------------------------------------------------------- */

void
quantile_many(double *v, size_t n, const double *p, size_t n_p, enum quantile q, double *out)
{
	enum { AT_ONCE = 128 };	/* ps in one selection */
	size_t ranks[2 * AT_ONCE];
	for (size_t done = 0; done < n_p; done += AT_ONCE) {
		size_t some = n_p - done < AT_ONCE ? n_p - done : AT_ONCE, k = 0;
		for (size_t i = 0; i < some; i++) {
			struct rank_pair l = quantile_ranks(n, p[done + i], q);
			/* ps ascend: a rank up to the last one is in the list already. */
			if (k == 0 || l.low > ranks[k - 1])
				ranks[k++] = l.low;
			if (l.high > ranks[k - 1])
				ranks[k++] = l.high;
		}
		select_ranks(v, 0, n, ranks, k, false, depth_for(n));
		for (size_t i = 0; i < some; i++)
			out[done + i] = quantile_sorted(v, n, p[done + i], q);
	}
}

double
quantile_median(double *v, size_t n)
{
	double half = 0.5, median;
	quantile_many(v, n, &half, 1, Q_LINEAR, &median);
	return median;
}

double
quantile_mad(double *v, size_t n, double median)
{
	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - median);
	return quantile_median(v, n);
}
