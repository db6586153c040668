/* metric_column.c: the name, unit and meaning of a column, in the catalogue or not. */
#include "metric/metric_column.h"
#include "base/die.h"
#include "base/str.h"
#include "metric/catalogue.h"

#include <strings.h>

static const struct metric *
metric_of(const char *column)
{
	for (size_t i = 0; i < METRICS; i++)
		if (strcmp(metric_catalogue[i].column, column) == 0)
			return &metric_catalogue[i];
	return NULL;
}

const char *
metric_name(const char *name)
{
	for (const struct metric *m = metric_catalogue; m < metric_catalogue + METRICS; m++)
		if (m->alias && strcmp(m->alias, name) == 0)
			return m->column;
	return name;
}

const char *
xmetric_setting(const struct list *items, const char *column, const char *option)
{
	const char *found = NULL;
	for (size_t i = 0; i < items->n && !found; i++) {
		const char *item = items->v[i], *value = strrchr(item, '=');
		if (!value || value == item)
			die(ST_USAGE, "%s must be NAME=VALUE, not '%s'", option, item);
		char *name = xasprintf("%.*s", (int)(value - item), item);
		found = strcmp(metric_name(name), column) == 0 ? value + 1 : NULL;
		free(name);
	}
	return found;
}

bool
metric_is_column(const char *column)
{
	return metric_of(column) != NULL;
}

bool
metric_is_known(const char *column)
{
	const struct metric *m = metric_of(column);
	return m && m->alias;
}

const char *
metric_title(const char *column)
{
	const struct metric *m = metric_of(column);
	return m && m->title ? m->title : column;
}

char *
metric_column_title(const char *column)
{
	const struct metric *m = metric_of(column);
	return m && m->title ? xstrdup(m->title) : unit_title(column);
}

static struct unit items_unit;	/* without a symbol: not known yet */

void
metric_note_items_unit(struct span unit)
{
	char *text = span_string(unit);
	bool other = text && *items_unit.symbol && strcmp(items_unit.symbol, text) != 0;
	if (text && (other || unit_parse(text, &items_unit) != 0))
		items_unit = unit_of("_per_s");
	free(text);
}

struct unit
metric_unit_of(const char *column)
{
	const struct metric *m = metric_of(column);
	struct unit unit;
	if (*items_unit.symbol && m && (m == &metric_catalogue[M_items_per_s] ||
	    m == &metric_catalogue[M_items_done_per_s]))
		return items_unit;
	return m && m->unit && unit_parse(m->unit, &unit) == 0 ? unit : unit_of(column);
}

const char *
metric_unit(const char *column)
{
	static struct unit unit;
	unit = metric_unit_of(column);
	return strcmp(unit.symbol, "B") == 0 ? "bytes" : unit.symbol;
}

/* 2 ms, 10 kB, 0.1 J. */
double
metric_floor(const char *column)
{
	static const double floors[] = {[OF_TIME] = 0.002, [OF_BYTES] = 1e4, [OF_ENERGY] = 0.1,
	    [OF_OTHER] = 0};
	const struct metric *m = metric_of(column);
	struct unit unit = metric_unit_of(column);
	return m && m->floor > 0 ? m->floor : floors[unit.quantity] / unit.factor;
}

/* Whether one of the words of the name, which '_' and blanks separate, says that it is a peak. */
static bool
is_peak_name(const char *column)
{
	static const char *const words[] = {"peak", "max", "maximum", "rss", "maxrss", "hwm",
	    "vmhwm", "vmpeak"};
	static const char between[] = "_ .()[]-";
	for (const char *p = column + strspn(column, between); *p; p += strspn(p, between)) {
		size_t n = strcspn(p, between);
		for (size_t i = 0; i < COUNT(words); i++)
			if (strlen(words[i]) == n && strncasecmp(p, words[i], n) == 0)
				return true;
		p += n;
	}
	return false;
}

bool
metric_adds_up(const char *column)
{
	const struct metric *m = metric_of(column);
	if (metric_unit_of(column).quantity == OF_SHARE || is_peak_name(column))
		return false;
	return !m || m->type == METRIC_COLUMN || m->over == METRIC_SUM;
}

enum metric_family
metric_family(const char *column)
{
	const struct metric *m = metric_of(column);
	enum quantity quantity = metric_unit_of(column).quantity;
	bool processor = strstr(column, "cpu") || (m && m == &metric_catalogue[M_script_s]);
	bool memory = m ? m->over == METRIC_MAX : is_peak_name(column) || strstr(column, "memory");
	if (quantity == OF_TIME)
		return processor ? FAMILY_CPU : FAMILY_TIME;
	if (quantity == OF_BYTES)
		return memory ? FAMILY_MEMORY : FAMILY_TRANSFER;
	return FAMILY_OTHER;
}

bool
metric_more_is_better(const char *column)
{
	const struct metric *m = metric_of(column);
	return m ? m->more_is_better : str_ends_with(column, "_per_s");
}
