/* num.h: small numbers. */
#pragma once

int num_compare(const void *, const void *);	/* for qsort(3): doubles that are not NaN */
double num_round(double x, int decimals);
double num_or_0(double x);	/* 0 instead of NaN and infinity */
/* Writes the shortest of %.15g, %.16g and %.17g that reads back the same and returns its
 * end. */
char *num_text(char text[40], double);
