/* beyond.c: what the combinations have in common that do not fit.
 * Combinations alike in the parameters that the need depends on are one kind;
 * kinds are few, as a rule, however many combinations there are. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KINDS = 1 << 16, MOST_LISTED = 8 };

/* One value of a parameter. */
struct beyond_value {
	char *text;
	bool fits;	/* in some combination */
};

/* ---- collecting ---- */

static void *
grown(void *list, size_t n, size_t each)
{
	return n & (n - 1) ? list : xrealloc(list, (n ? 2 * n : 1) * each);
}

static size_t
value_of(struct beyond *b, size_t param, struct span v)
{
	struct beyond_param *p = &b->params[param];
	char *text = xasprintf("%.*s", (int)v.n, v.p);
	json_t *at = json_object_get(p->by_text, text);
	if (at) {
		free(text);
		return (size_t)json_integer_value(at);
	}
	json_object_set_new(p->by_text, text, json_integer((json_int_t)p->n));
	p->values = grown(p->values, p->n, sizeof *p->values);
	p->values[p->n] = (struct beyond_value){text, false};
	return p->n++;
}

static void
add_kind(struct beyond *b, struct scan *params, double need)
{
	struct kind k = {.values = xmalloc((b->n_params + 1) * sizeof *k.values), .need = need};
	for (size_t i = 0; i < b->n_params; i++) {
		k.values[i] = value_of(b, i, scan_get(params, b->params[i].name));
		if (need <= b->have)
			b->params[i].values[k.values[i]].fits = true;
	}
	b->any_fits |= need <= b->have;
	json_object_set_new(b->by_key, b->key.p, json_integer((json_int_t)b->n_kinds));
	b->kinds = grown(b->kinds, b->n_kinds, sizeof *b->kinds);
	b->kinds[b->n_kinds++] = k;
}

static void
note_kind(struct beyond *b, struct scan *params, double need, bool skipped)
{
	b->key.n = 0;
	buf_add(&b->key, "", 0);
	for (size_t i = 0; i < b->n_params; i++) {
		struct span v = scan_get(params, b->params[i].name);
		buf_add(&b->key, v.p, v.n);
		buf_add(&b->key, " ", 1);
	}
	json_t *at = json_object_get(b->by_key, b->key.p);
	if (!at && b->n_kinds == MOST_KINDS) {
		b->too_many = true;
		return;
	}
	if (!at)
		add_kind(b, params, need);
	b->kinds[at ? (size_t)json_integer_value(at) : b->n_kinds - 1].skipped += skipped;
}

void
start_beyond(struct beyond *b, double have)
{
	*b = (struct beyond){.have = have, .by_key = json_object()};
}

void
add_beyond_param(struct beyond *b, const char *name)
{
	b->params = xrealloc(b->params, (b->n_params + 1) * sizeof *b->params);
	b->params[b->n_params++] = (struct beyond_param){.name = name, .by_text = json_object()};
}

void
note_need(struct beyond *b, struct scan *params, double need, bool skipped)
{
	if (skipped) {
		b->least = b->skipped ? fmin(b->least, need) : need;
		b->most = b->skipped ? fmax(b->most, need) : need;
		b->skipped++;
	}
	if (!b->too_many)
		note_kind(b, params, need, skipped);
}

/* ---- telling ---- */

static struct group *
add_group(struct group **groups, size_t *n)
{
	*groups = grown(*groups, *n, sizeof **groups);
	(*groups)[*n] = (struct group){.least = INFINITY, .most = -INFINITY};
	return &(*groups)[(*n)++];
}

static void
tell(struct group *g, struct kind *k)
{
	k->told = true;
	g->n += k->skipped;
	g->least = fmin(g->least, k->need);
	g->most = fmax(g->most, k->need);
}

/* Not told yet, and none fits that has this value of the parameter. */
static bool
is_explained(const struct beyond *b, const struct kind *k, size_t param)
{
	return k->skipped && !k->told && !b->params[param].values[k->values[param]].fits;
}

static uint64_t
explains(const struct beyond *b, size_t param)
{
	uint64_t n = 0;
	for (size_t i = 0; i < b->n_kinds; i++)
		n += is_explained(b, &b->kinds[i], param) ? b->kinds[i].skipped : 0;
	return n;
}

/* "side=10000,100000": the values with which none fits. */
static void
tell_param(struct beyond *b, size_t param, struct group *g)
{
	struct buf what = {0};
	const struct beyond_param *p = &b->params[param];
	bool *listed = xmalloc(p->n);
	size_t n = 0;
	memset(listed, false, p->n);
	buf_addf(&what, "%s=", p->name);
	for (size_t i = 0; i < b->n_kinds; i++) {
		struct kind *k = &b->kinds[i];
		if (!is_explained(b, k, param))
			continue;
		tell(g, k);
		size_t value = k->values[param];
		if (!listed[value] && n < MOST_LISTED)
			buf_addf(&what, "%s%s", n ? "," : "", p->values[value].text);
		n += !listed[value];
		listed[value] = true;
	}
	if (n > MOST_LISTED)
		buf_addf(&what, ",... (%zu values)", n);
	free(listed);
	g->what = what.p;
}

static void
tell_kind(struct beyond *b, struct kind *k, struct group *g)
{
	struct buf what = {0};
	for (size_t i = 0; i < b->n_params; i++)
		buf_addf(&what, "%s%s=%s", i ? " " : "", b->params[i].name, b->params[i].values[k->values[i]].text);
	tell(g, k);
	g->what = what.p;
}

static int
larger_first(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	return x->n == y->n ? (x->least < y->least) - (x->least > y->least) : x->n < y->n ? 1 : -1;
}

/* "829 sets of values in n_images=3...10 side=5100...10000" */
static void
tell_rest(struct beyond *b, size_t kinds, struct group *g)
{
	struct buf what = {0};
	buf_addf(&what, "%zu sets of values in", kinds);
	for (size_t p = 0; p < b->n_params; p++) {
		const char *least = NULL, *most = NULL;
		for (size_t i = 0; i < b->n_kinds; i++) {
			const struct kind *k = &b->kinds[i];
			const char *text = b->params[p].values[k->values[p]].text;
			if (!k->skipped || k->told)
				continue;
			if (!least || strtod(text, NULL) < strtod(least, NULL))
				least = text;
			if (!most || strtod(text, NULL) > strtod(most, NULL))
				most = text;
		}
		bool one = strcmp(least, most) == 0;
		buf_addf(&what, " %s=%s%s%s", b->params[p].name, least, one ? "" : "...", one ? "" : most);
	}
	for (size_t i = 0; i < b->n_kinds; i++)
		if (b->kinds[i].skipped && !b->kinds[i].told)
			tell(g, &b->kinds[i]);
	g->what = what.p;
}

/* What no single parameter explains: each kind, or all if they are many. */
static void
tell_others(struct beyond *b, struct group **groups, size_t *n)
{
	size_t left = 0;
	for (size_t i = 0; i < b->n_kinds; i++)
		left += b->kinds[i].skipped && !b->kinds[i].told;
	if (left > MOST_LISTED)
		tell_rest(b, left, add_group(groups, n));
	for (size_t i = 0; i < b->n_kinds; i++)
		if (b->kinds[i].skipped && !b->kinds[i].told)
			tell_kind(b, &b->kinds[i], add_group(groups, n));
}

size_t
group_beyond(struct beyond *b, struct group **groups)
{
	size_t n = 0;
	*groups = NULL;
	if (!b->skipped)
		return 0;
	if (b->too_many || !b->any_fits) {
		*add_group(groups, &n) = (struct group){xstrdup(b->too_many ? "too many sets of values to tell which" : "every combination"),
		    b->skipped, b->least, b->most};
		return n;
	}
	for (;;) {
		size_t best = 0;
		uint64_t most = 0, here;
		for (size_t i = 0; i < b->n_params; i++)
			if ((here = explains(b, i)) > most) {
				most = here;
				best = i;
			}
		if (!most)
			break;
		tell_param(b, best, add_group(groups, &n));
	}
	tell_others(b, groups, &n);
	qsort(*groups, n, sizeof **groups, larger_first);
	return n;
}
