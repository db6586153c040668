/* metricscale: how each cell's cost grows with each parameter.
 * Reads cell_metrics of a sweep; writes for each cell, metric and parameter the
 * exponent with its interval, and where a limit would be reached. */
#include "metric/metric_text.h"
#include "metric/results_files.h"
#include "stats/scaling.h"
#include "text/text.h"
#include "text/unit.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_COLUMNS = 30 };

static const char *format, *metrics = "client,memory", *limits, *label;
static bool all;
static const struct opt opts[] = {
	{'m', "metrics", OPT_STRING, &metrics, 0, 0, "METRICS", "default client,memory"},
	{'l', "limits", OPT_STRING, &limits, 0, 0, "LIST", "where they are reached: 'client=60 s,memory=16 GB'"},
	{0, "label", OPT_STRING, &label, 0, 0, "LABEL", "of this label alone; default the first"},
	{'f', "format", OPT_STRING, &format, 0, 0, "NAME", "table (default on a terminal) or json"},
	{'a', "all", OPT_FLAG, &all, 0, 0, NULL, "in the table, what does not grow too"},
	{0},
};
static const struct opt_usage usage = {"metricscale", "[options] [FILE...]",
	"Tells how each cell's cost grows with each parameter of a sweep.", opts};

static struct measured measured;
static size_t of_label, written, rows, constant;
static json_t *by_key;

/* ---- points: one cell over the sweep, all else alike ------------------------------- */

struct group {
	const struct measured_cell *first;
	char *others;	/* what does not vary as a number, for people; "" */
	const struct measured_cell **cell;
	size_t n;
};
static struct group *group;
static size_t groups;

static char *numeric[SCALING_MAX_PARAMS];	/* parameters that are above 0 in every combination, and vary */
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
others_of(const struct measured_cell *c)
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
add_to_group(const struct measured_cell *c)
{
	char *others = others_of(c), *key = c->id ? xasprintf("%s\n%s\n%s", c->usecase ? c->usecase : "", c->id, others) :
	    xasprintf("%s\n#%ld\n%s", c->usecase ? c->usecase : "", c->index, others);
	json_t *at = json_object_get(by_key, key);
	if (!at) {
		group = xrealloc(group, (groups + 1) * sizeof *group);
		group[groups] = (struct group){.first = c, .others = xstrdup(others)};
		json_object_set_new(by_key, key, at = json_integer((json_int_t)groups++));
	}
	struct group *g = &group[json_integer_value(at)];
	g->cell = xrealloc(g->cell, (g->n + 1) * sizeof *g->cell);
	g->cell[g->n++] = c;
	free(others);
	free(key);
}

/* ---- a fit ---------------------------------------------------------------------------- */

struct fit {
	const struct group *g;
	const char *column;
	struct scaling growth;
	size_t param[SCALING_MAX_PARAMS], params;	/* those that vary in the group */
	double most[SCALING_MAX_PARAMS];	/* the largest value of each */
	size_t levels[SCALING_MAX_PARAMS];
};

static double
param_of(const struct measured_cell *c, size_t param)
{
	return json_number_value(json_object_get(c->params, numeric[param]));
}

static size_t
levels_of(const struct group *g, size_t param, double *most)
{
	size_t count = 0;
	*most = 0;
	for (size_t i = 0; i < g->n; i++) {
		bool seen = false;
		for (size_t k = 0; k < i && !seen; k++)
			seen = !(fabs(param_of(g->cell[k], param) - param_of(g->cell[i], param)) > 0);
		count += !seen;
		*most = fmax(*most, param_of(g->cell[i], param));
	}
	return count;
}

static bool
make_fit(struct fit *f, const struct group *g, size_t metric)
{
	double *x[SCALING_MAX_PARAMS], *y;
	size_t n = 0, room = 0;
	*f = (struct fit){.g = g, .column = measured.metric[metric]};
	for (size_t j = 0; j < n_numeric; j++) {
		double most;
		size_t levels = levels_of(g, j, &most);
		if (levels > 1) {
			f->levels[f->params] = levels;
			f->most[f->params] = most;
			f->param[f->params++] = j;
		}
	}
	for (size_t i = 0; i < g->n; i++)
		room += measured_of(g->cell[i], of_label) ? measured_of(g->cell[i], of_label)->metric[metric].n : 0;
	y = xmalloc(room * sizeof *y);
	for (size_t j = 0; j < f->params; j++)
		x[j] = xmalloc(room * sizeof *x[j]);
	for (size_t i = 0; i < g->n; i++) {
		const struct of_label *of = measured_of(g->cell[i], of_label);
		for (size_t k = 0; of && k < of->metric[metric].n; k++) {
			if (!(of->metric[metric].v[k] > 0))
				continue;
			for (size_t j = 0; j < f->params; j++)
				x[j][n] = param_of(g->cell[i], f->param[j]);
			y[n++] = of->metric[metric].v[k];
		}
	}
	bool ok = scaling_fit(&f->growth, x, f->params, y, n);
	for (size_t j = 0; j < f->params; j++)
		free(x[j]);
	free(y);
	return ok;
}

/* ---- limits ------------------------------------------------------------------------------- */

static double
limit_of(const char *column)
{
	for (const char *p = limits; p && *p;) {
		size_t n = strcspn(p, ",");
		char *item = xasprintf("%.*s", (int)n, p), *value = strchr(item, '=');
		struct unit unit = unit_of(column);
		double x;
		if (!value)
			die(ST_USAGE, "--limits must be NAME=VALUE, not '%s'", item);
		*value++ = '\0';
		bool is = strcmp(metric_name(item), column) == 0;
		if (is && unit_read(value, &unit, &x) != 0)
			die(ST_USAGE, "--limits: '%s' is no value of '%s'", value, item);
		free(item);
		if (is)
			return x;
		p += n + (p[n] == ',');
	}
	return NAN;
}

/* The parameter's value where the limit is reached, the others at their largest,
 * with exponent k anchored at what is predicted of the largest; NaN: never. */
static double
reached(const struct fit *f, size_t j, double limit, double k)
{
	double at_most = scaling_at(&f->growth, f->most, f->params) - f->growth.fixed;
	double x = limit > f->growth.fixed && k > 0 ? f->most[j] * pow((limit - f->growth.fixed) / at_most, 1 / k) : (double)NAN;
	return x < 1e15 ? x : (double)NAN;
}

/* ---- what is said ---------------------------------------------------------------------------- */

static void
put_record(const struct fit *f, size_t j, double limit, const char *word)
{
	const struct scaling *g = &f->growth;
	const struct measured_cell *c = f->g->first;
	json_t *r = json_pack("{s:s, s:s?, s:o, s:s?, s:s?, s:s, s:s, s:s, s:s, s:f, s:o, s:o, s:s, s:f, s:f, s:I, s:I, s:f}", "type", "scaling",
	    "usecase", c->usecase, "cell_index", c->index > 0 ? json_integer(c->index) : json_null(), "cell_id", c->id, "source_line", c->line,
	    "others", f->g->others, "label", measured.label[of_label].name, "metric", f->column, "param", numeric[f->param[j]],
	    "exponent", g->k[j], "exponent_low", json_value_real(g->low[j]), "exponent_high", json_value_real(g->high[j]), "word", word, "fixed", g->fixed, "spread", g->spread,
	    "points", (json_int_t)g->points, "levels", (json_int_t)f->levels[j], "largest", f->most[j]);
	if (!r || json_object_set_new(r, "limit", json_value_real(limit)) < 0 || json_object_set_new(r, "limit_at", json_value_real(reached(f, j, limit, g->k[j]))) < 0 ||
	    json_object_set_new(r, "limit_at_low", json_value_real(reached(f, j, limit, limit > scaling_at(g, f->most, f->params) ? g->high[j] : g->low[j]))) < 0 ||
	    json_object_set_new(r, "limit_at_high", json_value_real(reached(f, j, limit, limit > scaling_at(g, f->most, f->params) ? g->low[j] : g->high[j]))) < 0)
		die(ST_SYSTEM, "out of memory");
	xlines_write(r);
	json_decref(r);
}

static void
put_row(const struct fit *f, size_t j, double limit, const char *word)
{
	struct buf b = {0};
	rows++;
	const struct scaling *g = &f->growth;
	char *name = xasprintf("cell %ld%s%s%s", f->g->first->index, *f->g->others ? " " : "", f->g->others, f->g->first->line ? "  " : "");
	char *shown = xasprintf("%s%s", name, f->g->first->line ? f->g->first->line : "");
	char *interval = scaling_interval(g->low[j], g->high[j]);
	double at = reached(f, j, limit, g->k[j]);
	text_show_padded(&b, shown, NAME_COLUMNS);
	buf_addf(&b, "  %-12.12s %s in ", metric_title(f->column), word);
	text_show(&b, numeric[f->param[j]], NAME_COLUMNS);
	buf_addf(&b, ": %.2f (%s)", g->k[j], interval);
	if (isfinite(at)) {
		char *value = metric_text_value(limit, f->column);
		buf_addf(&b, "; %s at %.3g", value, at);
		free(value);
	}
	text_put_trimmed(&b);
	buf_free(&b);
	free(interval);
	free(shown);
	free(name);
}

static void
put_fit(const struct fit *f, bool table)
{
	double limit = limit_of(f->column);
	for (size_t j = 0; j < f->params; j++) {
		char *word = scaling_word(f->growth.k[j], f->growth.low[j], f->growth.high[j]);
		written++;
		if (!table)
			put_record(f, j, limit, word);
		else if (all || (strcmp(word, "constant") && strcmp(word, "unknown")))
			put_row(f, j, limit, word);
		constant += strcmp(word, "constant") == 0;
		free(word);
	}
}

/* An empty table would tell nothing. */
static void
put_none(void)
{
	struct buf b = {0};
	buf_addf(&b, "nothing is seen to grow: of %zu fits %zu are constant, %zu cannot be told (metricscale --all shows them)", written, constant, written - constant);
	text_put_trimmed(&b);
	buf_free(&b);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	bool table = xopt_wants_table(format, &usage);
	measured_start(&measured, metrics);
	for (size_t i = 0; i < measured.metrics; i++)
		limit_of(measured.metric[i]);
	by_key = json_object();
	signal(SIGINT, SIG_IGN);
	xresults_files(&measured, argv + first, NULL);
	long at = label ? measured_label(&measured, label) : 0;
	if (at < 0 || !measured.labels)
		die(ST_UNKNOWN, "cannot tell: no metrics%s%s", label ? " of the label " : "", label ? label : "");
	of_label = (size_t)at;
	find_numeric();
	if (!n_numeric)
		die(ST_UNKNOWN, "cannot tell: no parameter has two values above 0");
	for (size_t i = 0; i < measured.cells; i++)
		add_to_group(&measured.cell[i]);
	for (size_t i = 0; i < groups; i++)
		for (size_t k = 0; k < measured.metrics; k++) {
			struct fit f;
			if (make_fit(&f, &group[i], k))
				put_fit(&f, table);
		}
	if (!written)
		die(ST_UNKNOWN, "cannot tell: too few combinations with values");
	if (table && !rows)
		put_none();
	xoutput_close();
	return ST_OK;
}
