/* random.h: numbers that are the same on every machine. */
#pragma once

#include <stdint.h>

/* A whole number from 0 to below - 1 (splitmix64); `state` starts as the seed. */
uint64_t random_below(uint64_t *state, uint64_t below);
