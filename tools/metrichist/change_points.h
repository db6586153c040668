/* steps.h: where a series of values steps. */
#ifndef STEPS_H
#define STEPS_H

#include <stdbool.h>
#include <stddef.h>

enum { STEPS_LEAST = 4 };	/* fewer values have no step */
/* Into at[] (room for n) the first value of each new level, ascending, and into
 * p[] the share of random orders that look as stepped, at most alpha. */
size_t steps_find(const double *v, size_t n, double alpha, size_t *at, double *p);
/* Whether the last value alone lies beyond the others' range, by half of it and by
 * three of its own errors; of five values or more. */
bool step_last(const double *v, size_t n, double error);

#endif
