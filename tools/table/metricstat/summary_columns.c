/* summary_columns.c: the meaning of a summary's column, from its name. */
#include "summary_columns.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "table/column_unit.h"
#include "table/column_words.h"

#include <ctype.h>

bool
summary_figure_kind(const char *word, struct summary_column *m)
{
	static const struct {
		const char *word;
		enum statistic is;
	} known[] = {
		{"count", STAT_COUNT}, {"n", STAT_COUNT}, {"num", STAT_COUNT},
		{"number", STAT_COUNT}, {"rows", STAT_COUNT}, {"quanta", STAT_COUNT},
		{"size", STAT_COUNT}, {"sum", STAT_SUM}, {"total", STAT_SUM}, {"mean", STAT_MEAN},
		{"avg", STAT_MEAN}, {"average", STAT_MEAN}, {"std", STAT_STD}, {"sd", STAT_STD},
		{"stddev", STAT_STD}, {"stdev", STAT_STD}, {"min", STAT_MIN}, {"minimum", STAT_MIN},
		{"max", STAT_MAX}, {"maximum", STAT_MAX}, {"peak", STAT_MAX}, {"iqr", STAT_IQR},
		{"mad", STAT_MAD}, {"share", STAT_SHARE}, {"integrated", STAT_SUM},
	};
	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp(known[i].word, word) == 0) {
			m->is = known[i].is;
			return true;
		}
	bool q = (*word == 'p' || *word == 'q') && isdigit((unsigned char)word[1]);
	char *end;
	double x = strtod(word + q, &end);
	if (strcmp(word, "median") == 0)
		x = 50;
	else if (end == word + q || !(q || *end) || (*end && strcmp(end, "%") != 0 &&
	    strcmp(end, "th") != 0) || !(x >= 0 && x <= 100))
		return false;
	m->is = STAT_PERCENTILES;
	m->p = x / 100;
	return true;
}

size_t
summary_column_of(const struct stat_table *s, const char *text, size_t n)
{
	size_t i = 0;
	while (i < s->n_of && !(strlen(s->of[i]->name) == n &&
	    strncmp(s->of[i]->name, text, n) == 0))
		i++;
	return i < s->n_of ? i : SIZE_MAX;
}

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

static struct summary_column
from_map(const struct stat_table *s, const char *name, const struct list *map)
{
	struct summary_column m = {.of = SIZE_MAX, .is = STATISTICS};
	size_t n = strlen(name);
	for (size_t i = 0; i < map->n; i++) {
		const char *eq = strrchr(map->v[i], '='), *colon = eq ? strrchr(eq, ':') : NULL;
		if (!eq || !colon)
			die(ST_USAGE, "--map: expected NAME=COLUMN:STAT, not '%s'", map->v[i]);
		if ((size_t)(eq - map->v[i]) != n || strncmp(map->v[i], name, n) != 0)
			continue;
		m.of = summary_column_of(s, eq + 1, (size_t)(colon - eq) - 1);
		if (m.of == SIZE_MAX || !summary_figure_kind(colon + 1, &m))
			die(ST_USAGE, "--map: '%s' names no analysed column (--of), or no "
			    "statistic", map->v[i]);
		m.unit = unit_of(name);
	}
	return m;
}

struct summary_column
xsummary_column(const struct stat_table *s, const char *name, const struct list *map)
{
	struct summary_column m = from_map(s, name, map);
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
		    m.is == STAT_COUNT) && summary_figure_kind(words.w[i], &m))
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
summary_column_text(const struct stat_table *s, const struct summary_column *m)
{
	char p[24];
	if (m->of == SIZE_MAX)
		return xstrdup("unknown");
	stat_percentile_name(p, m->p);
	return xasprintf("%s of %s", m->is == STAT_PERCENTILES ? p : m->is == STATISTICS ? "?" :
	    statistics[m->is].member, s->of[m->of]->name);
}
