/* table_group.c: the rows of a table in groups with the same values. */
#include "table/table_group.h"
#include "base/die.h"
#include "table/table_memory.h"
#include "table/table_numbers.h"
#include "table/table_rows.h"
#include "table/table_words.h"

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

/* A word to be sorted, with its first bytes, so that few texts are read. */
struct sorted_word {
	double number;	/* NaN: it is a word */
	uint64_t begin[2];
	uint32_t code;
};

/* Sets the first bytes, in the order of strverscmp(3): of the numbers within a word the length is
 * first; one that begins with 0 ends them, as does the end of the room. */
static void
set_begin(struct sorted_word *w, const char *text)
{
	unsigned char begin[sizeof w->begin] = {0};
	bool in_number = false;
	for (size_t n = 0; *text && n < sizeof begin; text++) {
		bool digit = *text >= '0' && *text <= '9';
		size_t digits = *text == '0' ? 0 : strspn(text, "0123456789");
		if (digit && !in_number)
			begin[n++] = (unsigned char)('0' + (digits < 9 ? digits : 9));
		if (n == sizeof begin || (digit && !in_number && (!digits || digits >= 9)))
			break;
		begin[n++] = (unsigned char)*text;
		in_number = digit;
	}
	for (size_t i = 0; i < sizeof begin; i++)
		w->begin[i / 8] = w->begin[i / 8] << 8 | begin[i];
}

/* Numbers by value and before words; words by bytes except for the numbers within them
 * (job-2 is before job-10). */
static int
compare_words(const void *a, const void *b, void *words)
{
	const struct sorted_word *x = a, *y = b;
	const char *const *text = words;
	if (isnan(x->number) != isnan(y->number))
		return isnan(x->number) ? 1 : -1;
	if (x->number < y->number || x->number > y->number)
		return x->number < y->number ? -1 : 1;
	for (size_t i = 0; i < COUNT(x->begin); i++)
		if (x->begin[i] != y->begin[i])
			return x->begin[i] < y->begin[i] ? -1 : 1;
	return strverscmp(text[x->code], text[y->code]);
}

/* The place of each word of the column in their order; missing last. */
static uint32_t *
rank_words(const struct column *c)
{
	struct sorted_word *w = xmalloc((c->n_words + 1) * sizeof *w);
	uint32_t *rank = xmalloc((c->n_words + 1) * sizeof *rank);
	for (uint32_t i = 0; i < c->n_words; i++) {
		w[i] = (struct sorted_word){.number = table_number(c->words[i],
		    table_word_length(c->words[i])), .code = i};
		set_begin(&w[i], c->words[i]);
	}
	if (!c->in_order)
		qsort_r(w, c->n_words, sizeof *w, compare_words, c->words);
	for (uint32_t i = 0; i < c->n_words; i++)
		rank[w[i].code] = i;
	free(w);
	return rank;
}

struct group_order {
	const struct groups *g;
	uint32_t **rank;	/* of the words of each column */
	const uint32_t *example;
};
/* A group to be sorted, and its place by the first column. */
struct sorted_group {
	uint64_t first;
	uint32_t group;
};

/* The place of a value in the order of its column: a rank, or the bits of a number, which are in
 * the order of numbers if those of negative ones are inverted. */
static uint64_t
order_of(const struct group_order *o, size_t i, uint32_t group)
{
	const struct column *c = o->g->by[i];
	uint64_t bits = value_bits(c, o->example[group]);
	if (c->is_word)
		return bits == NO_WORD ? bits : o->rank[i][bits];
	if (isnan(c->number[o->example[group]]))
		return UINT64_MAX;
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static int
compare_groups(const void *a, const void *b, void *arg)
{
	const struct sorted_group *x = a, *y = b;
	const struct group_order *o = arg;
	uint64_t k = x->first, l = y->first;
	for (size_t i = 1; k == l && i < o->g->n_by; i++) {
		k = order_of(o, i, x->group);
		l = order_of(o, i, y->group);
	}
	return (k > l) - (k < l);
}

static void
sort_groups(struct groups *g, const uint32_t *example, uint32_t *of)
{
	uint32_t **rank = xmalloc((g->n_by + 1) * sizeof *rank);
	struct group_order o = {g, rank, example};
	for (size_t i = 0; i < g->n_by; i++)
		rank[i] = g->by[i]->is_word ? rank_words(g->by[i]) : NULL;
	struct sorted_group *order = xmalloc((g->n + 1) * sizeof *order);
	for (uint32_t i = 0; i < g->n; i++)
		order[i] = (struct sorted_group){g->n_by ? order_of(&o, 0, i) : 0, i};
	qsort_r(order, g->n, sizeof *order, compare_groups, &o);
	uint32_t *place = xmalloc((g->n + 1) * sizeof *place);
	for (uint32_t i = 0; i < g->n; i++)
		place[order[i].group] = i;
	free(order);
	for (size_t row = 0; row < g->t->n_rows; row++)
		if (of[row] != NO_GROUP)
			of[row] = place[of[row]];
	free(place);
	for (size_t i = 0; i < g->n_by; i++)
		free(rank[i]);
	free(rank);
}

void
table_group_make(struct groups *g, const struct table *t, struct column **by, size_t n_by,
    const bool *keep)
{
	struct slots s = {0};
	*g = (struct groups){.t = t, .by = xmalloc((n_by + 1) * sizeof *by), .n_by = n_by};
	memcpy(g->by, by, n_by * sizeof(struct column *));
	uint32_t *of = table_memory_resize(NULL, t->n_rows * sizeof *of);
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
	g->rows = table_memory_resize(NULL, g->first[g->n + 1] * sizeof *g->rows);
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (of[row] != NO_GROUP)
			g->rows[g->first[of[row] + 1]++] = row;
	table_memory_free(of);
	table_rows_release(t, 0);
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
	table_memory_free(g->rows);
	*g = (struct groups){0};
}
