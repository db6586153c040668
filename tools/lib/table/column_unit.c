/* column_unit.c: the unit of a column: the user's --unit, else what its name says. */
#include "metric/metric_column.h"
#include "table/column_unit.h"
#include "base/die.h"
#include "base/list.h"

static struct list units;	/* "memory=bytes" */
static size_t n_options;	/* those of --unit, before those of values */

void
xcolumn_units(const char *text)
{
	struct unit u;
	size_t first = units.n;
	xlist_split(&units, text, "--unit");
	for (size_t i = first; i < units.n; i++) {
		const char *eq = strchr(units.v[i], '=');
		if (!eq || eq == units.v[i] || unit_parse(eq + 1, &u) != 0)
			die(ST_USAGE, "--unit: expected COLUMN=UNIT, as in memory=bytes, not '%s'",
			    units.v[i]);
	}
	n_options = units.n;
}

void
column_unit_set(const char *column, const char *symbol)
{
	units.v = xgrow(units.v, units.n, sizeof *units.v);
	units.v[units.n++] = xasprintf("%s=%s", column, symbol);
}

static struct unit
unit_among(size_t n_units, const char *column)
{
	size_t n = strlen(column);
	struct unit u;
	for (size_t i = n_units; i-- > 0; )
		if (strncmp(units.v[i], column, n) == 0 && units.v[i][n] == '=' &&
		    unit_parse(units.v[i] + n + 1, &u) == 0)
			return u;
	return metric_unit_of(column);
}

struct unit
column_unit(const char *column)
{
	return unit_among(units.n, column);
}

struct unit
column_unit_named(const char *column)
{
	return unit_among(n_options, column);
}

bool
column_adds_up(const char *column)
{
	return column_unit(column).quantity != OF_SHARE && metric_adds_up(column);
}
