/* profile_hot.c: where the time of a cell goes. */
#include "profile/profile_hot.h"
#include "base/die.h"
#include "profile/profile_text.h"
#include "profile/profile_place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 60 };	/* of calls between functions that are not the user's */

/* ---- functions --------------------------------------------------------------------- */

/* Time that is passed on to the callers of a function. */
struct hot_carry {
	double own_s, inner_s;	/* of itself; of those that it called */
};

static bool
keeps_time(const struct profile_function *f)
{
	enum profile_owner owner = profile_place_owner(f->file);
	return owner == OWNER_PACKAGE || owner == OWNER_CELL;
}

/* The callers have parts of `s` as they have parts of the function's time. */
static void
pass_time_on(const struct profile_cell *c, size_t from, double s, bool own, double *inner_s)
{
	const struct profile_function *f = &c->functions[from];
	double all = 0, calls = 0;
	for (size_t i = 0; i < f->n_callers; i++) {
		const struct profile_caller *k = &f->callers[i];
		if (k->function == from)
			continue;
		all += own ? k->own_s : k->cumulative_s;
		calls += k->calls;
	}
	for (size_t i = 0; s > 0 && i < f->n_callers; i++) {
		const struct profile_caller *k = &f->callers[i];
		double part = all > 0 ? (own ? k->own_s : k->cumulative_s) / all :
		    calls > 0 ? k->calls / calls : 0;
		if (k->function != from)
			inner_s[k->function] += s * part;
	}
}

double *
profile_hot_times(const struct profile_cell *c)
{
	size_t n = c->n_functions;
	if (!n)
		return NULL;
	double *time_s = xmalloc(n * sizeof *time_s), *next = xmalloc(n * sizeof *next);
	struct hot_carry *carry = xmalloc(n * sizeof *carry);
	for (size_t i = 0; i < n; i++) {
		carry[i] = (struct hot_carry){c->functions[i].own_s, 0};
		time_s[i] = 0;
	}
	for (int depth = 0; depth < MAX_DEPTH; depth++) {
		memset(next, 0, n * sizeof *next);
		for (size_t i = 0; i < n; i++) {
			if (keeps_time(&c->functions[i])) {
				time_s[i] += carry[i].own_s + carry[i].inner_s;
			} else {
				pass_time_on(c, i, carry[i].own_s, true, next);
				pass_time_on(c, i, carry[i].inner_s, false, next);
			}
		}
		for (size_t i = 0; i < n; i++)
			carry[i] = (struct hot_carry){0, next[i]};
	}
	free(carry);
	free(next);
	return time_s;
}

/* ---- lines ------------------------------------------------------------------------- */

static double
lines_wall_s(const struct profile_cell *c)
{
	double longest = 0;
	for (size_t i = 0; i < c->n_codes; i++)
		longest = fmax(longest, c->codes[i].time_s);
	return profile_fold_wall_s(c, "lines", longest);
}

const struct profile_line *
profile_hot_line(const struct profile_cell *c, const struct profile_code **of)
{
	const struct profile_line *longest = NULL, *inner = NULL;
	const struct profile_code *of_longest = NULL, *of_inner = NULL;
	double half = lines_wall_s(c) / 2;
	for (size_t i = 0; i < c->n_codes; i++)
		for (size_t k = 0; k < c->codes[i].n_lines; k++) {
			const struct profile_line *l = &c->codes[i].lines[k];
			if (l->time_s > 0 && (!longest || l->time_s > longest->time_s)) {
				longest = l;
				of_longest = &c->codes[i];
			}
			/* Lines that take more than half of the time contain each other. */
			if (l->time_s >= half && l->time_s > 0 &&
			    (!inner || l->time_s < inner->time_s)) {
				inner = l;
				of_inner = &c->codes[i];
			}
		}
	*of = inner ? of_inner : of_longest;
	return inner ? inner : longest;
}

/* ---- sentences --------------------------------------------------------------------- */

static int
share_pct(double part, double all)
{
	return all > 0 ? (int)lround(100 * fmin(part / all, 1)) : 0;
}

static const char *
file_name(const char *file)
{
	const char *slash = strrchr(file, '/');
	return slash ? slash + 1 : file;
}

/* "hit 1,000 times", "called once" */
static void
add_times(struct buf *b, const char *verb, double times)
{
	buf_addf(b, ", %s ", verb);
	if (times > 1) {
		profile_text_count(b, times);
		buf_addf(b, " times");
	} else {
		buf_addf(b, "once");
	}
}

static char *
sentence_of_line(const struct profile_cell *c)
{
	const struct profile_code *of;
	const struct profile_line *l = profile_hot_line(c, &of);
	struct buf b = {0};
	if (!l)
		return NULL;
	buf_addf(&b, "%d %% of cell %ld is ", share_pct(l->time_s, lines_wall_s(c)), c->index);
	if (strcmp(of->file, of->function) == 0 && profile_place_owner(of->file) == OWNER_CELL) {
		long other = strtol(of->file + strlen("<cell "), NULL, 10);
		if (other == c->index)
			buf_addf(&b, "its line %ld", l->line);
		else
			buf_addf(&b, "line %ld of cell %ld", l->line, other);
	} else {
		buf_addf(&b, "line %ld of %s, %s", l->line, file_name(of->file), of->function);
	}
	add_times(&b, "hit", l->hits);
	return b.p;
}

static char *
sentence_of_function(const struct profile_cell *c)
{
	double *time_s = profile_hot_times(c), all = 0;
	struct buf b = {0};
	size_t most = 0;
	for (size_t i = 0; i < c->n_functions; i++) {
		all += c->functions[i].own_s;
		if (time_s[i] > time_s[most])
			most = i;
	}
	double longest = time_s ? time_s[most] : 0;
	free(time_s);
	if (!(longest > 0))
		return NULL;
	const struct profile_function *f = &c->functions[most];
	buf_addf(&b, "%d %% of cell %ld is ",
	    share_pct(longest, profile_fold_wall_s(c, "functions", all)), c->index);
	if (profile_place_owner(f->file) == OWNER_CELL && strchr("<", *f->function)) {
		buf_addf(&b, "the code of %.*s", (int)strlen(f->file) - 2, f->file + 1);
		return b.p;
	}
	buf_addf(&b, "%s %s", profile_place_short(f->file), f->function);
	add_times(&b, "called", f->calls);
	return b.p;
}

char *
profile_hot_sentence(const struct profile_cell *c)
{
	char *sentence = sentence_of_line(c);
	return sentence ? sentence : sentence_of_function(c);
}
