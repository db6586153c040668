/* profile_hot.c: where the time of a cell goes. */
#include "profile_hot.h"
#include "base/die.h"
#include "profile_text.h"
#include "profile/profile_place.h"
#include "text/unit.h"

enum {
	MAX_DEPTH = 60,	/* of calls between functions that are not the user's */
	MAX_PACKAGES = 8,
};
#define MIN_PACKAGE_SHARE 0.01

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

/* Whether it is the cell's own code, "<cell 5>". */
static bool
is_of_cell(const struct profile_code *of, long index)
{
	return index && profile_place_cell(of->file) == index &&
	    strcmp(of->file, of->function) == 0;
}

const char *
profile_hot_name(const struct profile_cell *c)
{
	const struct profile_line *longest = NULL;
	for (size_t i = 0; i < c->n_codes; i++)
		for (size_t k = 0; k < c->codes[i].n_lines && is_of_cell(&c->codes[i], c->index);
		    k++) {
			const struct profile_line *l = &c->codes[i].lines[k];
			if (l->source && l->time_s > (longest ? longest->time_s : 0))
				longest = l;
		}
	if (!longest || c->gesture)
		return c->source_line;
	return longest->source + strspn(longest->source, " \t");
}

/* ---- functions with what they call ------------------------------------------------------ */

double
profile_hot_wall_s(const struct profile_cell *c)
{
	double all = 0;
	for (size_t i = 0; i < c->n_functions; i++)
		all += c->functions[i].own_s;
	return profile_fold_wall_s(c, c->page ? "browser" : "functions", all);
}

size_t
profile_hot_inner(const struct profile_cell *c)
{
	size_t inner = c->n_functions;
	double half = profile_hot_wall_s(c) / 2;
	for (size_t i = 0; i < c->n_functions && half > 0; i++)
		if (c->functions[i].cumulative_s >= half &&
		    profile_place_owner(c->functions[i].file) == OWNER_PACKAGE &&
		    (inner == c->n_functions ||
		    c->functions[i].cumulative_s < c->functions[inner].cumulative_s))
			inner = i;
	return inner;
}

/* ---- packages ---------------------------------------------------------------------- */

struct hot_package {
	char *name;
	double time_s;
};

static int
by_package_time(const void *pa, const void *pb)
{
	const struct hot_package *a = pa, *b = pb;
	return a->time_s < b->time_s ? 1 : a->time_s > b->time_s ? -1 : strcmp(a->name, b->name);
}

char *
profile_hot_package(const char *file)
{
	if (profile_place_owner(file) == OWNER_CELL)
		return xasprintf("%.*s", (int)strlen(file) - 2, file + 1);
	const char *name = profile_place_short(file);
	bool standard = profile_place_owner(file) == OWNER_STANDARD;
	return profile_place_is_installed(file) || standard ?
	    xasprintf("%.*s", (int)strcspn(name, "/."), name) : xstrdup(name);
}

/* "bqplot" of "bqplot/src/Figure.ts", "@scope/name" of "@scope/name/src/x.ts" */
static char *
page_package(const char *file)
{
	const char *slash = strchr(file, '/');
	if (slash && *file == '@')
		slash = strchr(slash + 1, '/');
	return xasprintf("%.*s", slash && slash > file ? (int)(slash - file) : -1, file);
}

static void
add_package(struct hot_package *list, size_t *n, char *name, double time_s)
{
	size_t i = 0;
	while (i < *n && strcmp(list[i].name, name) != 0)
		i++;
	if (i == *n)
		list[(*n)++] = (struct hot_package){name, 0};
	else
		free(name);
	list[i].time_s += time_s;
}

char *
profile_hot_packages(const struct profile_cell *c)
{
	double *time_s = profile_hot_times(c), all = profile_hot_wall_s(c);
	struct hot_package *list = xmalloc((c->n_functions + 1) * sizeof *list);
	struct buf b = {0};
	size_t n = 0;
	for (size_t i = 0; time_s && i < c->n_functions; i++)
		if (time_s[i] > 0)
			add_package(list, &n, c->page ? page_package(c->functions[i].file) :
			    profile_hot_package(c->functions[i].file), time_s[i]);
	if (n)
		qsort(list, n, sizeof *list, by_package_time);
	for (size_t i = 0; i < n; i++) {
		if (i < MAX_PACKAGES && list[i].time_s >= MIN_PACKAGE_SHARE * all)
			buf_addf(&b, "%s%s %.0f %%", b.n ? ", " : "time by package: ",
			    list[i].name, 100 * list[i].time_s / all);
		free(list[i].name);
	}
	free(list);
	free(time_s);
	return b.p;
}
