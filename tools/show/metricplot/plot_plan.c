/* plot_plan.c: which figures to draw, from the command line or from records. */
#include "plot_plan.h"
#include "base/die.h"
#include "base/output.h"
#include "json/json_text.h"
#include "json/scan.h"
#include "plot_kind.h"
#include "table/table_options.h"
#include "text/text.h"

#include <stdio.h>
#include <unistd.h>

enum { SINGLE_MM = 89, DOUBLE_MM = 183, MIN_MM = 60, MAX_MM = 1000, PX_PER_INCH = 96 };
#define MM_PER_INCH 25.4

/* ---- options --------------------------------------------------------------------------- */

static const struct figure_options defaults = {.width = "double", .top = 60};
static struct figure_options o;	/* being parsed */

static const char *figures_path, *format;

static void call_where(const char *v) { xconditions_add(&o.where, v); }
static void
call_rank(const char *v)
{
	xtable_options_ranks(v, "--rank", &o.rank_from, &o.rank_to);
}

static void call_output(const char *v) { list_add(&o.outputs, v, strlen(v)); }

#define FIGURE_OPTIONS \
	{'k', "kind", OPT_STRING, &o.kind, 0, 0, "KIND", \
		"kind of figure; --kind help lists them"}, \
	{'b', "by", OPT_STRING, &o.by, 0, 0, "COLUMNS", \
		"a group for each of their values: step,task"}, \
	{0, "of", OPT_STRING, &o.of, 0, 0, "MEASURES", \
		"COLUMN, COLUMN:STATISTIC, COLUMN/COLUMN or count"}, \
	{0, "against", OPT_STRING, &o.against, 0, 0, "COLUMNS", \
		"parameters of sweep and heatmap; the label of ab"}, \
	{0, "category", OPT_STRING, &o.category, 0, 0, "LIMITS", \
		"classes: memory:small<=5GB,medium<=20GB,high"}, \
	{'P', "percentiles", OPT_STRING, &o.percentiles, 0, 0, "LIST", \
		"marked in a histogram; default 5,50,95"}, \
	{0, "log", OPT_CHOICE, &o.log, 0, 0, "WORD", "logarithmic axes: auto, yes or no", \
		.words = "auto yes no"}, \
	{'S', "sort", OPT_CHOICE, &o.sort, 0, 0, "WORD", \
		"groups by name (default), value or count", .words = "name value count"}, \
	{'n', "top", OPT_INT, &o.top, 1, 10000, "N", "show the N largest groups; default 60"}, \
	{0, "bins", OPT_INT, &o.bins, 2, 1000, "N", "bins of a histogram; default 40"}, \
	{0, "log-counts", OPT_FLAG, &o.log_counts, 0, 0, NULL, \
		"a logarithmic axis of counts in a histogram"}, \
	{0, "upto", OPT_REAL, &o.upto, 1, 100, "PERCENT", \
		"show the largest groups that make up this share; default 98, of dashes 90"}, \
	{0, "rank", OPT_CALL, NULL, 0, 0, "A-B", \
		"hulls: only groups of these ranks by their total: 1-10, or 31-", call_rank}, \
	{0, "having", OPT_LIST, &o.having, 0, 0, "CONDITIONS", \
		"only groups whose figures match: 'memory:p95>5GB'", .add = xlist_append}, \
	{'B', "binary", OPT_FLAG, &o.binary, 0, 0, NULL, "show bytes in KiB, MiB, GiB"}, \
	{0, "title", OPT_STRING, &o.title, 0, 0, "TEXT", "title of the figure"}, \
	{0, "subtitle", OPT_STRING, &o.subtitle, 0, 0, "TEXT", "text below the title"}, \
	{0, "note", OPT_LIST, &o.notes, 0, 0, "TEXT", \
		"text below the title; may be repeated", .add = xlist_append}, \
	{'W', "width", OPT_STRING, &o.width, 0, 0, "WIDTH", \
		"single (89 mm), double (183 mm, default) or 120mm"}, \
	{0, "id", OPT_STRING, &o.id, 0, 0, "NAME", \
		"prefix of the SVG's ids; default FILE's name"}, \
	{'o', "output", OPT_CALL, NULL, 0, 0, "FILE", \
		"write to FILE.svg, .png, .pdf, .html or .json; may be repeated; default stdout", \
		call_output}

static const struct opt figure_opts[] = {
	FIGURE_OPTIONS,
	{'w', "where", OPT_CALL, NULL, 0, 0, "CONDITIONS", "only rows that match all", call_where},
	{0},
};
static const struct opt opts[] = {
	FIGURE_OPTIONS,
	{'F', "figures", OPT_STRING, &figures_path, 0, 0, "FILE",
		"draw all figures of FILE: records with the options above as members"},
	{'f', "format", OPT_STRING, &format, 0, 0, "FORMAT",
		"svg, png, pdf, html or spec; default by FILE's extension, else svg"},
	{0, "efficiency", OPT_CALL, NULL, 0, 0, "CPU/TIME",
		"the ratio in percent, as cpu_efficiency_pct", xderive_efficiency},
	TABLE_OPTIONS,
	{0},
};
#define SYNOPSIS "--kind KIND|--figures FILE [options] [FILE|FOLDER...]"
static const struct opt_usage usage = {"metricplot", SYNOPSIS,
	"Draws figures of records and tables.", opts};
static const struct opt_usage figure_usage = {"metricplot", SYNOPSIS,
	"Draws figures of records and tables.", figure_opts};

static struct figure_plan *plans;
static size_t n_plans;

static void
choose_kind(struct figure_plan *f)
{
	if (!f->o.kind)
		opt_die(&usage, "--kind is required; --kind help lists the kinds");
	if (strcmp(f->o.kind, "help") == 0) {
		plot_kind_list();
		xoutput_close();
		exit(ST_OK);
	}
	f->kind = xplot_kind(f->o.kind);
	if (!f->kind)
		opt_die(&usage, "unknown kind '%s'; --kind help lists the kinds", f->o.kind);
}

/* By --format or the name; NULL: standard output. */
static enum figure_format
xformat(const char *output)
{
	const char *dot = output ? strrchr(output, '.') : NULL;
	const char *word = format ? format : !output ? "svg" : dot ? dot + 1 : "";
	enum figure_format as = figure_format_of(word);
	bool binary = as == FIGURE_PNG || as == FIGURE_PDF;
	if (as == FIGURE_FORMATS && format)
		opt_die(&usage, "unknown format '%s'", format);
	if (as == FIGURE_FORMATS)
		opt_die(&usage, "unknown format of '%s': use --format", output);
	if (binary && !output && isatty(STDOUT_FILENO))
		opt_die(&usage, "refusing to write %s to a terminal (use --output FILE)", word);
	return as;
}

static void
choose_files(struct figure_plan *f)
{
	f->n_files = o.outputs.n ? o.outputs.n : 1;
	f->files = xmalloc(f->n_files * sizeof *f->files);
	for (size_t i = 0; i < f->n_files; i++) {
		const char *path = o.outputs.n ? o.outputs.v[i] : NULL;
		f->files[i] = (struct figure_file){path, xformat(path)};
		f->is_drawn |= f->files[i].as != FIGURE_SPEC;
		f->wants_tips |= f->files[i].as == FIGURE_HTML || f->files[i].as == FIGURE_SPEC;
	}
}

static double
width_px(const char *word)
{
	char *end;
	bool single = strcmp(word, "single") == 0, named = single || strcmp(word, "double") == 0;
	double mm = single ? SINGLE_MM : named ? DOUBLE_MM : strtod(word, &end);
	if (!named && (end == word || strcmp(end, "mm") != 0 || !(mm >= MIN_MM && mm <= MAX_MM)))
		opt_die(&usage, "width must be single, double, or %d to %dmm, not '%s'", MIN_MM,
		    MAX_MM, word);
	return round(mm / MM_PER_INCH * PX_PER_INCH);
}

/* Dies if the options are not for this kind of figure. */
static void
xcheck_options(const struct figure_plan *f)
{
	static const char required[] = "required";
	const char *kind = plot_kind_text(f->kind, "kind", NULL);
	for (const struct opt *option = figure_opts + 1; option->name; option++) {
		const char *use = plot_kind_text(f->kind, "options", option->name);
		bool given = opt_given(option->name);
		if (!given && use && strncmp(use, required, strlen(required)) == 0)
			opt_die(&usage, "%s requires --%s%s", kind, option->name, use +
			    strlen(required));
		if (given && !use)
			opt_die(&usage, "--%s is not for %s", option->name, kind);
	}
	if (opt_given("sort") && !f->o.sort && (f->o.rank_to || plot_kind_is(f->kind, "groups",
	    "always")))
		opt_die(&usage, "--sort name has no effect on %s", f->o.rank_to ? "--rank" : kind);
	if (f->against.n > 1 && !plot_kind_is(f->kind, "against", "numbers"))
		opt_die(&usage, "%s allows only one column --against", kind);
}

/* ---- measures and columns --------------------------------------------------------------- */

static void
choose_measures(struct figure_plan *f)
{
	const char *kind = plot_kind_text(f->kind, "kind", NULL);
	const char *fixed = plot_kind_text(f->kind, "columns", NULL);
	const json_t *bounds = json_object_get(f->kind, "of");
	size_t least = (size_t)json_number_value(json_array_get(bounds, 0));
	size_t most = (size_t)json_number_value(json_array_get(bounds, 1));
	struct list words = {0};
	if (fixed)
		xlist_split(&words, fixed, "columns");
	f->n_fixed = words.n;
	if (f->o.of)
		xlist_split(&words, f->o.of, "--of");
	if (words.n < f->n_fixed + least)
		opt_die(&usage, "%s requires --of with %zu measure%s", kind, least,
		    text_plural(least));
	if (words.n > f->n_fixed + most || words.n > MAX_MEASURES)
		opt_die(&usage, "%s allows at most %zu measure%s", kind, most, text_plural(most));
	f->n_params = plot_kind_is(f->kind, "against", "numbers") ? f->against.n : 0;
	f->of = xmalloc((words.n + f->n_params) * sizeof *f->of);
	for (; f->n_of < words.n; f->n_of++)
		f->of[f->n_of] = xplot_measure(words.v[f->n_of], f->kind, &usage);
	for (size_t i = 0; i < f->n_params; i++)
		f->of[f->n_of++] = (struct measure){.name = f->against.v[i], .stat = "mean",
		    .unit = unit_of(f->against.v[i])};
	for (size_t i = 0; i < f->n_of; i++)
		f->of[i].binary = o.binary;
}

/* Of bars it is a measure, whose bars have the colours of its classes. */
static size_t
xcoloured(const struct figure_plan *f)
{
	for (size_t i = 0; i < f->n_of; i++)
		if (f->of[i].word && strcmp(f->of[i].word, f->categories.column) == 0)
			return i;
	opt_die(&usage, "%s has no measure '%s' for --category", plot_kind_text(f->kind, "kind",
	    NULL), f->categories.column);
}

static void
choose_categories(struct figure_plan *f)
{
	f->coloured = f->n_of;
	if (!f->o.category)
		return;
	xbins(&f->categories, f->o.category);
	if (plot_kind_text(f->kind, "key", NULL)) {
		xbins_limits(&f->categories);
		table_options_need(f->categories.column, KEEP_NUMBER);
	} else {
		f->coloured = xcoloured(f);
		xbins_limits_in(&f->categories, &f->of[f->coloured].unit);
	}
	for (size_t i = 0; i < f->categories.n; i++) {
		struct range_bin *b = &f->categories.v[i];
		if (b->limit)
			b->name = xasprintf("%s (%s %s)", b->name, b->below ? "<" : "≤", b->limit);
	}
}

static void
choose_columns(struct figure_plan *f)
{
	const char *by = f->o.by ? f->o.by : plot_kind_text(f->kind, "defaults", "by");
	const char *against = f->o.against ? f->o.against : plot_kind_text(f->kind, "defaults",
	    "against");
	enum keep keep = plot_kind_is(f->kind, "against", "numbers") ? KEEP_NUMBER :
	    plot_kind_is(f->kind, "against", "words") ? KEEP_WORD : KEEP_GUESS;
	if (by && *by)
		xlist_split(&f->by, by, "--by");
	if (against)
		xlist_split(&f->against, against, "--against");
	for (size_t i = 0; i < f->o.having.n; i++)
		xconditions_add(&f->having, f->o.having.v[i]);
	for (size_t i = 0; i < f->having.n; i++) {
		const char *name = f->having.list[i].name, *colon = strrchr(name, ':');
		list_add(&f->having_columns, name, colon ? (size_t)(colon - name) : strlen(name));
		table_options_need(f->having_columns.v[i], KEEP_NUMBER);
	}
	derive_names(&f->by, true);
	for (size_t i = 0; i < f->by.n; i++)
		table_options_need(f->by.v[i], KEEP_WORD);
	for (size_t i = 0; i < f->against.n; i++)
		table_options_need(f->against.v[i], keep);
	for (size_t i = 0; i < f->o.where.n; i++)
		table_options_need(f->o.where.list[i].name, KEEP_GUESS);
}

/* Adds a figure with the options that were parsed. */
static void
plan_figure(void)
{
	plans = xrealloc(plans, (n_plans + 1) * sizeof(*plans));
	struct figure_plan *f = &plans[n_plans++];
	*f = (struct figure_plan){.o = o, .is_one_of_several = figures_path != NULL};
	choose_kind(f);
	choose_files(f);
	choose_columns(f);
	choose_measures(f);
	xcheck_options(f);
	choose_categories(f);
	const char *percentiles = f->o.percentiles ? f->o.percentiles :
	    plot_kind_text(f->kind, "defaults", "percentiles");
	if (percentiles && *percentiles)
		xstat_percentiles(&f->percentiles, percentiles);
	if (!f->o.bins)
		f->o.bins = (long)plot_kind_number(f->kind, "defaults", "bins");
	f->width = width_px(o.width);
	const char *use = plot_kind_text(f->kind, "options", "upto");
	f->by_share = f->o.rank_to || (f->o.upto > 0 && strcmp(use, "groups") == 0);
	if (!(f->o.upto > 0))
		f->o.upto = plot_kind_number(f->kind, "defaults", "upto");
	if (!table_options.n_want)
		opt_die(&usage, "no columns: --by is required");
}

/* ---- figures from records ---------------------------------------------------------------- */

/* Adds a member as "--key=value", or as a flag. */
static void
add_option(struct list *argv, const char *key, const json_t *value)
{
	char *text = json_text_of(value), *option = json_is_true(value) ? xasprintf("--%s", key) :
	    xasprintf("--%s=%s", key, json_is_string(value) ? json_string_value(value) : text);
	if (!json_is_false(value) && !json_is_null(value))
		list_add(argv, option, strlen(option));
	free(option);
	free(text);
}

static void
plan_record(const json_t *record)
{
	struct list argv = {0};
	const char *key;
	json_t *v;
	list_add(&argv, usage.name, strlen(usage.name));
	json_object_foreach((json_t *)record, key, v) {
		size_t n = json_is_array(v) ? json_array_size(v) : 1;
		for (size_t i = 0; i < n && strcmp(key, "type") != 0; i++)
			add_option(&argv, key, json_is_array(v) ? json_array_get(v, i) : v);
	}
	o = defaults;
	opt_parse((int)argv.n, argv.v, &figure_usage);	/* its words are the options' values */
	if (!o.outputs.n)
		opt_die(&usage, "a figure of '%s' has no output", figures_path);
	plan_figure();
}

static void
plan_line(struct scan *unused, const struct lines *in, const char *line, size_t n)
{
	(void)unused;
	json_t *record = xlines_parse(in, line, n);
	if (strcmp(lines_record_type(record), "figure") == 0)
		plan_record(record);
	json_decref(record);
}

struct figure_plan *
xplot_plan(int argc, char **argv, int *first, size_t *n)
{
	o = defaults;
	*first = opt_parse(argc, argv, &usage);
	for (const struct opt *option = figure_opts; figures_path && option->name; option++)
		if (opt_given(option->name) && strcmp(option->name, "where") != 0)
			opt_die(&usage, "--%s has no effect with --figures, whose records have it "
			    "as a member", option->name);
	if (figures_path)
		xscan_files((char *[]){(char *)figures_path, NULL}, plan_line);
	else
		plan_figure();
	if (!n_plans)
		die(ST_INPUT, "%s: no record of type figure", figures_path);
	*n = n_plans;
	return plans;
}
