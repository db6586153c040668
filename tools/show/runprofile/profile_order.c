/* profile_order.c: what was found in a cell, in the order in which it is shown. */
#include "profile_order.h"
#include "base/die.h"

#include <stdlib.h>
#include <string.h>

static int
by_code_time(const void *pa, const void *pb)
{
	const struct profile_code *a = *(const struct profile_code *const *)pa;
	const struct profile_code *b = *(const struct profile_code *const *)pb;
	bool a_cell = strcmp(a->file, a->function) == 0, b_cell = strcmp(b->file, b->function) == 0;
	if (a_cell != b_cell)
		return a_cell ? -1 : 1;
	return a->time_s < b->time_s ? 1 : a->time_s > b->time_s ? -1 : (a > b) - (a < b);
}

const struct profile_code **
profile_order_codes(const struct profile_cell *c, size_t *n)
{
	const struct profile_code **list = xmalloc((c->n_codes + 1) * sizeof(*list));
	*n = 0;
	for (size_t i = 0; i < c->n_codes; i++)
		if (c->codes[i].time_s > 0)
			list[(*n)++] = &c->codes[i];
	qsort(list, *n, sizeof(*list), by_code_time);
	return list;
}

static int
by_bytes(const void *pa, const void *pb)
{
	const struct profile_allocation *a = *(const struct profile_allocation *const *)pa;
	const struct profile_allocation *b = *(const struct profile_allocation *const *)pb;
	return a->bytes < b->bytes ? 1 : a->bytes > b->bytes ? -1 : (a > b) - (a < b);
}

const struct profile_allocation **
profile_order_allocations(const struct profile_cell *c, bool at_end, size_t *n)
{
	const struct profile_allocation **list = xmalloc((c->n_allocations + 1) * sizeof(*list));
	*n = 0;
	for (size_t i = 0; i < c->n_allocations; i++)
		if (c->allocations[i].at_end == at_end)
			list[(*n)++] = &c->allocations[i];
	qsort(list, *n, sizeof(*list), by_bytes);
	return list;
}
