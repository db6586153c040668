/* cholesky.h: normal equations of a few unknowns. */
#ifndef CHOLESKY_H
#define CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* A symmetric m by m matrix: its lower left part is used; rows are `stride` numbers apart. */
struct cholesky_matrix {
	double *a;
	size_t stride, m;
};
/* Replaces the matrix by its lower triangular factor L; false where it is nearly singular. */
bool cholesky_factor(struct cholesky_matrix);
void cholesky_solve_lower(struct cholesky_matrix, double *v);	/* v = L^-1 v */
void cholesky_solve_upper(struct cholesky_matrix, double *v);	/* v = L^-T v */

#endif
