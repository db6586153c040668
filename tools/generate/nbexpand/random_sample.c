/* random_sample.c: each item has a random key of its own; those with the smallest are drawn. */
#include "random_sample.h"
#include "base/die.h"

#include <stdlib.h>

/* splitmix64, of Steele, Lea and Flood: no two items have the same key. */
static uint64_t
random_key(uint64_t start, uint64_t item)
{
	uint64_t z = start + (item + 1) * 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static int
by_key(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Drops all but the smallest keys; no item above them can be drawn any more. */
static void
drop_large_keys(struct random_sample *s)
{
	if (s->n <= s->size)
		return;
	qsort(s->keys, s->n, sizeof *s->keys, by_key);
	s->n = s->size;
	s->bound = s->keys[s->n - 1];
}

void
random_sample_open(struct random_sample *s, size_t size, uint64_t seed)
{
	*s = (struct random_sample){.size = size, .bound = UINT64_MAX};
	s->start = random_key(seed, 0);
}

void
random_sample_offer(struct random_sample *s, uint64_t item)
{
	uint64_t key = random_key(s->start, item);
	if (s->size == 0 || key > s->bound)
		return;
	if (s->n == s->capacity && s->n >= 2 * s->size)
		drop_large_keys(s);
	if (s->n == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 1024;
		s->keys = xrealloc(s->keys, s->capacity * sizeof *s->keys);
	}
	s->keys[s->n++] = key;
}

void
random_sample_close(struct random_sample *s)
{
	drop_large_keys(s);
	free(s->keys);
}

bool
random_sample_has(const struct random_sample *s, uint64_t item)
{
	return s->size > 0 && random_key(s->start, item) <= s->bound;
}
