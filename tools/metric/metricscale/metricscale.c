/* metricscale: how each cell's cost grows with each parameter.
 * Reads metrics of a sweep; writes for each cell, metric and parameter the exponent with its
 * interval, and the parameter's value at which a limit is reached. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "limit_interval.h"
#include "metric/metric_text.h"
#include "metric/results_files.h"
#include "stats/scaling.h"
#include "stats/scaling_words.h"
#include "text/text.h"
#include "metric/metric_column.h"

enum { NAME_COLUMNS = 30 };

static const char *metrics = "client,memory", *limits, *label;
static bool all;
static int format = -1;
static const struct opt opts[] = {
	{'m', "metrics", OPT_STRING, &metrics, 0, 0, "METRICS", "default client,memory"},
	{0, "limits", OPT_STRING, &limits, 0, 0, "LIST",
		"limits of metrics: 'client=60 s,memory=16 GB'"},
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

static char *numeric[SCALING_MAX_PARAMS]; /* parameters that are above 0 everywhere, and vary */
static size_t n_numeric;

static bool
varies_as_number(const char *name)
{
	double first = NAN;
	bool varies = false;
	for (size_t i = 0; i < measured.cells; i++) {
		const json_t *v = json_object_get(measured.cell[i].params, name);
		if (!json_is_number(v) || !(json_number_value(v) > 0))
			return false;
		if (isnan(first))
			first = json_number_value(v);
		varies |= fabs(json_number_value(v) - first) > 0;
	}
	return varies;
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
	char *key = xasprintf("%s\n%s\n%s", c->usecase ? c->usecase : "", cell, others);
	json_t *at = json_object_get(by_key, key);
	if (!at) {
		group = xgrow_next(group, groups, sizeof *group);
		group[groups] = (struct scale_group){.first = c, .others = xstrdup(others)};
		json_object_set_new(by_key, key, at = json_integer((json_int_t)groups++));
	}
	struct scale_group *g = &group[json_integer_value(at)];
	g->cell = xgrow_next(g->cell, g->n, sizeof *g->cell);
	g->cell[g->n++] = c;
	free(others);
	free(cell);
	free(key);
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
	for (const char *p = limits; p && *p;) {
		size_t n = strcspn(p, ",");
		char *item = xasprintf("%.*s", (int)n, p), *value = strchr(item, '=');
		struct unit unit = metric_unit_of(column);
		double x;
		if (!value)
			die(ST_USAGE, "--limits must be NAME=VALUE, not '%s'", item);
		*value++ = '\0';
		bool is = strcmp(metric_name(item), column) == 0;
		if (is && unit_read(value, &unit, &x) != 0)
			die(ST_USAGE, "--limits: '%s' is not a value of '%s'", value, item);
		free(item);
		if (is)
			return x;
		p += n + (p[n] == ',');
	}
	return NAN;
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
	json_t *r = json_pack("{s:s, s:s?, s:o, s:s?, s:s?, s:s, s:s, s:s, s:s}",
	    "type", "scaling", "usecase", c->usecase,
	    "cell_index", c->index > 0 ? json_integer(c->index) : json_null(), "cell_id", c->id,
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
	return xasprintf("cell %ld%s%s%s%s", of->first->index, *of->others ? " " : "", of->others,
	    of->first->line ? "  " : "", of->first->line ? of->first->line : "");
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
		char *value = metric_text_value(limit, f->column);
		limit_interval(g, &f->runs, j, limit, &low, &high);
		buf_addf(&b, "; %s at %.3g", value, at);
		if (isfinite(low) && isfinite(high))
			buf_addf(&b, " (%.3g to %.3g)", low, high);
		free(value);
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
	results_start(&measured, metrics);
	for (size_t i = 0; i < measured.metrics; i++)
		limit_of(measured.metric[i]);
	by_key = json_object();
	signal(SIGINT, SIG_IGN);
	xresults_files(&measured, argv + first, NULL);
	long at = label ? results_label(&measured, label) : 0;
	if (at < 0 || !measured.labels)
		die(ST_UNKNOWN, "cannot tell: no metrics%s%s", label ? " of the label " : "",
		    label ? label : "");
	of_label = (size_t)at;
	find_numeric();
	if (!n_numeric)
		die(ST_UNKNOWN, "cannot tell: no parameter has two values above 0");
	for (size_t i = 0; i < measured.cells; i++)
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
