/* num.h: small numbers. */
#pragma once

#include <stddef.h>

int num_compare(const void *, const void *);	/* for qsort(3): doubles that are not NaN */
/* For qsort(3): numbers with their places, the largest first, then by place; NaN last. */
struct num_at {
	double x;
	size_t at;
};
int num_descending(const void *, const void *);
double num_round(double x, int decimals);
double num_or_0(double x);	/* 0 instead of NaN and infinity */
/* Writes the shortest of %.15g, %.16g and %.17g that reads back the same and returns its
 * end. */
char *num_text(char text[40], double);
