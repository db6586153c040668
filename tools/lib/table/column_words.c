/* column_words.c: the words of a column's name, and what they say that it measures. */
#include "table/column_words.h"
#include "base/str.h"

#include <ctype.h>

/* "memory (GiB) 95%": memory, gib, 95%; "maxRSS": max, rss. */
struct column_words
column_words_of(const char *name)
{
	struct column_words s = {0};
	size_t n = 0;
	for (const char *p = name;; p++) {
		bool part = isalnum((unsigned char)*p) || *p == '%' || (*p == '.' && n &&
		    isdigit((unsigned char)p[1]));
		/* GiB and kWh are one word. */
		bool camel = part && n > 1 && isupper((unsigned char)*p) && *p != 'B' &&
		    islower((unsigned char)p[-1]);
		if ((!part || camel) && n) {
			s.w[s.n][n] = '\0';
			n = 0;
			if (++s.n == COLUMN_MAX_WORDS)
				return s;
		}
		if (!*p)
			return s;
		if (part && n + 1 < COLUMN_WORD_BYTES)
			s.w[s.n][n++] = (char)tolower((unsigned char)*p);
	}
}

/* Finds the words of `name` in `s`, in order and together; returns how many. */
size_t
column_words_find(const struct column_words *s, const char *name, size_t *at)
{
	struct column_words own = column_words_of(name);
	for (*at = 0; own.n && *at + own.n <= s->n; ++*at) {
		size_t i = 0;
		while (i < own.n && strcmp(s->w[*at + i], own.w[i]) == 0)
			i++;
		if (i == own.n)
			return own.n;
	}
	return 0;
}

enum column_concept
column_words_concept(const struct column_words *s, bool *used)
{
	static const struct { const char *word; enum column_concept is; } known[] = {
		{"cpu", OF_CPU_TIME}, {"cputime", OF_CPU_TIME}, {"mem", OF_MEMORY},
		{"memory", OF_MEMORY}, {"rss", OF_MEMORY}, {"maxrss", OF_MEMORY},
		{"runtime", OF_ELAPSED_TIME}, {"elapsed", OF_ELAPSED_TIME},
		{"wall", OF_ELAPSED_TIME}, {"walltime", OF_ELAPSED_TIME},
		{"wallclock", OF_ELAPSED_TIME}, {"duration", OF_ELAPSED_TIME},
		{"run", OF_ELAPSED_TIME},
	};
	enum column_concept found = NO_CONCEPT;
	for (size_t i = 0; i < COUNT(known); i++)
		for (size_t k = 0; k < s->n && !found; k++) {
			bool alone = strcmp(known[i].word, "run") == 0 && (k + 1 == s->n ||
			    strcmp(s->w[k + 1], "time") != 0);
			if (strcmp(s->w[k], known[i].word) == 0 && !alone)
				found = known[i].is;
			if (found && used)
				used[k] = true;
		}
	for (size_t k = 0; found && used && k < s->n; k++)
		used[k] |= strcmp(s->w[k], "time") == 0 || strcmp(s->w[k], "usage") == 0;
	return found;
}

enum column_concept
column_concept(const char *name)
{
	struct column_words words = column_words_of(name);
	return column_words_concept(&words, NULL);
}

enum quantity
column_measures(const char *name)
{
	struct column_words words = column_words_of(name);
	enum column_concept is = column_words_concept(&words, NULL);
	bool time = is == OF_ELAPSED_TIME;
	for (size_t i = 0; i < words.n; i++)
		time |= str_ends_with(words.w[i], "time") || strcmp(words.w[i], "age") == 0;
	return time ? OF_TIME : is == OF_MEMORY ? OF_BYTES : OF_NOTHING;
}

const char *const column_names_of_cores[] = {"cores", "n_cores", "ncores", "num_cores", "cpus",
    "n_cpus", "ncpus", "NCPUS", "num_cpus", "alloccpus", "AllocCPUS", "alloc_cpus", "reqcpus",
    "ReqCPUS", "CPUs", "n_threads", "threads", "RequestCpus", NULL};
