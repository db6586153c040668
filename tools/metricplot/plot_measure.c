/* plot_measure.c: what a figure shows of columns. */
#include "plot_measure.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "plot_kind.h"
#include "table/column_unit.h"
#include "table/table_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const stat_words[] = {[STAT_SUM] = "sum", [STAT_MEAN] = "mean",
    [STAT_MEDIAN] = "median", [STAT_MIN] = "min", [STAT_MAX] = "max"};

static enum measure_stat
stat_of(const char *word, double *percent)
{
	for (enum measure_stat s = STAT_SUM; s < COUNT(stat_words); s++)
		if (strcmp(word, stat_words[s]) == 0)
			return s;
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

/* Dies if this kind of figure cannot show the measure.  Shares are of sums by default. */
static void
xsuits(struct measure *m, bool said, const json_t *kind, const struct opt_usage *usage)
{
	const char *shows = plot_kind_text(kind, "measures", NULL);
	bool sums = shows && strcmp(shows, "sums") == 0;
	if (!shows && (m->stat == STAT_COUNT || m->stat == STAT_RATIO))
		opt_die(usage, "%s shows single values, but '%s' is one number for each group",
		    plot_kind_text(kind, "kind", NULL), m->stat == STAT_COUNT ?
		    "count" : "a ratio");
	if (!sums || m->stat == STAT_COUNT || m->stat == STAT_SUM)
		return;
	if (said || m->stat == STAT_RATIO)
		opt_die(usage, "shares require a sum or count");
	m->stat = STAT_SUM;
}

struct measure
xplot_measure(char *word, const json_t *kind, const struct opt_usage *usage)
{
	char *colon = strrchr(word, ':'), *slash = colon ? NULL : strchr(word, '/');
	double percent = 0;
	struct measure m = {.name = word, .unit = {.factor = 1}};
	if (strcmp(word, "count") == 0)
		m.stat = STAT_COUNT;
	else if (slash)
		m.stat = STAT_RATIO;
	else if (colon && (m.stat = stat_of(colon + 1, &percent)) == STAT_AUTO)
		opt_die(usage, "unknown statistic '%s': use sum, mean, median, min, max or p95",
		    colon + 1);
	if (colon)
		*colon = '\0';
	m.p = percent / 100;
	if (slash) {
		*slash = '\0';
		m.over = slash + 1;
		if (column_unit(m.name).quantity == column_unit(m.over).quantity)
			unit_parse("percent", &m.unit);
		table_options_need(m.over, KEEP_NUMBER);
	} else if (m.stat != STAT_COUNT) {
		m.unit = column_unit(m.name);
	}
	if (m.stat == STAT_AUTO)
		m.stat = natural_stat(&m.unit);
	if (m.stat != STAT_COUNT)
		table_options_need(m.name, KEEP_NUMBER);
	xsuits(&m, colon != NULL, kind, usage);
	return m;
}

bool
plot_measure_has_unit_of(const struct measure *a, const struct measure *b)
{
	return a->unit.quantity == b->unit.quantity && fabs(a->unit.factor - b->unit.factor) <= 0;
}

char *
plot_measure_name(const struct measure *m)
{
	return m->title ? xstrdup(m->title) : metric_column_title(m->name);
}

char *
plot_measure_title(const struct measure *m)
{
	static const char *const words[] = {[STAT_SUM] = "total ", [STAT_MEAN] = "mean ",
	    [STAT_MEDIAN] = "median ", [STAT_MIN] = "least ", [STAT_MAX] = "peak "};
	if (m->stat == STAT_COUNT)
		return xstrdup("count");
	char *name = plot_measure_name(m), *all;
	if (m->stat == STAT_RATIO) {
		char *over = metric_column_title(m->over);
		all = xasprintf("%s / %s", name, over);
		free(over);
	} else if (m->stat == STAT_PERCENTILE) {
		all = xasprintf("p%g of %s", 100 * m->p, name);
	} else {
		const char *word = m->stat < COUNT(words) && words[m->stat] ? words[m->stat] : "";
		/* "peak memory" is one already. */
		bool said = strncmp(name, word, strlen(word)) == 0;
		all = xasprintf("%s%s", said ? "" : word, name);
	}
	free(name);
	return all;
}

char *
plot_measure_shown(const struct measure *m, const json_t *kind)
{
	return plot_kind_text(kind, "measures", NULL) && !m->title ? plot_measure_title(m) :
	    plot_measure_name(m);
}

char *
plot_measure_text(const struct measure *m, double value, bool binary)
{
	struct buf b = {0};
	if (isnan(value))
		return xstrdup("unknown");
	if (m->stat == STAT_COUNT)
		return xasprintf("%.0f", value);
	if (m->unit.quantity == OF_NOTHING)
		return xasprintf("%.4g", value);
	unit_print(&b, value, &m->unit, binary);
	return b.p;
}
