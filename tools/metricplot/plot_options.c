/* plot_options.c: the measures and categories that the user requests. */
#include "base/nbscope.h"
#include "base/die.h"
#include "base/opt.h"
#include "table/bins.h"
#include "table/column_unit.h"
#include "table/derive.h"
#include "table/list.h"
#include "table/rows_where.h"
#include "table/stat_figure.h"
#include "table/table_group.h"
#include "table/table_read.h"
#include "text/unit.h"
#include "plot_groups.h"
#include "plot_options.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_MEASURES = 12 };

bool
plot_is_kind(const struct plotting *p, const char *name)
{
	return strcmp(p->kind->name, name) == 0;
}

bool
plot_has_one_number(const struct plotting *p)
{
	return plot_is_kind(p, "bars") || plot_is_kind(p, "largest") || plot_is_kind(p, "ranked") ||
	    plot_is_kind(p, "dashes");
}

/* ---- measures ---------------------------------------------------------------------- */

static enum measure_stat
stat_of(const char *word, double *percent)
{
	static const struct {
		const char *word;
		enum measure_stat stat;
	} words[] = {{"sum", STAT_SUM}, {"mean", STAT_MEAN}, {"median", STAT_MEDIAN}, {"min",
	    STAT_MIN}, {"max", STAT_MAX}};
	for (size_t i = 0; i < COUNT(words); i++)
		if (strcmp(word, words[i].word) == 0)
			return words[i].stat;
	char *end;
	*percent = word[0] == 'p' ? strtod(word + 1, &end) : -1;
	return word[0] == 'p' && end != word + 1 && !*end && *percent >= 0 && *percent <= 100 ?
	    STAT_PERCENTILE : STAT_AUTO;
}

/* The default statistic of a column: the sum of times and energies, the maximum of bytes. */
static enum measure_stat
natural_stat(const struct unit *u)
{
	return u->quantity == OF_TIME || u->quantity == OF_ENERGY ?
	    STAT_SUM : u->quantity == OF_BYTES ? STAT_MAX : STAT_MEAN;
}

static void
xratio(struct measure *m, char *slash, const struct plot_request *request)
{
	*slash = '\0';
	m->over = slash + 1;
	m->stat = STAT_RATIO;
	m->unit.factor = 1;
	if (column_unit(m->name).quantity == column_unit(m->over).quantity)
		unit_parse("percent", &m->unit);
	request->require(m->name, KEEP_NUMBER);
	request->require(m->over, KEEP_NUMBER);
}

/* The measure uses `word`, changed. */
static void
xmeasure(struct measure *m, char *word, const struct plot_request *request)
{
	char *colon = strrchr(word, ':'), *slash = strchr(word, '/');
	double percent = 0;
	*m = (struct measure){.name = word};
	if (strcmp(word, "count") == 0) {
		m->stat = STAT_COUNT;
		return;
	}
	if (slash && !colon) {
		xratio(m, slash, request);
		return;
	}
	if (colon && (m->stat = stat_of(colon + 1, &percent)) == STAT_AUTO)
		opt_die(request->usage,
		    "unknown statistic '%s': use sum, mean, median, min, max or p95", colon + 1);
	if (colon)
		*colon = '\0';
	m->p = percent / 100;
	m->unit = column_unit(m->name);
	if (!colon)
		m->stat = natural_stat(&m->unit);
	request->require(m->name, KEEP_NUMBER);
}

/* Dies if this kind of figure cannot show the measure.  Shares are of sums by default. */
static void
xsuits(const struct plotting *p, struct measure *m, bool said, const struct plot_request *request)
{
	if (!plot_has_one_number(p) && (m->stat == STAT_COUNT || m->stat == STAT_RATIO))
		opt_die(request->usage,
		    "%s shows single values, but '%s' is one number for each group", p->kind->name,
		    m->stat == STAT_COUNT ? "count" : "a ratio");
	bool shares = plot_is_kind(p, "largest") || plot_is_kind(p, "ranked") ||
	    plot_is_kind(p, "dashes");
	if (!shares || m->stat == STAT_COUNT || m->stat == STAT_SUM)
		return;
	if (said || m->stat == STAT_RATIO)
		opt_die(request->usage, "shares require a sum or count");
	m->stat = STAT_SUM;
}

void
xplot_measures(struct plotting *p, const struct plot_request *request, const char *list)
{
	const struct plot_kind *k = p->kind;
	struct list words = {0};
	if (list)
		xlist_split(&words, list, "--of");
	if (words.n < k->least_of)
		opt_die(request->usage, "%s requires --of with %zu measure%s", k->name, k->least_of,
		    k->least_of == 1 ? "" : "s");
	size_t most = k->most_of || plot_is_kind(p, "waterfall") ? k->most_of : MAX_MEASURES;
	if (words.n > most)
		opt_die(request->usage, "%s allows at most %zu measure%s", k->name, most,
		    most == 1 ? "" : "s");
	p->of = xmalloc((words.n + 1) * sizeof *p->of);
	p->n_of = words.n;
	for (size_t i = 0; i < words.n; i++) {
		bool said = strchr(words.v[i], ':') != NULL;
		xmeasure(&p->of[i], words.v[i], request);
		xsuits(p, &p->of[i], said, request);
	}
	free(words.v);
}

/* ---- categories ----------------------------------------------------------------------- */

/* Of bars it is a measure, whose bars have the colours of its classes. */
static const struct measure *
xcoloured(const struct plotting *p, const struct plot_request *request)
{
	for (size_t i = 0; i < p->n_of; i++) {
		const struct measure *m = &p->of[i];
		char *name = xasprintf("%s%s%s", m->name, m->over ? "/" : "", m->over ? m->over :
		    "");
		bool same = strcmp(name, p->categories.column) == 0;
		free(name);
		if (same)
			return m;
	}
	opt_die(request->usage, "bars has no measure '%s' for --category", p->categories.column);
}

void
xplot_categories(struct plotting *p, const struct plot_request *request, const char *text)
{
	bool bars = plot_is_kind(p, "bars");
	if (plot_is_kind(p, "categories") != (text != NULL) && !bars)
		opt_die(request->usage, text ?
		    "--category requires --kind categories or bars" :
		    "categories requires --category, as in memory:small<=5GB,medium<=20GB,high");
	if (!text)
		return;
	xbins(&p->categories, text);
	if (bars) {
		p->coloured = xcoloured(p, request);
		xbins_limits_in(&p->categories, &p->coloured->unit);
	} else {
		xbins_limits(&p->categories);
		request->require(p->categories.column, KEEP_NUMBER);
	}
	for (size_t i = 0; i < p->categories.n; i++) {
		struct range_bin *b = &p->categories.v[i];
		char *name = b->name;
		if (!b->limit)
			continue;
		b->name = xasprintf("%s (%s %s)", name, b->below ? "<" : "≤", b->limit);
		free(name);
	}
}
