/* plot_measure.c: what a figure shows of columns. */
#include "plot_measure.h"
#include "base/die.h"
#include "json/json_value.h"
#include "metric/metric_column.h"
#include "plot_kind.h"
#include "table/column_unit.h"
#include "table/statistic.h"
#include "table/table_options.h"

#include <stdio.h>

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
	struct statistic_of what;
	if (colon && (!statistic_read(colon + 1, &what) || statistics[what.is].kind != CELL_VALUE))
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
		table_options_need_cores();
	} else if (!m.counts) {
		m.unit = column_unit(m.name);
		m.stat = !colon ? natural_stat(&m.unit) : what.is == STAT_PERCENTILES ? colon + 1 :
		    statistics[what.is].name;
	}
	if (!m.counts)
		table_options_need(m.name, KEEP_NUMBER);
	xsuits(&m, colon != NULL, kind, usage);
	return m;
}

json_t *
plot_measure_model(const struct measure *m)
{
	static const char *const quantities[] = {[OF_NOTHING] = "", [OF_TIME] = "time",
	    [OF_BYTES] = "bytes", [OF_SHARE] = "share", [OF_ENERGY] = "energy",
	    [OF_OTHER] = "other"};
	char *name = m->counts ? xstrdup("rows") : metric_column_title(m->name);
	char *over = m->over ? metric_column_title(m->over) : NULL;
	json_t *model = json_pack("{s:o, s:s, s:o, s:o*, s:{s:s, s:f}}", "name",
	    plot_kind_string(name), "stat", m->stat, "column",
	    plot_kind_string(m->name), "over", over ? plot_kind_string(over) : NULL, "unit",
	    "quantity", quantities[m->unit.quantity], "factor", m->unit.factor);
	free(name);
	free(over);
	return model;
}

json_t *
plot_number(double x)
{
	char text[40];
	if (trunc(x) < x || trunc(x) > x) {
		snprintf(text, sizeof text, "%.12g", x);
		x = strtod(text, NULL);
	}
	return json_value_real(x);
}

json_t *
plot_measure_number(const struct measure *m, double value, double ratio, bool with_text)
{
	struct buf b = {0};
	if (with_text && isnan(value))
		buf_addf(&b, "unknown");
	else if (with_text && (m->counts || m->unit.quantity == OF_NOTHING))
		buf_addf(&b, m->counts ? "%.0f" : "%.4g", value);
	else if (with_text)
		unit_print(&b, value, &m->unit, m->binary);
	json_t *pair = json_pack("[o, s*]", plot_number(value * ratio), b.p);
	buf_free(&b);
	return pair;
}
