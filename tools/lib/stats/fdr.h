/* fdr.h: the false discovery rate of many tests. */
#pragma once

#include <stddef.h>

/* Benjamini and Hochberg: q[i] is the smallest false discovery rate at which test i is
 * significant.  q may be p. */
void fdr_adjust(const double *p, double *q, size_t n);
