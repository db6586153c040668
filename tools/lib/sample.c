/* sample.c: k of n numbers, without a table of n: the shuffle that swaps each
 * place with one at or after it, keeping only the places that were touched.
 */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

enum { DRAWS_IN_VAIN = 1000000 };

struct place {
	uint64_t at, value;
	bool used;
};
struct places {
	struct place *p;
	size_t n, mask;
};

/* splitmix64, of Steele, Lea and Flood. */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* Below n, without the bias of a plain remainder. */
static uint64_t
below(uint64_t *state, uint64_t n)
{
	uint64_t least = -n % n, x;	/* 2^64 mod n */
	do
		x = next_random(state);
	while (x < least);
	return x % n;
}

static struct place *
slot(const struct places *t, uint64_t at)
{
	uint64_t state = at;
	size_t i = (size_t)next_random(&state) & t->mask;
	while (t->p[i].used && t->p[i].at != at)
		i = (i + 1) & t->mask;
	return &t->p[i];
}

static void
grow(struct places *t)
{
	struct places old = *t;
	t->mask = old.p ? 2 * old.mask + 1 : 1023;
	t->p = xmalloc((t->mask + 1) * sizeof *t->p);
	memset(t->p, 0, (t->mask + 1) * sizeof *t->p);
	for (size_t i = 0; old.p && i <= old.mask; i++)
		if (old.p[i].used)
			*slot(t, old.p[i].at) = old.p[i];
	free(old.p);
}

/* What stands at a place, its own number if it was never touched. */
static struct place *
look(struct places *t, uint64_t at)
{
	struct place *p = slot(t, at);
	if (!p->used) {
		*p = (struct place){at, at, true};
		t->n++;
	}
	return p;
}

static int
by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

uint64_t *
draw_sample(uint64_t n, size_t *k, uint64_t seed, bool (*take)(void *, uint64_t), void *with)
{
	struct places t = {0};
	uint64_t *drawn = xmalloc(*k * sizeof *drawn), state = next_random(&seed);
	size_t got = 0;
	for (uint64_t i = 0; i < n && got < *k; i++) {
		if (2 * t.n + 4 > t.mask)
			grow(&t);
		uint64_t j = i + below(&state, n - i);
		struct place *here = look(&t, i), *there = look(&t, j);
		uint64_t one = there->value;
		there->value = here->value;
		if (!take || take(with, one))
			drawn[got++] = one;
		else if (i / 100 > *k && i > DRAWS_IN_VAIN) {
			free(t.p);
			free(drawn);
			return NULL;
		}
	}
	free(t.p);
	*k = got;
	qsort(drawn, got, sizeof *drawn, by_number);
	return drawn;
}
