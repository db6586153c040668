/* plot_choice.c: which groups a figure shows, and in which order. */
#include "plot_choice.h"
#include "base/die.h"
#include "plot_kind.h"
#include "plot_row.h"
#include "text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ordered {
	double value;
	size_t group;
};

static int
by_largest(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	if (isnan(x->value) != isnan(y->value))
		return isnan(x->value) ? 1 : -1;
	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? 1 : -1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static int
by_group(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	return x->group < y->group ? -1 : x->group > y->group;
}

/* "sum@2" of a group: that statistic of the second measure. */
static double
number_of(const struct plotting *p, const char *name, size_t group)
{
	struct row r = {.p = p, .pane = &p->all, .s = &p->s, .group = group};
	return plot_row_number(&r, name);
}

/* "total run time" of "sum", "run time" being the first measure. */
static char *
title_of(const struct plotting *p, const char *name)
{
	const char *at = strchr(name, '@');
	struct measure m = p->of[at ? strtoul(at + 1, NULL, 10) - 1 : 0];
	char *stat = xasprintf("%.*s", (int)strcspn(name, "@"), name);
	m.stat = strcmp(stat, "value") == 0 ? m.stat : stat;
	m.counts = strcmp(m.stat, "rows") == 0;
	char *title = plot_measure_title(&m);
	free(stat);
	return title;
}

static void
set_shares(struct plotting *p, const char *of)
{
	p->share = xmalloc((p->s.g.n + 1) * sizeof *p->share);
	for (size_t i = 0; i < p->s.g.n; i++) {
		p->share[i] = number_of(p, of, i);
		p->whole += isnan(p->share[i]) ? 0 : p->share[i];
	}
	for (size_t i = 0; i < p->s.g.n; i++)
		p->share[i] = p->whole > 0 ? 100 * p->share[i] / p->whole : NAN;
}

/* The first groups, whose shares reach --upto percent. */
static size_t
reach_upto(const struct plotting *p, const struct ordered *v, size_t most)
{
	double sum = 0, enough = p->plan->o.upto - 1e-10;
	size_t n = 0;
	for (; n < most && !isnan(p->share[v[n].group]) && sum < enough; n++)
		sum += p->share[v[n].group];
	return n;
}

static void
note_omitted(struct plotting *p, const char *order, size_t n, size_t from)
{
	const struct figure_options *o = &p->plan->o;
	char *title = title_of(p, order);
	size_t empty = p->s.g.n - n;
	if (empty)
		plot_note(p, "%zu group%s without values %s not shown.", empty,
		    text_plural(empty), empty == 1 ? "is" : "are");
	if (o->rank_to)
		plot_note(p, "Ranks %zu to %zu of %zu by %s.", from + 1, from + p->n_shown, n,
		    title);
	else if (p->n_shown == n)
		;
	else if (!plot_kind_is(p->kind, "groups", "upto"))
		plot_note(p, "Shown: the %s %zu of %zu%s%s.", empty ? "first" : "largest",
		    p->n_shown, n, empty ? "" : " by ", empty ? "" : title);
	else if (p->n_shown == (size_t)o->top && p->shown_share < o->upto)
		plot_note(p, "The largest %zu of %zu are %.1f %% of the total, not %g %%.",
		    p->n_shown, n, p->shown_share, o->upto);
	free(title);
}

/* Which of n groups in order are shown; returns the first. */
static size_t
choose_window(struct plotting *p, const struct ordered *v, size_t n)
{
	const struct figure_options *o = &p->plan->o;
	size_t most = (size_t)o->top / (p->plan->n_params ? p->plan->n_params : 1);
	size_t from = o->rank_to ? (size_t)o->rank_from - 1 : 0;
	if (from >= n)
		plot_empty(p, "nothing to draw: there are %zu groups, and the first rank is %ld",
		    n, o->rank_from);
	n = o->rank_to && (size_t)o->rank_to < n ? (size_t)o->rank_to - from : n - from;
	most = most ? most : 1;
	p->n_shown = n < most ? n : most;
	if (plot_kind_is(p->kind, "groups", "upto")) {
		p->n_shown = reach_upto(p, v, p->n_shown);
		p->n_rest = plot_kind_is(p->kind, "groups", "rest") ? p->s.g.n - p->n_shown : 0;
	}
	return from;
}

void
plot_choice_make(struct plotting *p)
{
	const struct figure_options *o = &p->plan->o;
	const char *share = plot_kind_text(p->kind, "groups", "share");
	const char *order = plot_kind_text(p->kind, "groups", o->rank_to ? "share" : "order");
	bool always = plot_kind_is(p->kind, "groups", "always") || o->rank_to;
	bool known = plot_kind_is(p->kind, "groups", "known");
	struct ordered *v = xmalloc((p->s.g.n + 1) * sizeof(*v));
	size_t n = p->s.g.n;
	p->shown = xmalloc((n + 1) * sizeof(*p->shown));
	set_shares(p, share ? share : order);
	for (size_t i = 0; i < p->s.g.n; i++) {
		double x = number_of(p, order, i);
		v[i] = (struct ordered){known && !isnan(x) ? 0 : x, i};
		n -= known && isnan(x);
	}
	qsort(v, p->s.g.n, sizeof(*v), by_largest);
	if (always && isnan(v[0].value))
		plot_empty_figure(p);
	if (always && !(p->whole > 0))
		plot_empty(p, "nothing to draw: the groups sum to %g, so shares are undefined",
		    p->whole);
	p->n_held = reach_upto(p, v, n);
	size_t from = choose_window(p, v, n);
	if (!always && !o->by_value)
		qsort(v, p->n_shown, sizeof(*v), by_group);
	p->place = xmalloc((p->s.g.n + 1) * sizeof *p->place);
	memset(p->place, 0xff, (p->s.g.n + 1) * sizeof *p->place);
	for (size_t i = 0; i < p->n_shown; i++) {
		p->shown[i] = v[from + i].group;
		p->place[p->shown[i]] = i;
		p->shown_share += p->share[p->shown[i]];
	}
	p->all.to = p->n_shown + (p->n_rest > 0);
	note_omitted(p, order, n, from);
	free(v);
}
