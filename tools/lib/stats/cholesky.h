/* cholesky.h: normal equations, of a few unknowns. */
#ifndef CHOLESKY_H
#define CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Rows of `stride` numbers, of which the lower left m by m count. */
struct cholesky_matrix {
	double *a;
	size_t stride, m;
};
/* The matrix becomes its lower triangular factor L; false where two of its columns
 * are as good as alike. */
bool cholesky_factor(struct cholesky_matrix);
void cholesky_solve_lower(struct cholesky_matrix, double *v);	/* v becomes L^-1 v */
void cholesky_solve_upper(struct cholesky_matrix, double *v);	/* v becomes L^-T v */

#endif
