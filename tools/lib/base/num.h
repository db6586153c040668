/* num.h: small numbers. */
#pragma once

int num_compare(const void *, const void *);	/* for qsort(3): doubles that are not NaN */
double num_round(double x, int decimals);
double num_or_0(double x);	/* 0 instead of NaN and infinity */
