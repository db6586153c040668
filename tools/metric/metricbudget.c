/* metricbudget: absolute limits.
 * Reads a budget file (YAML or JSON) and metrics; writes each cell's value and its limit, the
 * closest to the limit first.  Status 0: all within; 1: one is over; 6: one is unknown. */
#include "base/clock.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "json/json_file.h"
#include "json/json_value.h"
#include "json/json_write.h"
#include "metric/metric_column.h"
#include "metric/metric_text.h"
#include "stats/sample.h"
#include "table/table_metrics.h"
#include "text/text.h"
#include "text/amount.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { NAME_COLUMNS = 44, OTHER_COLUMNS = 52, MIN_COLUMNS = 80, MAX_COLUMNS = 200, MAX_ROWS = 40 };

static const char *verdict_to;
static bool all;
static int format = -1;
static const struct opt opts[] = {
	{'f', "format", OPT_CHOICE, &format, 0, 0, "NAME", "table (default on a terminal) or json",
		.words = OPT_TABLE_OR_RECORDS},
	{'a', "all", OPT_FLAG, &all, 0, 0, NULL, "show every limit, however many there are"},
	{0, "verdict", OPT_STRING, &verdict_to, 0, 0, "FILE", "write the verdict to FILE as JSON"},
	{0},
};
static const struct opt_usage usage = {"metricbudget", "[options] BUDGETS [FILE...]",
	"Checks metrics against absolute limits: within (0), over (1), unknown (6).", opts};

enum budget_statistic { MEDIAN, MAXIMUM, MINIMUM };
static const char *const statistics[] = {"median", "max", "min"};
struct limit {
	/* Patterns; cell NULL: the whole notebook; interaction NULL: cells themselves. */
	const char *notebook, *cell, *interaction;
	const char *column;
	enum budget_statistic of;
	double bound;	/* the least value if more is better, else the largest */
	size_t rule;	/* its number, from 1 */
	bool matched;
};
static struct limit *limits;
static size_t n_limits;
static struct list metrics;
static struct results measured;

/* ---- the budget file ----------------------------------------------------------------- */

static const char *
text_member(const struct source *s, const json_t *rule, const char *key, const char *otherwise)
{
	json_t *v = json_object_get(rule, key);
	if (!v)
		return otherwise;
	if (json_is_integer(v))
		return xasprintf("%" JSON_INTEGER_FORMAT, json_integer_value(v));
	if (!json_is_string(v))
		source_die_at(s, rule, 0, "'%s' must be a string", key);
	return json_string_value(v);
}

static double
limit_value(const struct source *s, const json_t *rule, size_t member, const char *column,
    const json_t *v)
{
	struct unit unit = metric_unit_of(column);
	double x = NAN;
	if (json_is_number(v))
		return json_number_value(v);
	if (!json_is_string(v) || amount_read(json_string_value(v), &unit, &x) != 0)
		source_die_at(s, rule, member, *unit.symbol ?
		    "the limit of '%s' must be a number, with a unit of its kind or in %s" :
		    "the unit of '%s' is unknown (see nbscope-metrics(7)): its limit must be a "
		    "plain number", column, unit.symbol);
	return x;
}

static void
read_rule(const struct source *s, const json_t *rule, size_t number)
{
	static const char *const words[] =
	    {"notebook", "cell", "interaction", "whole", "statistic"};
	struct limit l = {.notebook = text_member(s, rule, "notebook", "*"), .rule = number,
		.interaction = text_member(s, rule, "interaction", NULL)};
	const char *of = text_member(s, rule, "statistic", "median"), *key;
	size_t member = 0, before = n_limits;
	json_t *v;
	l.cell = json_is_true(json_object_get(rule, "whole")) ? NULL :
	    text_member(s, rule, "cell", "*");
	while (l.of < COUNT(statistics) && strcmp(statistics[l.of], of))
		l.of++;
	if (l.of == COUNT(statistics))
		source_die_at(s, rule, 0, "'statistic' must be median, max or min, not '%s'", of);
	json_object_foreach((json_t *)(uintptr_t)rule, key, v) {
		size_t i = 0;
		while (i < COUNT(words) && strcmp(words[i], key) != 0)
			i++;
		if (!*key)
			source_die_at(s, rule, member, "the name of a metric is empty");
		if (i == COUNT(words)) {
			l.column = metric_name(key);
			l.bound = limit_value(s, rule, member, l.column, v);
			limits = xgrow(limits, n_limits, sizeof *limits);
			limits[n_limits++] = l;
			if (!list_has(&metrics, l.column))
				list_add(&metrics, l.column, strlen(l.column));
		}
		member++;
	}
	if (n_limits == before)
		source_die_at(s, rule, 0, "the rule has no limit, such as 'client: 2 s'");
}

static void
read_budgets(const char *path)
{
	static struct source s;
	json_t *rule, *list;
	size_t i;
	xjson_file_load(&s, path);
	list = json_is_object(s.root) ? json_object_get(s.root, "budgets") : s.root;
	if (!json_is_array(list) || !json_array_size(list))
		die(ST_INPUT, "%s:1:1: the budget must be a list of rules", path);
	json_array_foreach(list, i, rule) {
		if (!json_is_object(rule))
			source_die_at(&s, list, i,
			    "a rule must be a mapping, such as '{cell: imports, client: 2 s}'");
		read_rule(&s, rule, i + 1);
	}
	xresults_start(&measured, &metrics, "");
	measured.whole = true;
}

/* ---- values ------------------------------------------------------------------------ */

enum budget_result { WITHIN, OVER, UNKNOWN, BUDGET_RESULTS };
static const char *const result_words[] =
    {[WITHIN] = "within", [OVER] = "over", [UNKNOWN] = "unknown"};

struct budget_check {
	const struct limit *limit;
	const struct result_cell *cell;	/* NULL: no cell matches the rule */
	const char *label;
	double value, share;
	size_t runs;
	enum budget_result result;
	const char *reason;
};
static struct budget_check *checks;
static size_t n_checks, count[BUDGET_RESULTS];

static bool
matches(const struct limit *l, const struct result_cell *c)
{
	if (fnmatch(l->notebook, c->name, 0) != 0 || (c->index == 0) != (l->cell == NULL) ||
	    !c->interaction != !l->interaction)
		return false;
	if (!l->cell || (l->interaction && fnmatch(l->interaction, c->interaction, 0) != 0))
		return !l->cell;
	char *index = xasprintf("%ld", c->index);
	bool is = fnmatch(l->cell, index, 0) == 0 || (c->id && fnmatch(l->cell, c->id, 0) == 0) ||
	    (c->line && fnmatch(l->cell, c->line, 0) == 0);
	free(index);
	return is;
}

static void
append_check(struct budget_check h)
{
	count[h.result]++;
	checks = xgrow(checks, n_checks, sizeof *checks);
	checks[n_checks++] = h;
}

static void
check_cell(struct limit *l, const struct result_cell *c, size_t label)
{
	const struct cell_results *of = results_of(c, label);
	size_t metric = 0;
	while (strcmp(measured.metric[metric], l->column))
		metric++;
	if (!of)
		return;
	struct result_values *v = &of->metric[metric];
	v->n = sample_sort(v->v, v->n);
	struct budget_check h = {.limit = l, .cell = c, .label = measured.label[label].name,
	    .value = NAN, .share = NAN, .runs = v->n, .result = UNKNOWN};
	if (v->n) {
		h.value = l->of == MAXIMUM ? v->v[v->n - 1] : l->of == MINIMUM ? v->v[0] :
		    sample_median(v->v, v->n);
		bool least = metric_more_is_better(l->column);
		bool over = least ? h.value < l->bound : h.value > l->bound;
		h.share = least ? l->bound / h.value : h.value / l->bound;
		h.result = over ? OVER : of->failed ? UNKNOWN : WITHIN;
		if (of->failed && !over)
			h.reason = xasprintf("it did not complete in %zu of %zu runs", of->failed,
			    of->runs);
		else if (over && least)
			h.reason = "it must be at least that";
	} else if (of->failed) {
		h.reason = "it did not complete";
	} else if (!fnmatch("*[*?[]*", l->cell ? l->cell : "*", 0)) {
		return;	/* a pattern may match cells that are not profiled */
	} else {
		h.reason = "it has no value";
	}
	l->matched = true;
	append_check(h);
}

static int
closest_first(const void *a, const void *b)
{
	const struct budget_check *x = a, *y = b;
	double of_x = isnan(x->share) ? (double)INFINITY : x->share,
	       of_y = isnan(y->share) ? (double)INFINITY : y->share;
	return (of_x < of_y) - (of_x > of_y);
}

static void
check_all(void)
{
	for (size_t i = 0; i < n_limits; i++) {
		for (size_t k = 0; k < measured.cells; k++)
			for (size_t l = 0; matches(&limits[i], &measured.cell[k]) &&
			    l < measured.labels; l++)
				check_cell(&limits[i], &measured.cell[k], l);
		if (!limits[i].matched)
			append_check((struct budget_check){.limit = &limits[i], .label = "",
			    .value = NAN, .share = NAN,
			    .result = UNKNOWN, .reason =
			    "no cell with a value matches the rule"});
	}
	qsort(checks, n_checks, sizeof *checks, closest_first);
}

/* ---- output ------------------------------------------------------------------------ */

static char *
name_of(const struct budget_check *h)
{
	return h->cell ? metric_text_cell(&measured, h->cell) :
	    xasprintf("rule %zu (%s %s%s%s)", h->limit->rule, h->limit->notebook,
	    h->limit->cell ? h->limit->cell : "whole", h->limit->interaction ? ", " : "",
	    h->limit->interaction ? h->limit->interaction : "");
}

/* As wide as the longest name, if the terminal is. */
static size_t
name_columns(void)
{
	size_t left = text_terminal_columns(STDOUT_FILENO, NAME_COLUMNS + OTHER_COLUMNS,
	    MIN_COLUMNS, MAX_COLUMNS) - OTHER_COLUMNS, longest = NAME_COLUMNS;
	for (size_t i = 0; i < n_checks; i++) {
		char *name = name_of(&checks[i]);
		size_t wide = text_columns(name);
		longest = wide > longest ? wide : longest;
		free(name);
	}
	return longest < left ? longest : left;
}

static enum style
style_of(enum budget_result result)
{
	return result == OVER ? STYLE_BAD : result == UNKNOWN ? STYLE_DOUBT : STYLE_GOOD;
}

static void
put_check_row(const struct budget_check *h, size_t columns)
{
	struct buf b = {0};
	char *name = name_of(h);
	struct unit_text value = metric_text_value(h->value, h->limit->column),
	    limit = metric_text_value(h->limit->bound, h->limit->column);
	text_show_name(&b, name, columns);
	buf_addf(&b, "  %-14s %10s  of %10s  ", metric_title(h->limit->column), value.p, limit.p);
	xoutput_text(b.p, b.n);
	b.n = 0;
	buf_addf(&b, "%s%s%s", result_words[h->result], h->reason ? ": " : "",
	    h->reason ? h->reason : "");
	text_put_styled(h->result == WITHIN ? STYLE_NONE : style_of(h->result), b.p);
	buf_free(&b);
	free(name);
}

static enum budget_result
result_of_all(void)
{
	return count[OVER] ? OVER : count[UNKNOWN] ? UNKNOWN : WITHIN;
}

static char *
verdict_line(void)
{
	struct buf b = {0};
	const struct budget_check *h = checks;
	enum budget_result verdict = result_of_all();
	while (h < checks + n_checks && h->result != verdict)
		h++;
	if (verdict == WITHIN) {
		buf_addf(&b, "verdict: within budget: %zu limit%s", n_checks,
		    n_checks == 1 ? "" : "s");
		return b.p;
	}
	char *name = name_of(h);
	if (verdict == OVER)
		buf_addf(&b, "verdict: over budget: %s of %s %s, limit %s",
		    metric_title(h->limit->column), name,
		    metric_text_value(h->value, h->limit->column).p,
		    metric_text_value(h->limit->bound, h->limit->column).p);
	else
		buf_addf(&b, "verdict: cannot tell: %s of %s: %s", metric_title(h->limit->column),
		    name, h->reason);
	if (count[verdict] > 1)
		buf_addf(&b, " and %zu more", count[verdict] - 1);
	free(name);
	return b.p;
}

static void
put_record(const struct budget_check *h)
{
	json_t *r = json_pack(
	    "{s:s, s:s?, s:o, s:s?, s:s, s:s, s:s, s:o, s:f, s:o, s:I, s:s, s:s?, s:I, s:s*}",
	    "type", "budget", "name", h->cell ? h->cell->name : NULL,
	    "cell_index", json_value_above_0(h->cell ? h->cell->index : 0),
	    "cell_id", h->cell ? h->cell->id : NULL, "label", h->label, "metric", h->limit->column,
	    "statistic", statistics[h->limit->of], "value", json_value_real(h->value),
	    "limit", h->limit->bound, "share", json_value_real(h->share),
	    "runs", (json_int_t)h->runs, "result", result_words[h->result],
	    "reason", h->reason, "rule", (json_int_t)h->limit->rule,
	    "interaction", h->cell ? h->cell->interaction : NULL);
	xlines_write_new(r);
}

static json_t *
verdict_record(const char *line)
{
	return json_pack("{s:s, s:s, s:s, s:o, s:I, s:I, s:I}",
	    "type", "budget_verdict", "verdict", result_words[result_of_all()], "line", line,
	    "t", json_value_time(clock_unix_s()),
	    "limits", (json_int_t)n_checks, "over", (json_int_t)count[OVER],
	    "unknown", (json_int_t)count[UNKNOWN]);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (first >= argc)
		opt_die(&usage, "a budget file is required");
	bool table = opt_wants_table(format);
	read_budgets(argv[first]);
	signal(SIGINT, SIG_IGN);
	xtable_metrics_read(&measured, argv + first + 1, &(struct list){0});
	check_all();
	size_t columns = name_columns();
	for (size_t i = 0; i < n_checks; i++) {
		if (!table)
			put_record(&checks[i]);
		else if (all || i < MAX_ROWS)
			put_check_row(&checks[i], columns);
	}
	if (table && !all && n_checks > MAX_ROWS)
		printf("%zu more, further from their limits\n", n_checks - MAX_ROWS);
	char *line = verdict_line();
	if (table)
		text_put_styled(style_of(result_of_all()), line);
	else
		xjson_write_new(NULL, verdict_record(line));
	if (verdict_to)
		xjson_write_new(verdict_to, verdict_record(line));
	xoutput_close();
	return count[OVER] ? ST_DIFFERS : count[UNKNOWN] ? ST_UNKNOWN : ST_OK;
}
