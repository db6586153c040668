/* graph.c: the combinations that exclude leaves, counted without making them.
 * Going through the axes, only the set of patterns still met matters.  Few such
 * sets occur, as a rule, so they are nodes of a graph that knows how many
 * combinations follow each.  Where they are many, each combination is tested
 * when it is made.
 */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

/* How large a graph may be: to count, and to tell whether there is any. */
enum { GRAPH_WORDS = 1 << 20, SEARCH_WORDS = 1 << 24 };

struct node {
	size_t axis;
	uint64_t *met;		/* patterns met so far */
	uint64_t count;		/* combinations that follow */
	const struct node **next;	/* by class of row; NULL: none follows */
};
const struct node everything;

static uint64_t
plus(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static bool
bit(const uint64_t *mask, size_t i)
{
	return mask[i / 64] >> (i % 64) & 1;
}

/* The value that include gives a parameter where these patterns are met. */
static json_t *
given(const struct space *s, const uint64_t *met, const char *name)
{
	json_t *v = NULL, *later;
	for (size_t i = 0; i < s->n_patterns; i++)
		if (bit(met, i) && (later = json_object_get(s->patterns[i].gives, name)))
			v = later;
	return v;
}

bool
is_wanted(const struct space *s, const uint64_t *met)
{
	for (size_t w = 0; w < s->words; w++)
		if (met[w] & s->excludes[w])
			return false;
	for (size_t i = 0; s->where && i < s->where->n; i++) {
		const struct condition *c = &s->where->conditions[i];
		if ((size_t)json_integer_value(json_object_get(s->params, c->name)) < s->n_matrix)
			continue;
		const json_t *v = given(s, met, c->name);
		if (!v || !condition_holds(c, v))
			return false;
	}
	return true;
}

static size_t
slot_of(const struct graph *g, size_t axis, const uint64_t *met)
{
	uint64_t h = axis;
	for (size_t w = 0; w < g->space->words; w++) {
		h = (h ^ met[w]) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	size_t i = (size_t)h & g->mask;
	while (g->table[i] && (g->table[i]->axis != axis ||
	    memcmp(g->table[i]->met, met, g->space->words * sizeof *met) != 0))
		i = (i + 1) & g->mask;
	return i;
}

static void
keep(struct graph *g, struct node *n)
{
	if (2 * ++g->n > g->mask) {
		struct node **old = g->table;
		size_t old_mask = g->mask;
		g->mask = 2 * g->mask + 1;
		g->table = xmalloc((g->mask + 1) * sizeof(struct node *));
		memset(g->table, 0, (g->mask + 1) * sizeof(struct node *));
		for (size_t i = 0; old && i <= old_mask; i++)
			if (old[i])
				g->table[slot_of(g, old[i]->axis, old[i]->met)] = old[i];
		free(old);
	}
	g->table[slot_of(g, n->axis, n->met)] = n;
}

uint64_t
count_of(const struct space *s, const struct node *n, size_t axis)
{
	return !n ? 0 : n == &everything ? s->suffix[axis] : n->count;
}

static const struct node *build(struct graph *, size_t axis, uint64_t *met);

static const struct node *
branch(struct graph *g, size_t axis, const uint64_t *met)
{
	const struct space *s = g->space;
	const struct axis *a = &s->axes[axis];
	struct node *n = xmalloc(sizeof *n);
	*n = (struct node){axis, new_masks(s, 1), 0, xmalloc(a->n_classes * sizeof(struct node *))};
	memcpy(n->met, met, s->words * sizeof *met);
	memset(n->next, 0, a->n_classes * sizeof(struct node *));
	keep(g, n);
	uint64_t *then = new_masks(s, 1);
	for (size_t c = 0; c < a->n_classes && !g->too_large; c++) {
		const uint64_t *class = a->masks + c * s->words;
		if (!a->class_rows[c] || (g->within && !bit(class, (size_t)(g->within - s->patterns))))
			continue;
		for (size_t w = 0; w < s->words; w++)
			then[w] = met[w] & class[w];
		n->next[c] = build(g, axis + 1, then);
		n->count = plus(n->count, times(a->class_rows[c], count_of(s, n->next[c], axis + 1)));
		if (g->within && n->count)
			break;	/* one is enough to know */
	}
	free(then);
	return n;
}

/* What may follow the rows before `axis` where these patterns were met, which
 * is cut down to those that decide something. */
static const struct node *
build(struct graph *g, size_t axis, uint64_t *met)
{
	const struct space *s = g->space;
	bool open = axis < s->n_axes && g->within;
	for (size_t w = 0; w < s->words; w++) {
		uint64_t later = s->open[axis * s->words + w];
		met[w] &= s->relevant[w];
		if (met[w] & s->excludes[w] & ~later)
			return NULL;
		open |= (met[w] & later) != 0;
	}
	if (!open)
		return is_wanted(s, met) ? &everything : NULL;
	const struct node *found = g->table[slot_of(g, axis, met)];
	if (!found) {
		g->size += s->axes[axis].n_classes + s->words;
		g->too_large |= g->size > (g->within ? SEARCH_WORDS : GRAPH_WORDS);
		if (g->too_large)
			return NULL;
		found = branch(g, axis, met);
	}
	return found->count ? found : NULL;
}

const struct node *
build_graph(struct graph *g)
{
	const struct space *s = g->space;
	uint64_t *all = new_masks(s, 1);
	for (size_t i = 0; i < s->n_patterns; i++)
		set_bit(all, i);
	g->mask = 15;
	g->table = xmalloc((g->mask + 1) * sizeof(struct node *));
	memset(g->table, 0, (g->mask + 1) * sizeof(struct node *));
	const struct node *top = build(g, 0, all);
	free(all);
	return top;
}

void
free_graph(struct graph *g)
{
	for (size_t i = 0; i <= g->mask; i++)
		if (g->table[i]) {
			free(g->table[i]->met);
			free(g->table[i]->next);
			free(g->table[i]);
		}
	free(g->table);
}

/* ---- walking ---- */

static const struct node *
follow(const struct walk *w, size_t axis)
{
	const struct node *n = w->stops[axis].node;
	return n == &everything ? n : n->next[w->space->axes[axis].rows[w->stops[axis].row].class];
}

void
walk_to(struct walk *w, uint64_t index)
{
	const struct space *s = w->space;
	const struct node *n = s->top;
	for (size_t l = 0; l < s->n_axes; l++) {
		const struct axis *a = &s->axes[l];
		uint64_t each = s->suffix[l + 1];
		struct stop *stop = &w->stops[l];
		stop->node = n;
		if (n == &everything) {
			stop->row = (size_t)(index / each);
			index %= each;
			continue;
		}
		for (size_t i = 0; i < a->n_runs; i++) {
			const struct run *r = &a->runs[i];
			each = count_of(s, n->next[r->class], l + 1);
			uint64_t here = times(each, r->n);
			if (index < here) {
				stop->row = r->start + (size_t)(index / each);
				index %= each;
				break;
			}
			index -= here;
		}
		n = follow(w, l);
	}
}

/* The first row from `row` on that something follows; n_rows if none. */
static size_t
next_row(const struct walk *w, size_t axis, size_t row)
{
	const struct node *n = w->stops[axis].node;
	const struct axis *a = &w->space->axes[axis];
	while (n != &everything && row < a->n_rows && !n->next[a->rows[row].class])
		row++;
	return row;
}

size_t
walk_next(struct walk *w)
{
	const struct space *s = w->space;
	size_t l = s->n_axes;
	while (l-- > 0) {
		size_t row = next_row(w, l, w->stops[l].row + 1);
		if (row < s->axes[l].n_rows) {
			w->stops[l].row = row;
			break;
		}
	}
	if (l >= s->n_axes)
		return s->n_axes;
	for (size_t k = l + 1; k < s->n_axes; k++) {
		w->stops[k].node = follow(w, k - 1);
		w->stops[k].row = next_row(w, k, 0);
	}
	return l;
}
