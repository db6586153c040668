/* plotasked.c: what a user's words ask of a figure. */
#include "plot_kind.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MEASURES = 12 };

bool
is_kind(const struct plotting *p, const char *name)
{
	return strcmp(p->kind->name, name) == 0;
}

bool
has_one_number(const struct plotting *p)
{
	return is_kind(p, "bars") || is_kind(p, "largest") || is_kind(p, "ranked");
}

/* ---- measures ---------------------------------------------------------------------- */

static enum statistic
stat_of(const char *word, double *percent)
{
	static const struct {
		const char *word;
		enum statistic stat;
	} words[] = {{"sum", STAT_SUM}, {"mean", STAT_MEAN}, {"median", STAT_MEDIAN}, {"min", STAT_MIN}, {"max", STAT_MAX}};
	for (size_t i = 0; i < COUNT(words); i++)
		if (strcmp(word, words[i].word) == 0)
			return words[i].stat;
	char *end;
	*percent = word[0] == 'p' ? strtod(word + 1, &end) : -1;
	return word[0] == 'p' && end != word + 1 && !*end && *percent >= 0 && *percent <= 100 ? STAT_PERCENTILE : STAT_AUTO;
}

/* What is made of a column of which nothing is said: times add up, of memory the most counts. */
static enum statistic
natural_stat(const struct unit *u)
{
	return u->quantity == OF_TIME || u->quantity == OF_ENERGY ? STAT_SUM : u->quantity == OF_BYTES ? STAT_MAX : STAT_MEAN;
}

static void
xratio(struct measure *m, char *slash, const struct asked *asked)
{
	*slash = '\0';
	m->over = slash + 1;
	m->stat = STAT_RATIO;
	m->unit.factor = 1;
	if (column_unit(m->name).quantity == column_unit(m->over).quantity)
		unit_parse("percent", &m->unit);
	asked->want(m->name, KEEP_NUMBER);
	asked->want(m->over, KEEP_NUMBER);
}

/* `word` becomes the measure's. */
static void
xmeasure(struct measure *m, char *word, const struct asked *asked)
{
	char *colon = strrchr(word, ':'), *slash = strchr(word, '/');
	double percent = 0;
	*m = (struct measure){.name = word};
	if (strcmp(word, "count") == 0) {
		m->stat = STAT_COUNT;
		return;
	}
	if (slash && !colon) {
		xratio(m, slash, asked);
		return;
	}
	if (colon && (m->stat = stat_of(colon + 1, &percent)) == STAT_AUTO)
		opt_die(asked->usage, "no statistic '%s': sum, mean, median, min, max or p95", colon + 1);
	if (colon)
		*colon = '\0';
	m->p = percent / 100;
	m->unit = column_unit(m->name);
	if (!colon)
		m->stat = natural_stat(&m->unit);
	asked->want(m->name, KEEP_NUMBER);
}

/* Whether the kind of figure can show it; shares are of sums, if nothing else was said. */
static void
xsuits(const struct plotting *p, struct measure *m, bool said, const struct asked *asked)
{
	if (!has_one_number(p) && (m->stat == STAT_COUNT || m->stat == STAT_RATIO))
		opt_die(asked->usage, "%s shows values, and '%s' is one number a group", p->kind->name, m->stat == STAT_COUNT ? "count" : "a ratio");
	if ((!is_kind(p, "largest") && !is_kind(p, "ranked")) || m->stat == STAT_COUNT || m->stat == STAT_SUM)
		return;
	if (said || m->stat == STAT_RATIO)
		opt_die(asked->usage, "shares are of sums or counts");
	m->stat = STAT_SUM;
}

void
xmeasures(struct plotting *p, const struct asked *asked, const char *list)
{
	const struct kind *k = p->kind;
	struct list words = {0};
	if (list)
		xlist_split(&words, list, "--of");
	if (words.n < k->least_of)
		opt_die(asked->usage, "%s wants --of with %zu measure%s", k->name, k->least_of, k->least_of == 1 ? "" : "s");
	size_t most = k->most_of || is_kind(p, "waterfall") ? k->most_of : MOST_MEASURES;
	if (words.n > most)
		opt_die(asked->usage, "%s takes at most %zu measure%s", k->name, most, most == 1 ? "" : "s");
	p->of = xmalloc((words.n + 1) * sizeof *p->of);
	p->n_of = words.n;
	for (size_t i = 0; i < words.n; i++) {
		bool said = strchr(words.v[i], ':') != NULL;
		xmeasure(&p->of[i], words.v[i], asked);
		xsuits(p, &p->of[i], said, asked);
	}
	free(words.v);
}

/* ---- categories ----------------------------------------------------------------------- */

void
xcategories(struct plotting *p, const struct asked *asked, const char *text)
{
	if (is_kind(p, "categories") != (text != NULL))
		opt_die(asked->usage, text ? "--category is for the kind categories" : "categories wants --category, as memory:small<=5GB,medium<=20GB,high");
	if (!text)
		return;
	xbins(&p->categories, text);
	xbins_limits(&p->categories);
	asked->want(p->categories.column, KEEP_NUMBER);
	for (size_t i = 0; i < p->categories.n; i++) {
		struct range_bin *b = &p->categories.v[i];
		char *name = b->name;
		if (!b->limit)
			continue;
		b->name = xasprintf("%s (%s %s)", name, b->below ? "<" : "≤", b->limit);
		free(name);
	}
}
