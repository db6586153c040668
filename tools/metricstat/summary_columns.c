/* checkname.c: what a column of somebody's summary is, from its name. */
#include "check.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_WORDS = 32, LONGEST = 64 };

struct words {
	char w[MOST_WORDS][LONGEST];
	size_t n;
	bool used[MOST_WORDS];
};

/* "memory (GiB) 95%": memory, gib, 95%; "maxRSS": max, rss. */
static struct words
words_of(const char *name)
{
	struct words s = {0};
	size_t n = 0;
	for (const char *p = name;; p++) {
		bool part = isalnum((unsigned char)*p) || *p == '%' || (*p == '.' && n && isdigit((unsigned char)p[1]));
		/* GiB and kWh are one. */
		bool camel = part && n > 1 && isupper((unsigned char)*p) && *p != 'B' && islower((unsigned char)p[-1]);
		if ((!part || camel) && n) {
			s.w[s.n][n] = '\0';
			n = 0;
			if (++s.n == MOST_WORDS)
				return s;
		}
		if (!*p)
			return s;
		if (part && n + 1 < LONGEST)
			s.w[s.n][n++] = (char)tolower((unsigned char)*p);
	}
}

/* Marks the words of `name` in `s`, in their order and together; how many. */
static size_t
find_words(const struct words *s, const char *name, size_t *at)
{
	struct words own = words_of(name);
	for (*at = 0; own.n && *at + own.n <= s->n; ++*at) {
		size_t i = 0;
		while (i < own.n && strcmp(s->w[*at + i], own.w[i]) == 0)
			i++;
		if (i == own.n)
			return own.n;
	}
	return 0;
}

static bool
told_by(const char *word, struct meaning *m)
{
	static const struct {
		const char *word;
		enum told told;
	} known[] = {
		{"count", TOLD_COUNT}, {"n", TOLD_COUNT}, {"num", TOLD_COUNT}, {"number", TOLD_COUNT}, {"rows", TOLD_COUNT},
		{"quanta", TOLD_COUNT}, {"size", TOLD_COUNT}, {"sum", TOLD_SUM}, {"total", TOLD_SUM}, {"mean", TOLD_MEAN},
		{"avg", TOLD_MEAN}, {"average", TOLD_MEAN}, {"std", TOLD_STD}, {"sd", TOLD_STD}, {"stddev", TOLD_STD}, {"stdev", TOLD_STD},
		{"min", TOLD_MIN}, {"minimum", TOLD_MIN}, {"max", TOLD_MAX}, {"maximum", TOLD_MAX}, {"peak", TOLD_MAX}, {"iqr", TOLD_IQR},
		{"mad", TOLD_MAD}, {"share", TOLD_SHARE},
	};
	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp(known[i].word, word) == 0) {
			m->told = known[i].told;
			return true;
		}
	bool q = (*word == 'p' || *word == 'q') && isdigit((unsigned char)word[1]);
	char *end;
	double x = strtod(word + q, &end);
	if (strcmp(word, "median") == 0)
		x = 50;
	else if (end == word + q || !(q || *end) || (*end && strcmp(end, "%") != 0 && strcmp(end, "th") != 0) || !(x >= 0 && x <= 100))
		return false;
	m->told = TOLD_PERCENTILE;
	m->p = x / 100;
	return true;
}

static struct meaning
from_map(const struct stat *s, const char *name, const struct list *map)
{
	struct meaning m = {.of = SIZE_MAX, .told = TOLD_UNKNOWN};
	size_t n = strlen(name);
	for (size_t i = 0; i < map->n; i++) {
		const char *eq = strrchr(map->v[i], '='), *colon = eq ? strrchr(eq, ':') : NULL;
		if (!eq || !colon)
			die(ST_USAGE, "--map wants NAME=COLUMN:STAT, not '%s'", map->v[i]);
		if ((size_t)(eq - map->v[i]) != n || strncmp(map->v[i], name, n) != 0)
			continue;
		for (size_t k = 0; k < s->n_of; k++)
			if (strlen(s->of[k]->name) == (size_t)(colon - eq) - 1 && strncmp(s->of[k]->name, eq + 1, (size_t)(colon - eq) - 1) == 0)
				m.of = k;
		if (m.of == SIZE_MAX || !told_by(colon + 1, &m))
			die(ST_USAGE, "--map: '%s' names no column that is told of (--of), or no figure", map->v[i]);
		m.unit = unit_of(name);
	}
	return m;
}

struct meaning
meaning_of(const struct stat *s, const char *name, const struct list *map)
{
	struct meaning m = from_map(s, name, map);
	if (m.of != SIZE_MAX)
		return m;
	struct words words = words_of(name);
	size_t best = 0, at, best_at = 0;
	for (size_t i = 0; i < s->n_of; i++) {
		char *title = unit_title(s->of[i]->name);
		size_t whole = find_words(&words, s->of[i]->name, &at), n = whole ? whole : find_words(&words, title, &at);
		if (n > best) {
			best = n;
			best_at = at;
			m.of = i;
		}
		free(title);
	}
	for (size_t i = 0; i < best; i++)
		words.used[best_at + i] = true;
	for (size_t i = 0; i < words.n; i++)
		if (!words.used[i] && (m.told == TOLD_UNKNOWN || m.told == TOLD_COUNT) && told_by(words.w[i], &m))
			words.used[i] = true;
	/* The unit that is not our column's own name's. */
	for (size_t i = 0; i < words.n; i++) {
		struct unit u;
		if ((!words.used[i] || (i + 1 == best_at + best)) && unit_parse(words.w[i], &u) == 0 && u.quantity != OF_OTHER &&
		    !(words.used[i] && unit_of(s->of[m.of]->name).quantity == OF_NOTHING))
			m.unit = u;
	}
	if (m.of == SIZE_MAX && m.told == TOLD_COUNT && s->n_of)
		m.of = 0;
	return m;
}

char *
meaning_text(const struct stat *s, const struct meaning *m)
{
	static const char *const names[] = {"count", "sum", "mean", "std", "min", "max", "", "iqr", "mad", "share_pct", "?"};
	char p[24];
	if (m->of == SIZE_MAX)
		return xstrdup("not known");
	percentile_name(p, m->p);
	return xasprintf("%s of %s", m->told == TOLD_PERCENTILE ? p : names[m->told], s->of[m->of]->name);
}
