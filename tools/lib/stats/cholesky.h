/* cholesky.h: normal equations, of a few unknowns. */
#ifndef CHOLESKY_H
#define CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Rows of `stride` numbers, of which the lower left m by m count. */
struct square {
	double *a;
	size_t stride, m;
};
/* The matrix becomes its lower triangular factor L; false where two of its columns
 * are as good as alike. */
bool cholesky(struct square);
void solve_lower(struct square, double *v);	/* v becomes L^-1 v */
void solve_upper(struct square, double *v);	/* v becomes L^-T v */

#endif
