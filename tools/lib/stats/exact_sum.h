/* exact_sum.h: sums without rounding. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A sum of any number of terms of any size, without rounding.  Zero it before its first
 * use.  Its value is the true sum, rounded once. */
struct exact {
	int64_t limb[70];	/* 32 bits each, from 2^-1074 */
	unsigned added;		/* terms since carries were last propagated */
};
void exact_add(struct exact *, double);
double exact_value(struct exact *);
double exact_sum(const double *v, size_t n);
