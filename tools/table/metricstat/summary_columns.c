/* summary_columns.c: the meaning of a summary's column, from its name. */
#include "summary_columns.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "table/column_unit.h"
#include "table/column_words.h"

/* The only column that measures what the name says; SIZE_MAX: none, or several. */
static size_t
column_by_concept(const struct stat_table *s, struct column_words *words)
{
	bool used[COLUMN_MAX_WORDS] = {0};
	size_t found = SIZE_MAX, n = 0;
	enum column_concept is = column_words_concept(words, used);
	for (size_t i = 0; is && i < s->n_of; i++) {
		struct column_words own = column_words_of(s->of[i]->name);
		enum quantity q = column_unit(s->of[i]->name).quantity;
		if (column_words_concept(&own, NULL) != is || q == OF_SHARE)
			continue;
		found = i;
		n++;
	}
	if (n != 1)
		return SIZE_MAX;
	memcpy(words->used, used, sizeof used);
	return found;
}

static struct statistic_of
from_map(const struct stat_table *s, const char *name, const struct list *map)
{
	struct statistic_of m = {.of = SIZE_MAX, .is = STATISTICS};
	size_t n = strlen(name);
	for (size_t i = 0; i < map->n; i++) {
		const char *eq = strrchr(map->v[i], '='), *colon = eq ? strrchr(eq, ':') : NULL;
		if (!eq || !colon)
			die(ST_USAGE, "--map: expected NAME=COLUMN:STAT, not '%s'", map->v[i]);
		if ((size_t)(eq - map->v[i]) != n || strncmp(map->v[i], name, n) != 0)
			continue;
		m.of = statistic_column(s, eq + 1, (size_t)(colon - eq) - 1);
		if (m.of == SIZE_MAX || !statistic_read(colon + 1, &m))
			die(ST_USAGE, "--map: '%s' names no analysed column (--of), or no "
			    "statistic", map->v[i]);
		m.unit = unit_of(name);
	}
	return m;
}

struct statistic_of
xsummary_column(const struct stat_table *s, const char *name, const struct list *map)
{
	struct statistic_of m = from_map(s, name, map);
	if (m.of != SIZE_MAX)
		return m;
	struct column_words words = column_words_of(name);
	size_t best = 0, at, best_at = 0;
	for (size_t i = 0; i < s->n_of; i++) {
		char *title = metric_column_title(s->of[i]->name);
		size_t whole = column_words_find(&words, s->of[i]->name, &at), n = whole
		    ? whole : column_words_find(&words, title, &at);
		if (n > best) {
			best = n;
			best_at = at;
			m.of = i;
		}
		free(title);
	}
	for (size_t i = 0; i < best; i++)
		words.used[best_at + i] = true;
	if (!best)
		m.of = column_by_concept(s, &words);
	for (size_t i = 0; i < words.n; i++)
		if (!words.used[i] && (m.is == STATISTICS ||
		    m.is == STAT_COUNT) && statistic_read(words.w[i], &m))
			words.used[i] = true;
	/* The unit, unless it belongs to the name of our column. */
	for (size_t i = 0; i < words.n; i++) {
		struct unit u;
		if ((!words.used[i] || (i + 1 == best_at + best)) && unit_parse(words.w[i],
		    &u) == 0 && u.quantity != OF_OTHER &&
		    !(words.used[i] && unit_of(s->of[m.of]->name).quantity == OF_NOTHING))
			m.unit = u;
	}
	if (m.of == SIZE_MAX && m.is == STAT_COUNT && s->n_of)
		m.of = 0;
	return m;
}

char *
summary_column_text(const struct stat_table *s, const struct statistic_of *m)
{
	char p[24];
	if (m->of == SIZE_MAX)
		return xstrdup("unknown");
	stat_percentile_name(p, m->p);
	return xasprintf("%s of %s", m->is == STAT_PERCENTILES ? p : m->is == STATISTICS ? "?" :
	    statistics[m->is].member, s->of[m->of]->name);
}
