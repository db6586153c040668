/* having.c: groups chosen by a figure of theirs. */
#include "having.h"
#include "base/die.h"
#include "figure_definition.h"
#include "table/column_unit.h"
#include "table/rows_where.h"
#include "text/condition.h"

static struct conditions having;

/* The name of a condition is COLUMN:STAT, which is no identifier: it is quoted first. */
void
xhaving_add(const char *text)
{
	struct buf b = {0};
	for (const char *p = text; *p;) {
		size_t blanks = strspn(p, " \t\n"), n = strcspn(p += blanks, "!<>= \t\n\"'");
		size_t word = strcspn(p, " \t\n");
		buf_addf(&b, n ? "%s\"%.*s\"%.*s" : "%s%.*s%.*s", b.n ? " " : "", (int)n, p,
		    (int)(word - n), p + n);
		p += word;
	}
	if (b.n)
		xconditions_add(&having, b.p);
	buf_free(&b);
}

static struct summary_column
xfigure_of(const struct stat_table *s, const char *name)
{
	const char *colon = strrchr(name, ':');
	struct summary_column m = {.of = SIZE_MAX};
	if (colon)
		m.of = summary_column_of(s, name, (size_t)(colon - name));
	if (m.of == SIZE_MAX || !summary_figure_kind(colon + 1, &m))
		die(ST_USAGE, "--having: '%s' must be COLUMN:STATISTIC of an analysed column, as "
		    "in memory:p95", name);
	return m;
}

static void
convert_limits(struct condition *c, const struct summary_column *m, const char *column)
{
	struct unit u = m->is == STAT_COUNT ? (struct unit){.factor = 1} : column_unit(column);
	const char *bad = rows_where_in_unit(c, &u);
	if (bad)
		die(ST_USAGE, "--having: '%s' is not a value of '%s'%s%s", bad, c->name,
		    *u.symbol ? " in " : "", u.symbol);
}

bool *
xhaving_chosen(const struct stat_table *s)
{
	bool *chosen = xmalloc(s->g.n + 1);
	memset(chosen, 1, s->g.n + 1);
	for (size_t i = 0; i < having.n; i++) {
		struct condition *c = &having.list[i];
		struct summary_column m = xfigure_of(s, c->name);
		convert_limits(c, &m, s->of[m.of]->name);
		for (size_t g = 0; g < s->g.n; g++) {
			double x = figure_definition_value(s, &m, m.is, g);
			json_t *v = json_real(isnan(x) ? 0 : x);
			chosen[g] = chosen[g] && !isnan(x) && condition_holds(c, v);
			json_decref(v);
		}
	}
	if (having.n)
		return chosen;
	free(chosen);
	return NULL;
}
