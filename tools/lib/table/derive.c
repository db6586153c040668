/* derive.c: columns that are computed from others. */
#include "table/derive.h"
#include "base/die.h"
#include "table/column_words.h"
#include "table/rows_where.h"
#include "table/table_memory.h"
#include "table/table_rows.h"
#include "table/table_words.h"
#include "text/condition.h"
#include "text/expr.h"

#include <ctype.h>

enum derive_kind { BY_EXPR, BY_RATIO, BY_COHORT, BY_CATEGORY };

struct derived_column {
	enum derive_kind kind;
	char *name;
	struct expr *expr, *below;
	double scale;
	bool only_positive;
	const char *per_core_of;	/* an efficiency, as it is written; NULL: none */
	double *parts[2];
	struct list cohort;	/* names */
	struct conditions *conditions;	/* of each cohort */
	struct bins bins;
};
static struct derived_column *derived;
static size_t n_derived;
static struct conditions where;

/* The derived column of this name among the first n; NULL: there is none. */
static struct derived_column *
find_derived(const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(derived[i].name, name) == 0)
			return &derived[i];
	return NULL;
}

static struct derived_column *
add_derived(enum derive_kind kind, char *name)
{
	if (find_derived(name, n_derived))
		die(ST_USAGE, "duplicate column '%s'", name);
	derived = xgrow(derived, n_derived, sizeof *derived);
	derived[n_derived] = (struct derived_column){.kind = kind, .name = name, .scale = 1};
	return &derived[n_derived++];
}

static struct expr *
xexpr(const char *text, size_t n, const char *what)
{
	char *copy = xasprintf("%.*s", (int)n, text), *error = NULL;
	struct expr *e = expr_parse(copy, &error);
	if (!e)
		die(ST_USAGE, "%s '%s': %s", what, copy, error);
	free(copy);
	return e;
}

/* ---- options ------------------------------------------------------------- */

void
xderive_expr(const char *text)
{
	const char *eq = strchr(text, '=');
	if (!eq || eq == text)
		die(ST_USAGE, "--derive: expected NAME=EXPRESSION, not '%s'", text);
	add_derived(BY_EXPR, xasprintf("%.*s", (int)(eq - text), text))->expr = xexpr(eq + 1,
	    strlen(eq + 1), "--derive");
}

static void
add_ratio(const char *text, bool efficiency)
{
	const char *what = efficiency ? "--efficiency" : "--ratio", *eq = strchr(text, '='),
	    *from = eq ? eq + 1 : text, *slash = NULL;
	int nested = 0;
	char quote = '\0';
	for (const char *p = from; *p; p++) {
		if (quote || *p == '"' || *p == '\'') {
			quote = !quote ? *p : quote == *p ? '\0' : quote;
			continue;
		}
		nested += (*p == '(') - (*p == ')');
		if (*p == '/' && nested == 0)
			slash = p;
	}
	if (!slash || eq == text)
		die(ST_USAGE, "%s: expected [NAME=]A/B, not '%s'", what, text);
	char *name = eq ? xasprintf("%.*s", (int)(eq - text), text) : efficiency
	    ? xstrdup("cpu_efficiency_pct") : xasprintf("%.*s_per_%s", (int)(slash - from), from,
	    slash + 1);
	for (char *p = name; !eq && *p; p++)
		*p = isalnum((unsigned char)*p) ? *p : '_';
	struct derived_column *m = add_derived(BY_RATIO, name);
	m->expr = xexpr(from, (size_t)(slash - from), what);
	m->below = xexpr(slash + 1, strlen(slash + 1), what);
	m->scale = efficiency ? 100 : 1;
	m->only_positive = efficiency;
	m->per_core_of = efficiency ? from : NULL;
}

void
xderive_ratio(const char *text)
{
	add_ratio(text, false);
}

void
xderive_efficiency(const char *text)
{
	add_ratio(text, true);
}

void
xderive_cohort(const char *text)
{
	size_t n = strcspn(text, ":<>=!\"'");
	bool named = text[n] == ':' && n;
	struct derived_column *m = NULL;
	for (size_t i = 0; i < n_derived; i++)
		if (derived[i].kind == BY_COHORT)
			m = &derived[i];
	if (!m)
		m = add_derived(BY_COHORT, xstrdup("cohort"));
	const char *conditions = named ? text + n + 1 : text;
	m->conditions = xgrow(m->conditions, m->cohort.n, sizeof *m->conditions);
	struct conditions *of = &m->conditions[m->cohort.n];
	*of = (struct conditions){0};
	xconditions_add(of, conditions);
	if (of->n == 0)
		die(ST_USAGE, "--cohort: expected [NAME:]CONDITIONS, not '%s'", text);
	list_add(&m->cohort, text, named ? n : strlen(text));
}

void
xderive_category(const char *text)
{
	struct bins bins = {0};
	xbins(&bins, text);
	add_derived(BY_CATEGORY, xasprintf("%s_category", bins.column))->bins = bins;
}

void
xderive_where(const char *text)
{
	xconditions_add(&where, text);
}

bool
derive_makes(const char *name)
{
	return find_derived(name, n_derived);
}

void
derive_names(struct list *l, bool groups)
{
	for (size_t i = 0; i < n_derived; i++)
		if (groups == (derived[i].kind >= BY_COHORT) && !list_has(l, derived[i].name))
			xlist_append(l, derived[i].name, NULL);
}

/* Columns that were computed before column `made` are not read. */
static void
need_column(size_t made, const char *name, enum keep keep, void (*need)(const char *, enum keep))
{
	if (!find_derived(name, made))
		need(name, keep);
}

static void
need_params(size_t made, const struct expr *e, void (*need)(const char *, enum keep))
{
	for (size_t i = 0; e && i < e->n_params; i++)
		need_column(made, e->params[i].name, KEEP_NUMBER, need);
}

static void
need_conditions(size_t made, const struct conditions *w, void (*need)(const char *, enum keep))
{
	for (size_t i = 0; i < w->n; i++)
		need_column(made, w->list[i].name, KEEP_GUESS, need);
}

void
derive_needs(void (*need)(const char *, enum keep))
{
	for (size_t i = 0; i < n_derived; i++) {
		const struct derived_column *m = &derived[i];
		need_params(i, m->expr, need);
		need_params(i, m->below, need);
		for (size_t k = 0; k < m->cohort.n; k++)
			need_conditions(i, &m->conditions[k], need);
		if (m->bins.column)
			need_column(i, m->bins.column, KEEP_NUMBER, need);
		/* One that it replaces. */
		if (m->kind == BY_EXPR)
			need(m->name, KEEP_IF_MET);
	}
	need_conditions(n_derived, &where, need);
}

/* ---- expressions ---------------------------------------------------------------------- */

struct bound {
	const struct expr *e;
	const double **of;
	double *values;
};

static struct bound
bind_columns(const struct expr *e, const struct table *t)
{
	struct bound b = {e, xmalloc((e->n_params + 1) * sizeof *b.of),
	    xmalloc((e->n_params + 1) * sizeof *b.values)};
	for (size_t i = 0; i < e->n_params; i++) {
		const struct column *c = table_column(t, e->params[i].name);
		if (!c || c->is_word)
			die(ST_USAGE, "column '%s' does not hold numbers", e->params[i].name);
		b.of[i] = c->number;
	}
	return b;
}

/* NaN if a part is, or if the result is not a number. */
static double
value_in(const struct bound *b, size_t row)
{
	const char *why;
	size_t column;
	for (size_t i = 0; i < b->e->n_params; i++)
		if (isnan(b->values[i] = b->of[i][row]))
			return b->values[i];
	return expr_value(b->e, b->values, &why, &column);
}

static void
bound_free(struct bound *b)
{
	free(b->of);
	free(b->values);
}

static void
make_expr(struct derived_column *m, struct table *t)
{
	struct bound b = bind_columns(m->expr, t);
	struct column *old = table_column(t, m->name);
	double *number = table_memory_resize(NULL, t->cap * sizeof *number);
	for (size_t row = 0; row < t->n_rows; row++) {
		number[row] = value_in(&b, row);
		table_rows_release(t, row);
	}
	bound_free(&b);
	if (old && old->is_word)
		die(ST_USAGE, "column '%s' exists already, and has words", m->name);
	if (old)
		warn("--derive: '%s' replaces the column of this name", m->name);
	struct column *c = old ? old : table_add_numbers(t, m->name);
	table_memory_free(c->number);
	c->number = number;
	table_memory_release(number);
}

static void
make_ratio(struct derived_column *m, struct table *t)
{
	struct bound above = bind_columns(m->expr, t), below = bind_columns(m->below, t);
	const struct column *cores = m->per_core_of ? table_cores(t) : NULL;
	if (cores && strstr(m->per_core_of, cores->name))
		cores = NULL;
	struct column *c = table_add_numbers(t, m->name);
	for (size_t i = 0; i < 2; i++)
		m->parts[i] = table_memory_resize(NULL, (t->n_rows + 1) * sizeof **m->parts);
	for (size_t row = 0; row < t->n_rows; row++) {
		double a = value_in(&above, row), b = value_in(&below, row) * (cores ?
		    cores->number[row] : 1), x = m->scale * a / b;
		bool known = isfinite(x) && b != 0 && !(m->only_positive && (a < 0 || b < 0));
		c->number[row] = known ? x : (double)NAN;
		m->parts[0][row] = known ? a : (double)NAN;
		m->parts[1][row] = known ? b : (double)NAN;
		table_rows_release(t, row);
	}
	table_memory_release(m->parts[0]);
	table_memory_release(m->parts[1]);
	bound_free(&above);
	bound_free(&below);
}

/* ---- cohorts and categories -------------------------------------------------------------- */

/* The groups will be in this order. */
static void
order_words(struct column *c, char *const *words, size_t n)
{
	c->in_order = true;
	for (size_t i = 0; i < n; i++)
		if (table_word_code(c, words[i], strlen(words[i])) == NO_WORD)
			die(ST_USAGE, "'%s' is not UTF-8 text", words[i]);
}

/* A row belongs to the first cohort whose conditions it meets. */
static void
make_cohorts(struct derived_column *m, struct table *t)
{
	struct column *c = table_add_words(t, m->name);
	order_words(c, m->cohort.v, m->cohort.n);
	for (size_t i = 0; i < m->cohort.n; i++) {
		bool *in = xrows_where(t, &m->conditions[i]);
		for (size_t row = 0; row < t->n_rows; row++)
			if (in[row] && c->code[row] == NO_WORD)
				table_set_word(c, row, m->cohort.v[i]);
		free(in);
	}
	for (size_t row = 0; row < t->n_rows; row++)
		if (c->code[row] == NO_WORD)
			table_set_word(c, row, "other");
}

struct column *
xderive_classes(struct table *t, const char *name, const struct bins *bins)
{
	const struct column *source = table_column(t, bins->column);
	if (!source || source->is_word)
		die(ST_USAGE, "--category: column '%s' does not hold numbers", bins->column);
	struct column *c = table_add_words(t, name);
	for (size_t i = 0; i < bins->n; i++)
		order_words(c, &bins->v[i].name, 1);
	for (size_t row = 0; row < t->n_rows; row++) {
		size_t i = bins_find(bins, source->number[row]);
		if (i < bins->n)
			table_set_word(c, row, bins->v[i].name);
	}
	return c;
}

bool *
xderive(struct table *t)
{
	for (size_t i = 0; i < n_derived; i++) {
		struct derived_column *m = &derived[i];
		if (m->kind != BY_EXPR && table_column(t, m->name))
			die(ST_USAGE, "column '%s' exists already", m->name);
		switch (m->kind) {
		case BY_EXPR: make_expr(m, t); break;
		case BY_RATIO: make_ratio(m, t); break;
		case BY_COHORT: make_cohorts(m, t); break;
		case BY_CATEGORY:
			xbins_limits(&m->bins);
			xderive_classes(t, m->name, &m->bins);
			break;
		}
	}
	return where.n ? xrows_where(t, &where) : NULL;
}

struct column *
xderive_divisor(struct table *t, const char *above, const char *below)
{
	struct column *c = xtable_column(t, below, true), *cores = table_cores(t), *all;
	if (!cores || column_concept(above) != OF_CPU_TIME ||
	    column_concept(below) != OF_ELAPSED_TIME)
		return c;
	char *name = xasprintf("%s x %s", below, cores->name);
	if (!(all = table_column(t, name))) {
		all = table_add_numbers(t, name);
		for (size_t row = 0; row < t->n_rows; row++)
			all->number[row] = c->number[row] * cores->number[row];
	}
	free(name);
	return all;
}

const double *
derive_parts(const char *name, const double **below, double *scale)
{
	const struct derived_column *m = find_derived(name, n_derived);
	if (!m || m->kind != BY_RATIO)
		return NULL;
	*below = m->parts[1];
	*scale = m->scale;
	return m->parts[0];
}
