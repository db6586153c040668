/* plot_measure.c: what a figure shows of columns. */
#include "plot_measure.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "plot_kind.h"
#include "table/column_unit.h"
#include "table/table_options.h"

/* A statistic of a column as it is written, as it is in fields, and in titles. */
static const struct {
	const char *word, *stat, *title;
} stats[] = {{"sum", "sum", "total "}, {"mean", "mean", "mean "}, {"median", "p50", "median "},
    {"min", "min", "least "}, {"max", "max", "peak "}};

/* NULL: there is none of this name. */
static const char *
stat_of(const char *word)
{
	char *end;
	for (size_t i = 0; i < COUNT(stats); i++)
		if (strcmp(word, stats[i].word) == 0)
			return stats[i].stat;
	double percent = word[0] == 'p' ? strtod(word + 1, &end) : -1;
	return percent >= 0 && percent <= 100 && end != word + 1 && !*end ? word : NULL;
}

/* The default statistic of a column: the sum of times and energies, the maximum of bytes. */
static const char *
natural_stat(const struct unit *u)
{
	return u->quantity == OF_TIME || u->quantity == OF_ENERGY ? "sum" :
	    u->quantity == OF_BYTES ? "max" : "mean";
}

/* Dies if this kind of figure cannot show the measure.  Shares are of sums by default. */
static void
xsuits(struct measure *m, bool said, const json_t *kind, const struct opt_usage *usage)
{
	const char *shows = plot_kind_text(kind, "measures", NULL);
	if (!shows && (m->counts || m->over))
		opt_die(usage, "%s shows single values, but '%s' is one number for each group",
		    plot_kind_text(kind, "kind", NULL), m->over ? "a ratio" : "count");
	if (!shows || strcmp(shows, "sums") != 0 || m->counts || strcmp(m->stat, "sum") == 0)
		return;
	if (said || m->over)
		opt_die(usage, "shares require a sum or count");
	m->stat = "sum";
}

struct measure
xplot_measure(char *word, const json_t *kind, const struct opt_usage *usage)
{
	char *colon = strrchr(word, ':'), *slash = colon ? NULL : strchr(word, '/');
	struct measure m = {.word = word, .name = word, .stat = "rows", .unit = {.factor = 1},
	    .counts = strcmp(word, "count") == 0};
	if (colon && !(m.stat = stat_of(colon + 1)))
		opt_die(usage, "unknown statistic '%s': use sum, mean, median, min, max or p95",
		    colon + 1);
	if (colon)
		*colon = '\0';
	if (slash) {
		m.stat = "ratio";
		m.word = xstrdup(word);
		*slash = '\0';
		m.over = slash + 1;
		if (column_unit(m.name).quantity == column_unit(m.over).quantity)
			unit_parse("percent", &m.unit);
		table_options_need(m.over, KEEP_NUMBER);
	} else if (!m.counts) {
		m.unit = column_unit(m.name);
		m.stat = colon ? m.stat : natural_stat(&m.unit);
	}
	if (!m.counts)
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
	return m->counts ? xstrdup("rows") : metric_column_title(m->name);
}

char *
plot_measure_title(const struct measure *m)
{
	char *name = plot_measure_name(m), *over = m->over ? metric_column_title(m->over) : NULL;
	const char *word = NULL;
	for (size_t i = 0; i < COUNT(stats); i++)
		if (strcmp(m->stat, stats[i].stat) == 0)
			word = stats[i].title;
	/* "peak memory" is one already. */
	if (word && strncmp(name, word, strlen(word)) == 0)
		return name;
	char *title = m->counts ? xstrdup("count") : over ? xasprintf("%s / %s", name, over) :
	    word ? xasprintf("%s%s", word, name) : xasprintf("%s of %s", m->stat, name);
	free(name);
	free(over);
	return title;
}

char *
plot_measure_shown(const struct measure *m, const json_t *kind)
{
	return plot_kind_text(kind, "measures", NULL) ? plot_measure_title(m) :
	    plot_measure_name(m);
}

char *
plot_measure_text(const struct measure *m, double value, bool binary)
{
	struct buf b = {0};
	if (isnan(value))
		return xstrdup("unknown");
	if (m->counts || m->unit.quantity == OF_NOTHING)
		return xasprintf(m->counts ? "%.0f" : "%.4g", value);
	unit_print(&b, value, &m->unit, binary);
	return b.p;
}
