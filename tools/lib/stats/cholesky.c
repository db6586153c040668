/* cholesky.c: normal equations of a few unknowns. */
#include "stats/cholesky.h"

#include <math.h>

/* The share of a column's square that must remain after the columns before it are
 * projected out. */
static const double same = 1e-9;

bool
cholesky_factor(struct cholesky_matrix s)
{
	for (size_t i = 0; i < s.m; i++) {
		double *row = s.a + i * s.stride, whole = row[i];
		for (size_t j = 0; j <= i; j++) {
			const double *other = s.a + j * s.stride;
			double rest = row[j];
			for (size_t k = 0; k < j; k++)
				rest -= row[k] * other[k];
			if (j < i)
				row[j] = rest / other[j];
			else if (rest > same * whole)
				row[i] = sqrt(rest);
			else
				return false;
		}
	}
	return true;
}

void
cholesky_solve_lower(struct cholesky_matrix s, double *v)
{
	for (size_t i = 0; i < s.m; i++) {
		const double *row = s.a + i * s.stride;
		for (size_t k = 0; k < i; k++)
			v[i] -= row[k] * v[k];
		v[i] /= row[i];
	}
}

void
cholesky_solve_upper(struct cholesky_matrix s, double *v)
{
	for (size_t i = s.m; i-- > 0; ) {
		for (size_t k = i + 1; k < s.m; k++)
			v[i] -= s.a[k * s.stride + i] * v[k];
		v[i] /= s.a[i * s.stride + i];
	}
}
