/* random_sample.h: a random sample of items whose number is not known beforehand.
 * Offer every item once, by its number; after random_sample_close() those drawn are known.  Every
 * set is equally likely, and a smaller sample is part of a larger one with the same seed.
 */
#ifndef RANDOM_SAMPLE_H
#define RANDOM_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random_sample {
	size_t size;	/* how many to draw */
	/* private */
	uint64_t start, bound, *keys;
	size_t n, capacity;
};
void random_sample_open(struct random_sample *, size_t size, uint64_t seed);
void random_sample_offer(struct random_sample *, uint64_t item);
void random_sample_close(struct random_sample *);
bool random_sample_has(const struct random_sample *, uint64_t item);

#endif
