/* metricscale: how each cell's cost grows with each parameter.
 * Reads metrics of a sweep; writes for each cell, metric and parameter the exponent with its
 * interval, and the parameter's value at which a limit is reached. */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "limit_interval.h"
#include "metric/metric_column.h"
#include "metric/metric_text.h"
#include "stats/scaling.h"
#include "stats/scaling_words.h"
#include "table/table_metrics.h"
#include "text/text.h"
#include "text/amount.h"

#include <signal.h>

enum { NAME_COLUMNS = 30 };

static const char *label;
static struct list metrics, limits;
static bool all;
static int format = -1;
static const struct opt opts[] = {
	{'m', "metrics", OPT_LIST, &metrics, 0, 0, "METRICS", "default client,memory,latency",
		.add = xlist_split},
	{0, "limits", OPT_LIST, &limits, 0, 0, "LIST",
		"limits of metrics: 'client=60 s,memory=16 GB'", .add = xlist_split},
	{0, "label", OPT_STRING, &label, 0, 0, "LABEL", "use only this label; default the first"},
	{'f', "format", OPT_CHOICE, &format, 0, 0, "NAME", "table (default on a terminal) or json",
		.words = OPT_TABLE_OR_RECORDS},
	{'a', "all", OPT_FLAG, &all, 0, 0, NULL,
		"also list costs whose scaling is constant or unknown"},
	{0},
};
static const struct opt_usage usage = {"metricscale", "[options] [FILE...]",
	"Computes how each cell's cost grows with each parameter of a sweep.", opts};

static struct results measured;
static size_t of_label, written, rows, constant;
static json_t *by_key;

/* ---- groups: one cell over the sweep, with equal other parameters ------------------- */

struct scale_group {
	const struct result_cell *first;
	char *others;	/* the other parameters as text; "" */
	const struct result_cell **cell;
	size_t n;
};
static struct scale_group *group;
static size_t groups;

static char *numeric[SCALING_MAX_PARAMS]; /* parameters that vary and are not below 0 */
static size_t n_numeric;
enum { LEVELS_WITH_0 = 3 };

/* How many values above 0 it has, at most LEVELS_WITH_0; 0 if one is no number or below 0. */
static size_t
count_levels(const char *name, bool *has_zero)
{
	double seen[LEVELS_WITH_0];
	size_t n = 0;
	for (size_t i = 0; i < measured.cells; i++) {
		const json_t *v = json_object_get(measured.cell[i].params, name);
		double x = json_number_value(v);
		size_t k = 0;
		if (!json_is_number(v) || x < 0)
			return 0;
		while (k < n && fabs(seen[k] - x) > 0)
			k++;
		if (!(x > 0))
			*has_zero = true;
		else if (k == n && n < LEVELS_WITH_0)
			seen[n++] = x;
	}
	return n;
}

/* With a value of 0 and fewer others, it is rather a switch that is off. */
static bool
varies_as_number(const char *name)
{
	bool has_zero = false;
	size_t levels = count_levels(name, &has_zero);
	if (levels < (has_zero ? LEVELS_WITH_0 : 2))
		return false;
	if (has_zero)
		warn("%s is 0 in some combinations: they are left out, and the laws are fitted to "
		    "the others", name);
	return true;
}

static void
find_numeric(void)
{
	const char *name;
	json_t *v;
	if (measured.cells)
		json_object_foreach(measured.cell[0].params, name, v)
			if (n_numeric < SCALING_MAX_PARAMS && varies_as_number(name))
				numeric[n_numeric++] = xstrdup(name);
}

static bool
is_numeric(const char *name)
{
	for (size_t i = 0; i < n_numeric; i++)
		if (strcmp(numeric[i], name) == 0)
			return true;
	return false;
}

/* A product of powers says nothing of it. */
static bool
has_zero_param(const struct result_cell *c)
{
	for (size_t i = 0; i < n_numeric; i++)
		if (!(json_number_value(json_object_get(c->params, numeric[i])) > 0))
			return true;
	return false;
}

static char *
others_of(const struct result_cell *c)
{
	struct buf b = {0};
	const char *name;
	json_t *v;
	buf_add(&b, "", 0);
	json_object_foreach(c->params, name, v) {
		if (is_numeric(name))
			continue;
		char *text = json_text_of(v);
		buf_addf(&b, "%s%s=%s", b.n ? " " : "", name, text);
		free(text);
	}
	return b.p ? b.p : xstrdup("");
}

static void
add_to_group(const struct result_cell *c)
{
	char *others = others_of(c), *cell = c->id ? xstrdup(c->id) : xasprintf("#%ld", c->index);
	char *key = xasprintf("%s\n%s\n%s\n%s", c->usecase ? c->usecase : "", cell,
	    c->interaction ? c->interaction : "", others);
	size_t at = xjson_value_index(by_key, key, groups);
	if (at == groups) {
		group = xgrow(group, groups, sizeof *group);
		group[groups++] = (struct scale_group){.first = c, .others = xstrdup(others)};
	}
	struct scale_group *g = &group[at];
	g->cell = xgrow(g->cell, g->n, sizeof *g->cell);
	g->cell[g->n++] = c;
	free(others);
	free(cell);
}

/* ---- a fit ------------------------------------------------------------------------- */

struct scale_fit {
	const struct scale_group *g;
	const char *column;
	struct scaling scaling;
	size_t param[SCALING_MAX_PARAMS];	/* parameters that vary in the group */
	struct limit_runs runs;
	size_t levels[SCALING_MAX_PARAMS];
};

static double
param_of(const struct result_cell *c, size_t param)
{
	return json_number_value(json_object_get(c->params, numeric[param]));
}

static size_t
levels_of(const struct scale_group *g, size_t param, double *most)
{
	size_t count = 0;
	*most = 0;
	for (size_t i = 0; i < g->n; i++) {
		double x = param_of(g->cell[i], param);
		bool seen = false;
		for (size_t k = 0; k < i && !seen; k++)
			seen = !(fabs(param_of(g->cell[k], param) - x) > 0);
		count += !seen;
		*most = fmax(*most, x);
	}
	return count;
}

static void
free_fit(struct scale_fit *f)
{
	for (size_t j = 0; j < f->runs.params; j++)
		free(f->runs.x[j]);
	free(f->runs.y);
	free(f->runs.law);
}

static void
add_runs(struct scale_fit *f, const struct result_cell *cell, size_t metric)
{
	const struct cell_results *of = results_of(cell, of_label);
	struct limit_runs *r = &f->runs;
	for (size_t k = 0; of && k < of->metric[metric].n; k++) {
		if (!(of->metric[metric].v[k] > 0))
			continue;
		for (size_t j = 0; j < r->params; j++)
			r->x[j][r->n] = param_of(cell, f->param[j]);
		r->y[r->n++] = of->metric[metric].v[k];
	}
}

static bool
make_fit(struct scale_fit *f, const struct scale_group *g, size_t metric)
{
	size_t room = 0;
	*f = (struct scale_fit){.g = g, .column = measured.metric[metric]};
	struct limit_runs *r = &f->runs;
	for (size_t j = 0; j < n_numeric; j++) {
		double most;
		size_t levels = levels_of(g, j, &most);
		if (levels > 1) {
			f->levels[r->params] = levels;
			r->max[r->params] = most;
			f->param[r->params++] = j;
		}
	}
	for (size_t i = 0; i < g->n; i++)
		room += results_of(g->cell[i], of_label) ?
		    results_of(g->cell[i], of_label)->metric[metric].n : 0;
	r->y = xmalloc((room + 1) * sizeof *r->y);
	for (size_t j = 0; j < r->params; j++)
		r->x[j] = xmalloc((room + 1) * sizeof *r->x[j]);
	for (size_t i = 0; i < g->n; i++)
		add_runs(f, g->cell[i], metric);
	if (scaling_fit(&f->scaling, r->x, r->params, r->y, r->n))
		return true;
	free_fit(f);
	return false;
}

/* ---- limits ------------------------------------------------------------------------ */

static double
limit_of(const char *column)
{
	const char *value = xmetric_setting(&limits, column, "--limits");
	struct unit unit = metric_unit_of(column);
	double x = NAN;
	if (value && amount_read(value, &unit, &x) != 0)
		die(ST_USAGE, "--limits: '%s' is not a value of '%s'", value, column);
	return x;
}

/* ---- output ------------------------------------------------------------------------ */

static void
put_record(struct scale_fit *f, size_t j, double limit, const char *word)
{
	const struct scaling *g = &f->scaling;
	const struct result_cell *c = f->g->first;
	double at = limit_value(g, &f->runs, j, limit), low = NAN, high = NAN;
	if (isfinite(at))
		limit_interval(g, &f->runs, j, limit, &low, &high);
	json_t *r = json_pack("{s:s, s:s?, s:s*, s:o, s:s?, s:s?, s:s, s:s, s:s, s:s}",
	    "type", "scaling", "usecase", c->usecase, "interaction", c->interaction,
	    "cell_index", json_value_above_0(c->index), "cell_id", c->id,
	    "source_line", c->line, "others", f->g->others, "label", measured.label[of_label].name,
	    "metric", f->column, "param", numeric[f->param[j]]);
	bool bad = g->fits_badly;
	json_t *law = json_pack(
	    "{s:o, s:o, s:o, s:s, s:s, s:o, s:o, s:f, s:f, s:I, s:I, s:f, s:o, s:o, s:o, s:o}",
	    "exponent", bad ? json_null() : json_value_real(g->k[j]),
	    "exponent_low", bad ? json_null() : json_value_real(g->low[j]),
	    "exponent_high", bad ? json_null() : json_value_real(g->high[j]),
	    "word", word, "law", bad ? "none" : "product", "off", json_value_real(g->off),
	    "noise", json_value_real(g->noise), "fixed", g->fixed,
	    "spread", g->spread, "points", (json_int_t)g->points,
	    "levels", (json_int_t)f->levels[j], "largest", f->runs.max[j],
	    "limit", json_value_real(limit), "limit_at", json_value_real(at),
	    "limit_at_low", json_value_real(low), "limit_at_high", json_value_real(high));
	xlines_write_new(xjson_value_join(r, law));
}

static char *
cell_shown(const struct scale_group *of)
{
	char *cell = metric_text_place("", of->first->index, of->first->interaction);
	char *shown = xasprintf("%s%s%s%s%s", cell + strspn(cell, ", "), *of->others ? " " : "",
	    of->others, of->first->line ? "  " : "", of->first->line ? of->first->line : "");
	free(cell);
	return shown;
}

static void
put_fit_row(struct scale_fit *f, size_t j, double limit, const char *word)
{
	struct buf b = {0};
	rows++;
	const struct scaling *g = &f->scaling;
	char *shown = cell_shown(f->g);
	char *interval = scaling_interval(g->low[j], g->high[j]);
	double at = limit_value(g, &f->runs, j, limit), low = NAN, high = NAN;
	text_show_padded(&b, shown, NAME_COLUMNS);
	buf_addf(&b, "  %-12.12s %s in ", metric_title(f->column), word);
	text_show(&b, numeric[f->param[j]], NAME_COLUMNS);
	buf_addf(&b, ": %.2f (%s)", g->k[j], interval);
	if (isfinite(at)) {
		limit_interval(g, &f->runs, j, limit, &low, &high);
		buf_addf(&b, "; %s at %.3g", metric_text_value(limit, f->column).p, at);
		if (isfinite(low) && isfinite(high))
			buf_addf(&b, " (%.3g to %.3g)", low, high);
	}
	text_put_trimmed(&b);
	buf_free(&b);
	free(interval);
	free(shown);
}

/* One row for all parameters. */
static void
put_bad_fit_row(const struct scale_fit *f)
{
	struct buf b = {0};
	char *shown = cell_shown(f->g), *why = scaling_bad_text(f->scaling.off, f->scaling.noise);
	rows++;
	text_show_padded(&b, shown, NAME_COLUMNS);
	buf_addf(&b, "  %-12.12s %s", metric_title(f->column), why);
	text_put_trimmed(&b);
	buf_free(&b);
	free(shown);
	free(why);
}

static void
put_fit(struct scale_fit *f, bool table)
{
	double limit = limit_of(f->column);
	if (table && f->scaling.fits_badly) {
		written++;
		put_bad_fit_row(f);
		return;
	}
	for (size_t j = 0; j < f->runs.params; j++) {
		char *word = f->scaling.fits_badly ? xstrdup("no simple law") :
		    scaling_word(f->levels[j], f->scaling.k[j], f->scaling.low[j],
		    f->scaling.high[j]);
		written++;
		if (!table)
			put_record(f, j, limit, word);
		else if (all || (strcmp(word, "constant") && strcmp(word, "unknown")))
			put_fit_row(f, j, limit, word);
		constant += strcmp(word, "constant") == 0;
		free(word);
	}
}

/* Instead of an empty table. */
static void
put_no_scaling(void)
{
	struct buf b = {0};
	buf_addf(&b, "nothing scales: of %zu fits, %zu are constant and %zu unknown "
	    "(metricscale --all lists them)", written, constant, written - constant);
	text_put_trimmed(&b);
	buf_free(&b);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	bool table = opt_wants_table(format);
	xresults_start(&measured, &metrics, "client,memory,latency");
	for (size_t i = 0; i < measured.metrics; i++)
		limit_of(measured.metric[i]);
	by_key = json_object();
	signal(SIGINT, SIG_IGN);
	xtable_metrics_read(&measured, argv + first, &(struct list){0});
	long at = label ? results_label(&measured, label) : 0;
	if (at < 0 || !measured.labels)
		die(ST_UNKNOWN, "cannot tell: no metrics%s%s", label ? " of the label " : "",
		    label ? label : "");
	of_label = (size_t)at;
	find_numeric();
	if (!n_numeric)
		die(ST_UNKNOWN, "cannot tell: no parameter has two values above 0");
	for (size_t i = 0; i < measured.cells; i++)
		if (!has_zero_param(&measured.cell[i]))
			add_to_group(&measured.cell[i]);
	for (size_t i = 0; i < groups; i++)
		for (size_t k = 0; k < measured.metrics; k++) {
			struct scale_fit f;
			if (!make_fit(&f, &group[i], k))
				continue;
			put_fit(&f, table);
			free_fit(&f);
		}
	if (!written)
		die(ST_UNKNOWN, "cannot tell: too few combinations with values");
	if (table && !rows)
		put_no_scaling();
	xoutput_close();
	return ST_OK;
}
