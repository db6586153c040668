/* fdr.c: the false discovery rate of many tests. */
#include "stats/fdr.h"

#include "base/die.h"
#include "base/num.h"

void
fdr_adjust(const double *p, double *q, size_t n)
{
	struct num_at *r = xmalloc(n * sizeof *r);
	double least = 1;
	for (size_t i = 0; i < n; i++)
		r[i] = (struct num_at){p[i], i};
	if (n)
		qsort(r, n, sizeof *r, num_descending);
	for (size_t i = 0; i < n; i++) {
		least = fmin(least, r[i].x * (double)n / (double)(n - i));
		q[r[i].at] = least;
	}
	free(r);
}
