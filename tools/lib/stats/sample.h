/* sample.h: the values of a sample. */
#pragma once

#include <stddef.h>

/* Sorts, drops values that are not finite, and returns how many are left. */
size_t sample_sort(double *v, size_t n);
/* Both of n > 0 sorted values. */
double sample_median(const double *v, size_t n);
/* Median absolute deviation from the median, unscaled. */
double sample_mad(const double *v, size_t n);
