/* summary_columns.c: the meaning of a summary's column, from its name. */
#include "summary_columns.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "table/column_unit.h"
#include "table/column_words.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool
summary_figure_kind(const char *word, struct summary_column *m)
{
	static const struct {
		const char *word;
		enum figure_kind kind;
	} known[] = {
		{"count", FIGURE_COUNT}, {"n", FIGURE_COUNT}, {"num", FIGURE_COUNT},
		    {"number", FIGURE_COUNT}, {"rows", FIGURE_COUNT},
		{"quanta", FIGURE_COUNT}, {"size", FIGURE_COUNT}, {"sum", FIGURE_SUM},
		    {"total", FIGURE_SUM}, {"mean", FIGURE_MEAN},
		{"avg", FIGURE_MEAN}, {"average", FIGURE_MEAN}, {"std", FIGURE_STD},
		    {"sd", FIGURE_STD}, {"stddev", FIGURE_STD}, {"stdev", FIGURE_STD},
		{"min", FIGURE_MIN}, {"minimum", FIGURE_MIN}, {"max", FIGURE_MAX},
		    {"maximum", FIGURE_MAX}, {"peak", FIGURE_MAX}, {"iqr", FIGURE_IQR},
		{"mad", FIGURE_MAD}, {"share", FIGURE_SHARE}, {"integrated", FIGURE_SUM},
	};
	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp(known[i].word, word) == 0) {
			m->kind = known[i].kind;
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
	m->kind = FIGURE_PERCENTILE;
	m->p = x / 100;
	return true;
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
	struct summary_column m = {.of = SIZE_MAX, .kind = FIGURE_UNKNOWN};
	size_t n = strlen(name);
	for (size_t i = 0; i < map->n; i++) {
		const char *eq = strrchr(map->v[i], '='), *colon = eq ? strrchr(eq, ':') : NULL;
		if (!eq || !colon)
			die(ST_USAGE, "--map: expected NAME=COLUMN:STAT, not '%s'", map->v[i]);
		if ((size_t)(eq - map->v[i]) != n || strncmp(map->v[i], name, n) != 0)
			continue;
		for (size_t k = 0; k < s->n_of; k++)
			if (strlen(s->of[k]->name) == (size_t)(colon - eq) - 1 &&
			    strncmp(s->of[k]->name, eq + 1, (size_t)(colon - eq) - 1) == 0)
				m.of = k;
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
		if (!words.used[i] && (m.kind == FIGURE_UNKNOWN ||
		    m.kind == FIGURE_COUNT) && summary_figure_kind(words.w[i], &m))
			words.used[i] = true;
	/* The unit, unless it belongs to the name of our column. */
	for (size_t i = 0; i < words.n; i++) {
		struct unit u;
		if ((!words.used[i] || (i + 1 == best_at + best)) && unit_parse(words.w[i],
		    &u) == 0 && u.quantity != OF_OTHER &&
		    !(words.used[i] && unit_of(s->of[m.of]->name).quantity == OF_NOTHING))
			m.unit = u;
	}
	if (m.of == SIZE_MAX && m.kind == FIGURE_COUNT && s->n_of)
		m.of = 0;
	return m;
}

char *
summary_column_text(const struct stat_table *s, const struct summary_column *m)
{
	static const char *const names[] = {"count", "sum", "mean", "std", "min", "max", "", "iqr",
	    "mad", "share_pct", "?"};
	char p[24];
	if (m->of == SIZE_MAX)
		return xstrdup("unknown");
	stat_percentile_name(p, m->p);
	return xasprintf("%s of %s", m->kind == FIGURE_PERCENTILE ? p : names[m->kind],
	    s->of[m->of]->name);
}
