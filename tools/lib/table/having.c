/* having.c: groups chosen by a figure of theirs. */
#include "table/having.h"
#include "base/die.h"
#include "table/column_unit.h"
#include "table/rows_where.h"
#include "table/statistic.h"

static struct statistic_of
xfigure_of(const struct stat_table *s, const char *name)
{
	const char *colon = strrchr(name, ':');
	struct statistic_of m = {.of = SIZE_MAX};
	if (colon)
		m.of = statistic_column(s, name, (size_t)(colon - name));
	if (m.of == SIZE_MAX || !statistic_read(colon + 1, &m))
		die(ST_USAGE, "--having: '%s' must be COLUMN:STATISTIC of an analysed column, as "
		    "in memory:p95", name);
	return m;
}

static void
convert_limits(struct condition *c, const struct statistic_of *m, const char *column)
{
	struct unit u = {.factor = 1};
	if (statistics[m->is].kind == CELL_PCT)
		unit_parse("%", &u);
	else if (statistics[m->is].kind == CELL_VALUE)
		u = column_unit(column);
	const char *bad = rows_where_in_unit(c, &u);
	if (bad)
		die(ST_USAGE, "--having: '%s' is not a value of '%s'%s%s", bad, c->name,
		    *u.symbol ? " in " : "", u.symbol);
}

bool *
xhaving_chosen(const struct stat_table *s, struct conditions *having)
{
	bool *chosen = having->n ? memset(xmalloc(s->g.n + 1), 1, s->g.n + 1) : NULL;
	for (size_t i = 0; i < having->n; i++) {
		struct condition *c = &having->list[i];
		struct statistic_of m = xfigure_of(s, c->name);
		convert_limits(c, &m, s->of[m.of]->name);
		for (size_t g = 0; g < s->g.n; g++) {
			double x = statistic_of_group(s, g, &m);
			json_t *v = json_real(isnan(x) ? 0 : x);
			chosen[g] = chosen[g] && !isnan(x) && condition_holds(c, v);
			json_decref(v);
		}
	}
	return chosen;
}
