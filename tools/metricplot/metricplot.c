/* metricplot: a figure of records or tables, as SVG, PNG, PDF or HTML.
 * Reads records, CSV or Parquet; gnuplot draws.  One look for all figures, at the
 * widths of a journal's columns, legible in grey and to the colour-blind. */
#include "base/atomic_file.h"
#include "plot_kind.h"
#include "table/table_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SINGLE_MM = 89, DOUBLE_MM = 183, LEAST_MM = 60, MOST_MM = 1000 };

static const char *kind_word, *by_list, *of_list, *against_list, *category_spec, *percentile_list = "5,50,95";
static const char *title, *subtitle, *width_word = "double", *output, *format, *log_word = "auto", *sort_word, *type, *path_pattern, *id;
static long top = 60, bins = 40;
static double upto = 98;
static bool binary;
static struct list excluded, missing, notes;
static struct derived *derived;

static void call_where(const char *v) { xderive_where(derived, v); }
static void call_derive(const char *v) { xderive_expr(derived, v); }
static void call_cohort(const char *v) { xderive_cohort(derived, v); }
static void call_exclude(const char *v) { list_add(&excluded, v, strlen(v)); }
static void call_missing(const char *v) { list_add(&missing, v, strlen(v)); }
static void call_note(const char *v) { list_add(&notes, v, strlen(v)); }

static const struct opt opts[] = {
	{'k', "kind", OPT_STRING, &kind_word, 0, 0, "KIND", "which figure; --kind help lists them"},
	{'b', "by", OPT_STRING, &by_list, 0, 0, "COLUMNS", "a group for each of their values: step,task"},
	{0, "of", OPT_STRING, &of_list, 0, 0, "MEASURES", "COLUMN, COLUMN:STATISTIC, COLUMN/COLUMN or count"},
	{'a', "against", OPT_STRING, &against_list, 0, 0, "COLUMNS", "parameters of sweep and heatmap; ab's label"},
	{'c', "category", OPT_STRING, &category_spec, 0, 0, "LIMITS", "memory:small<=5GB,medium<=20GB,high"},
	{'P', "percentiles", OPT_STRING, &percentile_list, 0, 0, "LIST", "marked in a histogram; default 5,50,95"},
	{'w', "where", OPT_CALL, NULL, 0, 0, "CONDITIONS", "rows that meet them all: 'task=isr run<=4'", call_where},
	{'d', "derive", OPT_CALL, NULL, 0, 0, "NAME=EXPR", "a new column: 'wait=run_time-cpu_time'", call_derive},
	{'C', "cohort", OPT_CALL, NULL, 0, 0, "[NAME:]CONDITIONS", "rows that meet them are a group", call_cohort},
	{'u', "unit", OPT_CALL, NULL, 0, 0, "COLUMN=UNIT", "the unit of a column whose name has none", xcolumn_units},
	{0, "log", OPT_STRING, &log_word, 0, 0, "WORD", "logarithmic axes: auto, yes or no"},
	{'S', "sort", OPT_STRING, &sort_word, 0, 0, "WORD", "groups by name (default) or value"},
	{'n', "top", OPT_INT, &top, 1, 10000, "N", "groups shown, the largest; default 60"},
	{0, "bins", OPT_INT, &bins, 2, 1000, "N", "of a histogram; default 40"},
	{0, "upto", OPT_REAL, &upto, 1, 100, "PERCENT", "of all, that the largest make; default 98"},
	{'B', "binary", OPT_FLAG, &binary, 0, 0, NULL, "show bytes in KiB, MiB, GiB"},
	{0, "title", OPT_STRING, &title, 0, 0, "TEXT", "above the figure"},
	{0, "subtitle", OPT_STRING, &subtitle, 0, 0, "TEXT", "below the title"},
	{0, "note", OPT_CALL, NULL, 0, 0, "TEXT", "below the figure; again: another line", call_note},
	{'W', "width", OPT_STRING, &width_word, 0, 0, "WIDTH", "single (89 mm), double (183 mm, default) or 120mm"},
	{'o', "output", OPT_STRING, &output, 0, 0, "FILE", "its ending says svg, png, pdf or html; default stdout"},
	{'f', "format", OPT_STRING, &format, 0, 0, "FORMAT", "svg, png, pdf or html; default FILE's ending, else svg"},
	{'i', "id", OPT_STRING, &id, 0, 0, "NAME", "what the SVG's ids begin with; default FILE's name"},
	{'t', "type", OPT_STRING, &type, 0, 0, "TYPE", "records of this type only"},
	{'p', "path", OPT_STRING, &path_pattern, 0, 0, "PATTERN", "columns from folders: 'step_{step}/{task}_usage/'"},
	{'x', "exclude", OPT_CALL, NULL, 0, 0, "GLOB", "leave files of such a name or path out", call_exclude},
	{'M', "missing", OPT_CALL, NULL, 0, 0, "[COLUMN=]VALUE", "what means that there is no value: -1", call_missing},
	{0},
};
static const struct opt_usage usage = {"metricplot", "--kind KIND [options] [FILE|FOLDER...]",
	"Draws records and tables, for papers and pages.", opts};

static struct plotting p;
static struct table table;
static struct table_want *wanted;
static size_t n_wanted;

/* ---- options --------------------------------------------------------------------------- */

/* Numbers win over words, words over what may be either. */
static void
want(const char *name, enum keep keep)
{
	static const int rank[] = {[KEEP_NUMBER] = 3, [KEEP_WORD] = 2, [KEEP_GUESS] = 1};
	if (derive_makes(derived, name))
		return;
	for (size_t i = 0; i < n_wanted; i++)
		if (strcmp(wanted[i].name, name) == 0) {
			if (rank[keep] > rank[wanted[i].keep])
				wanted[i].keep = keep;
			return;
		}
	wanted = xrealloc(wanted, (n_wanted + 1) * sizeof(*wanted));
	wanted[n_wanted++] = (struct table_want){name, keep};
}

static void
list_kinds(void)
{
	for (size_t i = 0; i < n_kinds; i++)
		printf("%-11s %s\n", kinds[i].name, kinds[i].about);
	xoutput_close();
	exit(ST_OK);
}

static void
choose_kind(void)
{
	if (!kind_word)
		opt_die(&usage, "which kind of figure? say --kind, or --kind help");
	if (strcmp(kind_word, "help") == 0)
		list_kinds();
	for (size_t i = 0; i < n_kinds; i++)
		if (strcmp(kinds[i].name, kind_word) == 0)
			p.kind = &kinds[i];
	if (!p.kind)
		opt_die(&usage, "no kind '%s'; --kind help lists them", kind_word);
}

static enum picture
picture(void)
{
	static const char *const words[] = {"svg", "png", "pdf", "html"};
	const char *dot = output ? strrchr(output, '.') : NULL, *word = format ? format : output ? dot ? dot + 1 : "" : "svg";
	for (size_t i = 0; i < COUNT(words); i++)
		if (strcasecmp(word, words[i]) == 0) {
			if (i != PICTURE_SVG && i != PICTURE_HTML && !output && isatty(STDOUT_FILENO))
				opt_die(&usage, "a %s is nothing for a terminal; say --output FILE", word);
			return (enum picture)i;
		}
	opt_die(&usage, format ? "no format '%s'" : "what '%s' shall be is not in its ending; say --format", format ? format : output);
}

static double
width_px(void)
{
	char *end;
	double mm = strcmp(width_word, "single") == 0 ? SINGLE_MM : strcmp(width_word, "double") == 0 ? DOUBLE_MM : strtod(width_word, &end);
	bool named = strcmp(width_word, "single") == 0 || strcmp(width_word, "double") == 0;
	if (!named && (end == width_word || strcmp(end, "mm") != 0 || !(mm >= LEAST_MM && mm <= MOST_MM)))
		opt_die(&usage, "no width '%s': single, double, or %d to %dmm", width_word, LEAST_MM, MOST_MM);
	return round(mm / MM_PER_INCH * PX_PER_INCH);
}

static void
take_words(void)
{
	p.log = strcmp(log_word, "auto") == 0 ? LOG_AUTO : strcmp(log_word, "yes") == 0 ? LOG_YES : LOG_NO;
	if (p.log == LOG_NO && strcmp(log_word, "no") != 0)
		opt_die(&usage, "--log is auto, yes or no, not '%s'", log_word);
	if (sort_word && strcmp(sort_word, "name") != 0 && strcmp(sort_word, "value") != 0)
		opt_die(&usage, "--sort is name or value, not '%s'", sort_word);
	p.by_value = sort_word && strcmp(sort_word, "value") == 0;
	p.most = (size_t)top;
	p.bins = (size_t)bins;
	p.upto = upto;
	p.binary = binary;
}

/* ---- the table ---------------------------------------------------------------------------- */

static void
name_groups(size_t n_by)
{
	p.names = xmalloc((p.g.n + 1) * sizeof(*p.names));
	for (size_t g = 0; g < p.g.n; g++) {
		struct buf b = {0};
		for (size_t i = 0; i < n_by; i++) {
			char *key = table_group_key(&p.g, g, i);
			buf_addf(&b, "%s%s", i ? " / " : "", key ? key : "(none)");
			free(key);
		}
		p.names[g] = b.p ? b.p : xstrdup("all");
	}
}

/* What groups the rows, and what they are shown against: names of columns. */
static struct list by, against;

static void
choose_columns(void)
{
	bool by_cells = is_kind(&p, "waterfall") || is_kind(&p, "ab") || is_kind(&p, "sweep") || is_kind(&p, "heatmap"), sweep = is_kind(&p, "sweep");
	const char *by_words = by_list ? by_list : by_cells ? "cell_index" : "", *against_words = against_list ? against_list : is_kind(&p, "ab") ? "label" : NULL;
	if (*by_words)
		xlist_split(&by, by_words, "--by");
	if (against_words)
		xlist_split(&against, against_words, "--against");
	if (p.kind->against && !against.n)
		opt_die(&usage, "%s wants --against, the parameter%s", p.kind->name, sweep ? "s" : "");
	if (against.n > 1 && !sweep)
		opt_die(&usage, "%s takes one column --against", p.kind->name);
	derive_groups(derived, &by);
	for (size_t i = 0; i < by.n; i++)
		want(by.v[i], KEEP_WORD);
	for (size_t i = 0; i < against.n; i++)
		want(against.v[i], sweep ? KEEP_NUMBER : is_kind(&p, "ab") ? KEEP_WORD : KEEP_GUESS);
	for (size_t i = 0; is_kind(&p, "waterfall") && i < N_PHASES; i++)
		want(phase_columns[i], KEEP_NUMBER);
	derive_needs(derived, want);
	if (!n_wanted)
		opt_die(&usage, "nothing is asked for: say --by");
}

static struct column **
find_columns(const struct list *names, bool numbers)
{
	struct column **columns = xmalloc((names->n + 1) * sizeof *columns);
	for (size_t i = 0; i < names->n; i++)
		columns[i] = xtable_column(&table, names->v[i], numbers);
	return columns;
}

static void
xread(char **files)
{
	struct table_spec spec = {.want = wanted, .n_want = n_wanted, .type = type ? type : is_kind(&p, "waterfall") ? "cell_metrics" : NULL, .path_pattern = path_pattern,
		.exclude = (const char *const *)excluded.v, .missing = (const char *const *)missing.v};
	xtable_read(&table, files, &spec);
	bool *keep = xderive(derived, &table);
	struct column **by_columns = find_columns(&by, false);
	p.t = &table;
	p.against = find_columns(&against, is_kind(&p, "sweep"));
	p.n_against = against.n;
	for (size_t i = 0; i < p.n_of; i++) {
		p.of[i].column = p.of[i].stat == STAT_COUNT ? NULL : xtable_column(&table, p.of[i].name, true);
		p.of[i].divisor = p.of[i].over ? xtable_column(&table, p.of[i].over, true) : NULL;
	}
	for (size_t i = 0; is_kind(&p, "waterfall") && i < N_PHASES; i++)
		p.phases[i] = xtable_column(&table, phase_columns[i], true);
	p.category_column = category_spec ? xtable_column(&table, p.categories.column, true) : NULL;
	struct buf names = {0};
	for (size_t i = 0; i < by.n; i++)
		buf_addf(&names, "%s%s", i ? " / " : "", by.v[i]);
	p.by_title = by.n ? names.p : "";
	table_group_make(&p.g, &table, by_columns, by.n, keep);
	free(keep);
	name_groups(by.n);
}

/* ---- the figure ------------------------------------------------------------------------------ */

/* An id that any page takes: letters, digits, '-' and '_', a letter first. */
static char *
id_of(void)
{
	const char *slash = output ? strrchr(output, '/') : NULL, *from = id ? id : output ? slash ? slash + 1 : output : p.kind->name;
	const char *dot = id ? NULL : strrchr(from, '.');
	size_t n = dot && dot > from ? (size_t)(dot - from) : strlen(from);
	char *text = xasprintf("%s%.*s", (from[0] | 32) >= 'a' && (from[0] | 32) <= 'z' ? "" : "f", (int)n, from);
	for (char *c = text; *c; c++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", *c))
			*c = '-';
	return text;
}

static char *
about(void)
{
	struct buf b = {0};
	buf_addf(&b, "%s", p.kind->name);
	for (size_t i = 0; i < p.n_of; i++) {
		char *what = has_one_number(&p) ? measure_title(&p.of[i]) : unit_title(p.of[i].name);
		buf_addf(&b, "%s %s", i ? "," : " of", what);
		free(what);
	}
	if (*p.by_title)
		buf_addf(&b, " by %s", p.by_title);
	for (size_t i = 0; i < p.n_against; i++)
		buf_addf(&b, "%s %s", i ? "," : " against", p.against[i]->name);
	buf_addf(&b, ": %zu group%s, %zu rows", p.g.n, p.g.n == 1 ? "" : "s", p.g.n ? p.g.first[p.g.n] : 0);
	return b.p;
}

/* A sum or a median of a part is not one of all.  Hulls tell it themselves. */
static void
tell_missing(void)
{
	size_t rows = p.g.first[p.g.n];
	for (size_t k = 0; k < p.n_of && !is_kind(&p, "hulls"); k++) {
		const struct measure *m = &p.of[k];
		size_t without = 0;
		for (size_t i = 0; i < rows && m->column; i++)
			without += isnan(m->column->number[p.g.rows[i]]) || (m->divisor && isnan(m->divisor->number[p.g.rows[i]]));
		if (!without)
			continue;
		char *name = unit_title(m->name), *over = m->over ? unit_title(m->over) : NULL;
		figure_note(p.f, "%zu of %zu rows %s no %s%s%s.", without, rows, without == 1 ? "has" : "have", name, over ? ", or no " : "", over ? over : "");
		free(name);
		free(over);
	}
}

int
main(int argc, char **argv)
{
	derived = derive_new();
	int first = opt_parse(argc, argv, &usage);
	choose_kind();
	enum picture as = picture();
	take_words();
	struct asked asked = {&usage, want};
	xmeasures(&p, &asked, of_list);
	xcategories(&p, &asked, category_spec);
	if (*percentile_list)
		xstat_percentiles(&p.percentiles, percentile_list);
	p.f = figure_new(width_px());
	choose_columns();
	xread(argv + first);
	p.f->title = title ? xstrdup(title) : NULL;
	p.f->subtitle = subtitle ? xstrdup(subtitle) : NULL;
	p.f->id = id_of();
	p.f->about = about();
	p.f->wants_tips = as == PICTURE_HTML;
	if (!table.n_rows || !p.g.n)
		die_nothing(&p);
	p.top = figure_head(p.f);
	for (size_t i = 0; i < notes.n; i++)
		figure_note(p.f, "%s", notes.v[i]);
	tell_missing();
	p.kind->draw(&p);
	struct buf b = {0};
	xdraw_figure(&b, p.f, as);
	xatomic_file_put_buf(output, &b);
	buf_free(&b);
	figure_free(p.f);
	xoutput_close();
	return ST_OK;
}
