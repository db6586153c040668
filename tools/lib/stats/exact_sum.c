/* exact_sum.c: sums without rounding.
 *
 * Each term is added to the 32-bit limbs that its bits fall into; a limb is stored in 64
 * bits, so 2000 terms fit before carries have to be propagated (Neal, 2015).
 */
#include "stats/exact_sum.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
	LIMBS = sizeof(((struct exact *)0)->limb) / sizeof(int64_t),
	MAX_ADDED = 2000,
	EXPONENT_BITS = 52
};
static const int64_t limb_base = (int64_t)1 << 32;

__extension__ typedef unsigned __int128 wide_int;

static void
propagate_carries(struct exact *s)
{
	for (size_t i = 0; i + 1 < LIMBS; i++) {
		int64_t up = s->limb[i] >> 32;	/* rounds down: the remainder is not negative */
		s->limb[i] -= up * limb_base;
		s->limb[i + 1] += up;
	}
	s->added = 0;
}

void
exact_add(struct exact *s, double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	uint64_t mantissa = bits & (((uint64_t)1 << EXPONENT_BITS) - 1);
	unsigned exponent = (unsigned)(bits >> EXPONENT_BITS) & 0x7ff;
	if (exponent)
		mantissa |= (uint64_t)1 << EXPONENT_BITS;
	else
		exponent = 1;
	/* The mantissa's lowest bit is worth 2^(exponent - 1075). */
	unsigned at = exponent - 1, shift = at & 31;
	int64_t low = (int64_t)((mantissa << shift) & 0xffffffff);
	int64_t high = (int64_t)(mantissa >> (32 - shift));
	int64_t sign = -(int64_t)(bits >> 63);	/* 0 or -1: (v ^ sign) - sign negates v */
	s->limb[at >> 5] += (low ^ sign) - sign;
	s->limb[(at >> 5) + 1] += (high ^ sign) - sign;
	if (++s->added == MAX_ADDED)
		propagate_carries(s);
}

/* Rounded once, to nearest, ties to even: the highest 64 bits, of which the lowest is set if
 * any bit below them is. */
double
exact_value(struct exact *s)
{
	struct exact a;
	propagate_carries(s);
	a = *s;
	bool negative = a.limb[LIMBS - 1] < 0;
	if (negative) {
		for (size_t i = 0; i < LIMBS; i++)
			a.limb[i] = -a.limb[i];
		propagate_carries(&a);
	}
	size_t top = LIMBS - 1;
	while (top > 0 && a.limb[top] == 0)
		top--;
	wide_int wide = 0;
	for (size_t i = 0; i < 3; i++)
		wide = wide << 32 | (top >= i ? (uint64_t)a.limb[top - i] : 0);
	if (wide == 0)
		return 0;
	int shift = 0;
	while (wide >> 64)
		shift++, wide = wide >> 1 | (wide & 1);
	uint64_t head = (uint64_t)wide;
	for (size_t i = 3; i <= top; i++)
		head |= a.limb[top - i] != 0;
	double x = ldexp((double)head, 32 * ((int)top - 2) + shift - 1074);
	return negative ? -x : x;
}

double
exact_sum(const double *v, size_t n)
{
	struct exact s = {0};
	for (size_t i = 0; i < n; i++)
		exact_add(&s, v[i]);
	return exact_value(&s);
}
