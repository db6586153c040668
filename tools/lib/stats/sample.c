/* sample.c: the values of a sample. */
#include "stats/sample.h"

#include "base/die.h"
#include "base/num.h"

size_t
sample_sort(double *v, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (isfinite(v[i]))
			v[kept++] = v[i] + 0.0;
	if (kept)
		qsort(v, kept, sizeof *v, num_compare);
	return kept;
}

double
sample_median(const double *v, size_t n)
{
	return n % 2 ? v[n / 2] : v[n / 2 - 1] / 2 + v[n / 2] / 2;
}

double
sample_mad(const double *v, size_t n)
{
	double middle = sample_median(v, n), *away = xmalloc(n * sizeof *away);
	for (size_t i = 0; i < n; i++)
		away[i] = fabs(v[i] - middle);
	double mad = sample_median(away, sample_sort(away, n));
	free(away);
	return mad;
}
