/* random.h: numbers that are the same on every machine. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/* A whole number from 0 to below - 1 (splitmix64); `state` starts as the seed. */
uint64_t random_below(uint64_t *state, uint64_t below);

#endif
