/* change_points.h: where the level of a series of values changes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CHANGE_POINTS_MIN = 4 };	/* fewer values have no step */
/* Sets at[] (room for n) to the first value of each new level, in ascending order, and p[] to
 * the share of random orders with as large a step, which is at most alpha. */
size_t change_points_find(const double *v, size_t n, double alpha, size_t *at, double *p);
/* Whether the last value alone lies outside the others' range, by half of that range and by
 * three of its own standard errors; of five values or more. */
bool change_points_last(const double *v, size_t n, double error);
