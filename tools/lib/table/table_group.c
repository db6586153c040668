/* table_group.c: the rows of a table in groups with the same values. */
#include "table/table_group.h"
#include "base/die.h"
#include "table/table_numbers.h"

/* The value of a row in a column, as 64 bits. */
static uint64_t
value_bits(const struct column *c, size_t row)
{
	uint64_t bits;
	if (c->is_word)
		return c->code[row];
	double x = isnan(c->number[row]) ? (double)NAN : c->number[row] + 0.0;	/* -0 is 0 */
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

#define NO_GROUP UINT32_MAX	/* left out */

struct slots {
	uint32_t *group;	/* index + 1 */
	size_t n;
	uint32_t *example;	/* one row of each group */
};

static uint64_t
mix_hash(uint64_t h, uint64_t bits)
{
	h = (h ^ bits) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

static uint64_t
row_hash(const struct groups *g, size_t row)
{
	uint64_t h = 0;
	for (size_t i = 0; i < g->n_by; i++)
		h = mix_hash(h, value_bits(g->by[i], row));
	return h >> 16;
}

static bool
same_key(const struct groups *g, size_t a, size_t b)
{
	for (size_t i = 0; i < g->n_by; i++)
		if (value_bits(g->by[i], a) != value_bits(g->by[i], b))
			return false;
	return true;
}

static void
rehash(struct groups *g, struct slots *s)
{
	s->n = s->n ? 2 * s->n : 256;
	free(s->group);
	s->group = xmalloc(s->n * sizeof *s->group);
	memset(s->group, 0, s->n * sizeof *s->group);
	for (uint32_t k = 0; k < g->n; k++) {
		size_t i = row_hash(g, s->example[k]) & (s->n - 1);
		while (s->group[i])
			i = (i + 1) & (s->n - 1);
		s->group[i] = k + 1;
	}
}

static uint32_t
group_of(struct groups *g, struct slots *s, uint32_t row)
{
	if (2 * (g->n + 1) > s->n)
		rehash(g, s);
	size_t i = row_hash(g, row) & (s->n - 1);
	for (; s->group[i]; i = (i + 1) & (s->n - 1))
		if (same_key(g, s->example[s->group[i] - 1], row))
			return s->group[i] - 1;
	s->example = xgrow(s->example, g->n, sizeof *s->example);
	s->example[g->n] = row;
	s->group[i] = (uint32_t)++g->n;
	return (uint32_t)g->n - 1;
}

/* ---- order --------------------------------------------------------------------- */

/* Numbers by value and before words; words by bytes except for the numbers within them
 * (job-2 is before job-10); missing last. */
static int
compare_words(const char *a, const char *b)
{
	if (!a || !b)
		return (a == NULL) - (b == NULL);
	double x = table_number(a, strlen(a)), y = table_number(b, strlen(b));
	if (!isnan(x) && !isnan(y) && x != y)
		return x < y ? -1 : 1;
	if (isnan(x) != isnan(y))
		return isnan(x) ? 1 : -1;
	return strverscmp(a, b);
}

static int
compare_rows(const struct groups *g, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < g->n_by; i++) {
		const struct column *c = g->by[i];
		int order = 0;
		if (c->is_word && c->in_order) {
			order = (c->code[a] > c->code[b]) - (c->code[a] < c->code[b]);
		} else if (c->is_word) {
			order = compare_words(table_word(c, a), table_word(c, b));
		} else {
			double x = c->number[a], y = c->number[b];
			order = isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
		}
		if (order)
			return order;
	}
	return 0;
}

struct group_order {
	const struct groups *g;
	const uint32_t *example;
};

static int
compare_groups(const void *a, const void *b, void *arg)
{
	const struct group_order *p = arg;
	return compare_rows(p->g, p->example[*(const uint32_t *)a],
	    p->example[*(const uint32_t *)b]);
}

static void
sort_groups(struct groups *g, const uint32_t *example, uint32_t *of)
{
	uint32_t *order = xmalloc((g->n + 1) * sizeof *order),
	    *rank = xmalloc((g->n + 1) * sizeof *rank);
	struct group_order p = {g, example};
	for (uint32_t i = 0; i < g->n; i++)
		order[i] = i;
	qsort_r(order, g->n, sizeof *order, compare_groups, &p);
	for (uint32_t i = 0; i < g->n; i++)
		rank[order[i]] = i;
	for (size_t row = 0; row < g->t->n_rows; row++)
		if (of[row] != NO_GROUP)
			of[row] = rank[of[row]];
	free(order);
	free(rank);
}

void
table_group_make(struct groups *g, const struct table *t, struct column **by, size_t n_by,
    const bool *keep)
{
	struct slots s = {0};
	*g = (struct groups){.t = t, .by = xmalloc((n_by + 1) * sizeof *by), .n_by = n_by};
	memcpy(g->by, by, n_by * sizeof(struct column *));
	uint32_t *of = xmalloc((t->n_rows + 1) * sizeof *of);
	for (uint32_t row = 0; row < t->n_rows; row++)
		of[row] = keep && !keep[row] ? NO_GROUP : row && of[row - 1] != NO_GROUP &&
		    same_key(g, row - 1, row)
			? of[row - 1] : group_of(g, &s, row);
	sort_groups(g, s.example, of);
	free(s.group);
	free(s.example);
	g->first = xmalloc((g->n + 2) * sizeof *g->first);
	memset(g->first, 0, (g->n + 2) * sizeof *g->first);
	for (size_t row = 0; row < t->n_rows; row++)
		if (of[row] != NO_GROUP)
			g->first[of[row] + 2]++;
	for (size_t i = 2; i < g->n + 2; i++)
		g->first[i] += g->first[i - 1];
	g->rows = xmalloc((g->first[g->n + 1] + 1) * sizeof *g->rows);
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (of[row] != NO_GROUP)
			g->rows[g->first[of[row] + 1]++] = row;
	free(of);
}

char *
table_group_key(const struct groups *g, size_t group, size_t i)
{
	return table_text(g->by[i], g->rows[g->first[group]]);
}

size_t
table_group_values(const struct groups *g, size_t group, const struct column *c, double *v,
    size_t *invalid)
{
	size_t n = 0;
	*invalid = 0;
	for (size_t k = g->first[group]; k < g->first[group + 1]; k++) {
		double x = c->number[g->rows[k]];
		if (!isnan(x))
			v[n++] = x;
		else
			*invalid += table_is_invalid(x);
	}
	return n;
}

void
table_group_free(struct groups *g)
{
	free(g->by);
	free(g->first);
	free(g->rows);
	*g = (struct groups){0};
}
