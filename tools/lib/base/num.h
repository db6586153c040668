/* num.h: small numbers. */
#ifndef NUM_H
#define NUM_H

int num_compare(const void *, const void *);	/* for qsort(3): doubles that are not NaN */
double num_round(double x, int decimals);
double num_or_0(double x);	/* 0 instead of NaN and infinity */

#endif
