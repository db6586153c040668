/* fdr.c: the false discovery rate of many tests. */
#include "stats/fdr.h"

#include "base/die.h"

struct ranked {
	double p;
	size_t at;
};

static int
by_p_descending(const void *a, const void *b)
{
	double x = ((const struct ranked *)a)->p, y = ((const struct ranked *)b)->p;
	return (x < y) - (x > y);
}

void
fdr_adjust(const double *p, double *q, size_t n)
{
	struct ranked *r = xmalloc(n * sizeof *r);
	double least = 1;
	for (size_t i = 0; i < n; i++)
		r[i] = (struct ranked){p[i], i};
	if (n)
		qsort(r, n, sizeof *r, by_p_descending);
	for (size_t i = 0; i < n; i++) {
		least = fmin(least, r[i].p * (double)n / (double)(n - i));
		q[r[i].at] = least;
	}
	free(r);
}
