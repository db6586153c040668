/* summary_check.c: compares a summary table from another tool with the rows. */
#include "summary_check.h"
#include "base/die.h"
#include "json/json_value.h"
#include "explain_mismatch.h"
#include "figure_definition.h"
#include "stat_record.h"
#include "table/table_bad.h"
#include "table/table_numbers.h"
#include "table/table_read.h"

enum { MAX_EXAMPLES = 5 };

struct summary_check {
	const struct stat_table *s;
	struct table t;		/* the summary */
	size_t *group;		/* for each of its rows; SIZE_MAX: none */
	const struct summary_source *from;
	json_t *records;
	struct summary_result *result;
	struct buf others;
};

/* "1", "01" and "1.0" are the same key. */
static void
add_key(struct buf *b, char *text)
{
	double x = text ? table_number(text, strlen(text)) : (double)NAN;
	if (text && !isnan(x))
		buf_addf(b, "%.17g\x1f", x);
	else
		buf_addf(b, "%s\x1f", text ? text : "");
	free(text);
}

static json_t *
index_of_groups(const struct stat_table *s)
{
	json_t *index = json_object();
	for (size_t g = 0; g < s->g.n; g++) {
		struct buf b = {0};
		buf_add(&b, "", 0);
		for (size_t i = 0; i < s->n_by; i++)
			add_key(&b, table_group_key(&s->g, g, i));
		json_object_set_new(index, b.p, json_integer((json_int_t)g));
		buf_free(&b);
	}
	return index;
}

static void
match_rows(struct summary_check *c)
{
	const struct stat_table *s = c->s;
	json_t *index = index_of_groups(s);
	c->group = xmalloc((c->t.n_rows + 1) * sizeof *c->group);
	for (size_t row = 0; row < c->t.n_rows; row++) {
		struct buf b = {0};
		buf_add(&b, "", 0);
		for (size_t i = 0; i < s->n_by; i++)
			add_key(&b, table_text(table_column(&c->t, s->by[i]->name), row));
		const json_t *g = json_object_get(index, b.p);
		c->group[row] = g ? (size_t)json_integer_value(g) : SIZE_MAX;
		buf_free(&b);
	}
	json_decref(index);
}

/* What a record says besides its verdict; NULL and NaN: nothing. */
struct check_finding {
	const char *column, *means;
	json_t *group;	/* taken over */
	const struct figure_pairs *pairs;	/* of a column as a whole */
	double theirs, ours;	/* of one group, if `group` is set */
	const char *explanation;
};

/* By how much the summary's figures are larger, in its unit; what the tolerance ignores is 0. */
static void
set_differences(json_t *record, const struct figure_pairs *p)
{
	struct descriptive d;
	double *v = xmalloc((p->n + 1) * sizeof *v);
	for (size_t i = 0; i < p->n; i++) {
		v[i] = p->theirs[i] - (isnan(p->ratio) ? 1 : p->ratio) * p->ours[i];
		v[i] = fabs(v[i]) <= p->tolerance * fabs(p->theirs[i]) ? 0 : v[i];
	}
	descriptive_of(&d, v, p->n);
	free(v);
	json_object_update_new(record, json_pack("{s:f, s:f, s:f}", "difference_min", d.min,
	    "difference_mean", d.mean, "difference_max", d.max));
}

static void
append_finding(struct summary_check *c, const char *verdict, struct check_finding f)
{
	const struct figure_pairs *p = f.pairs;
	json_t *record = json_pack(
	    "{s:s, s:s?, s:s?, s:s, s:o?, s:o, s:o, s:o, s:o, s:o, s:s?}", "type", "summary_check",
	    "summary_column", f.column, "means", f.means, "verdict", verdict, "group", f.group,
	    "groups", p ? json_integer((json_int_t)p->n) : json_null(),
	    "differ", p ? json_integer((json_int_t)p->differ) : json_null(),
	    "ratio", p ? json_value_real(p->ratio) : json_null(),
	    "theirs", json_value_real(f.means && f.group ? f.theirs : (double)NAN),
	    "ours", json_value_real(f.means && f.group ? f.ours : (double)NAN),
	    "explanation", f.explanation && *f.explanation ? f.explanation : NULL);
	if (p)
		set_differences(record, p);
	json_array_append_new(c->records, record);
}

/* Groups that only one side has. */
static void
add_missing_groups(struct summary_check *c)
{
	const struct stat_table *s = c->s;
	bool *seen = memset(xmalloc(s->g.n + 1), 0, s->g.n + 1);
	for (size_t row = 0; row < c->t.n_rows; row++) {
		if (c->group[row] != SIZE_MAX) {
			seen[c->group[row]] = true;
			continue;
		}
		json_t *key = json_object();
		for (size_t i = 0; i < s->n_by; i++) {
			char *text = table_text(table_column(&c->t, s->by[i]->name), row);
			json_object_set_new(key, s->by[i]->name, json_pack("s?", text));
			free(text);
		}
		append_finding(c, "only_in_summary", (struct check_finding){.group = key});
		c->result->differs = true;
	}
	for (size_t g = 0; g < s->g.n; g++) {
		if (seen[g])
			continue;
		append_finding(c, "only_in_rows",
		    (struct check_finding){.group = stat_record_group(s, g)});
		c->result->differs = true;
	}
	free(seen);
}

static void
add_examples(struct summary_check *c, const struct figure_pairs *p, const char *name,
    const char *means)
{
	size_t shown = 0;
	for (size_t i = 0; i < p->n && shown < MAX_EXAMPLES; i++) {
		double ours = p->ratio * p->ours[i];
		if (!p->wrong[i])
			continue;
		char *text = xasprintf("%.10g in the summary, %.10g from the rows",
		    p->theirs[i], ours);
		append_finding(c, "differs", (struct check_finding){name, means,
		    stat_record_group(c->s, p->group[i]), NULL, p->theirs[i], ours, text});
		free(text);
		shown++;
	}
}

static void
add_verdict(struct summary_check *c, struct figure_pairs *p, const char *name)
{
	static const char *const verdicts[] = {"same", "rounded", "explained", "differs"};
	char *means = summary_column_text(c->s, &p->column);
	explain_mismatch(p);
	append_finding(c, verdicts[p->verdict], (struct check_finding){name, means, .pairs = p,
	    .explanation = p->why});
	if (p->verdict == PAIRS_DIFFER)
		add_examples(c, p, name, means);
	c->result->differs |= p->verdict >= PAIRS_EXPLAINED;
	free(means);
	free(p->why);
}

/* A group of which only one side has this figure: a difference of its own. */
static void
append_one_sided(struct summary_check *c, const struct column *column,
    const struct statistic_of *m, size_t group, double theirs, double ours)
{
	char *means = summary_column_text(c->s, m);
	append_finding(c, "differs", (struct check_finding){column->name, means,
	    stat_record_group(c->s, group), NULL, theirs, ours, isnan(ours)
	    ? "only the summary has a value" : "only the rows have a value"});
	c->result->differs = true;
	free(means);
}

static void
note_not_compared(struct summary_check *c, const struct column *column)
{
	append_finding(c, "not_compared", (struct check_finding){column->name});
	if (!column->is_word)
		buf_addf(&c->others, "%s%s", c->others.n ? ", " : "", column->name);
}

static void
check_column(struct summary_check *c, const struct column *column)
{
	struct figure_pairs p = {.s = c->s, .column = xsummary_column(c->s, column->name,
	    c->from->map), .tolerance = c->from->tolerance};
	size_t before = json_array_size(c->records);
	c->result->figures += !column->is_word;
	if (p.column.of == SIZE_MAX || p.column.is == STATISTICS || column->is_word) {
		note_not_compared(c, column);
		return;
	}
	p.group = xmalloc((c->t.n_rows + 1) * sizeof *p.group);
	p.theirs = xmalloc((c->t.n_rows + 1) * sizeof *p.theirs);
	p.ours = xmalloc((c->t.n_rows + 1) * sizeof *p.ours);
	p.wrong = xmalloc((c->t.n_rows + 1) * sizeof *p.wrong);
	for (size_t row = 0; row < c->t.n_rows; row++) {
		if (c->group[row] == SIZE_MAX)
			continue;
		double ours = figure_definition_value(c->s, &p.column, p.column.is, c->group[row]),
		    theirs = column->number[row];
		if (isnan(ours) != isnan(theirs))
			append_one_sided(c, column, &p.column, c->group[row], theirs, ours);
		if (isnan(ours) || isnan(theirs))
			continue;
		p.group[p.n] = c->group[row];
		p.theirs[p.n] = theirs;
		p.ours[p.n++] = ours;
	}
	bool one_sided = json_array_size(c->records) > before;
	if (p.n)
		add_verdict(c, &p, column->name);
	c->result->compared += p.n || one_sided;
	if (!p.n && !one_sided)
		note_not_compared(c, column);
	free(p.group);
	free(p.theirs);
	free(p.ours);
	free(p.wrong);
}

/* The pattern for the summary, its own or that of the rows: as many of its first folders as the
 * summary's first path has; NULL: none.  The caller frees it. */
static char *
path_pattern_of(const struct summary_source *from)
{
	if (!from->pattern && !from->of_rows)
		return NULL;
	char *pattern = xstrdup(from->pattern ? from->pattern : from->of_rows);
	size_t n = strlen(pattern);
	while (n && !table_path_matches(pattern, from->paths[0])) {
		while (n && pattern[n - 1] == '/')
			pattern[--n] = '\0';
		while (n && pattern[n - 1] != '/')
			pattern[--n] = '\0';
	}
	if (strchr(pattern, '{'))
		return pattern;
	free(pattern);
	return NULL;
}

json_t *
summary_check_records(const struct stat_table *s, const struct summary_source *from,
    struct summary_result *result)
{
	struct table_want *want = xmalloc((s->n_by + 1) * sizeof *want);
	char *pattern = path_pattern_of(from);
	for (size_t i = 0; i < s->n_by; i++)
		want[i] = (struct table_want){s->by[i]->name, KEEP_WORD};
	struct table_spec spec = {.want = want, .n_want = s->n_by, .others = KEEP_GUESS,
	    .path_pattern = pattern};
	struct summary_check c = {.s = s, .from = from, .records = json_array(),
	    .result = result};
	xtable_read(&c.t, from->paths, &spec);
	for (size_t i = s->n_by; i < c.t.n_columns; i++)
		if (c.t.columns[i]->is_word)
			table_bad_to_numbers(&c.t, c.t.columns[i], false);
	match_rows(&c);
	for (size_t i = 0; i < c.t.n_columns; i++)
		if (i >= s->n_by)
			check_column(&c, c.t.columns[i]);
	add_missing_groups(&c);
	result->others = c.others.p ? c.others.p : xstrdup("");
	free(c.group);
	free(want);
	free(pattern);
	table_free(&c.t);
	return c.records;
}
