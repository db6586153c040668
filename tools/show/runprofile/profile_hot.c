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

/* Whether it is the cell's own code, "<cell 5>". */
static bool
is_of_cell(const struct profile_code *of, long index)
{
	return strcmp(of->file, of->function) == 0 &&
	    profile_place_owner(of->file) == OWNER_CELL &&
	    strtol(of->file + strlen("<cell "), NULL, 10) == index;
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

static double
functions_wall_s(const struct profile_cell *c)
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
	double half = functions_wall_s(c) / 2;
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

/* The package of a file: "glue" for "glue/core/data.py"; the file if it is the user's own. */
static char *
package_of(const char *file)
{
	if (profile_place_owner(file) == OWNER_CELL)
		return xasprintf("%.*s", (int)strlen(file) - 2, file + 1);
	const char *name = profile_place_short(file);
	return profile_place_is_installed(file) ? xasprintf("%.*s", (int)strcspn(name, "/"), name) :
	    xstrdup(name);
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
	double *time_s = profile_hot_times(c), all = functions_wall_s(c);
	struct hot_package *list = xmalloc((c->n_functions + 1) * sizeof *list);
	struct buf b = {0};
	size_t n = 0;
	for (size_t i = 0; time_s && i < c->n_functions; i++)
		if (time_s[i] > 0)
			add_package(list, &n, package_of(c->functions[i].file), time_s[i]);
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

/* "hit 1,000 times in 3 runs", "called once"; 0: nothing */
static void
add_times(struct buf *b, const char *verb, double times, size_t runs)
{
	if (!(times > 0))
		return;
	buf_addf(b, ", %s ", verb);
	if (times > 1) {
		profile_text_count(b, times);
		buf_addf(b, " times");
	} else {
		buf_addf(b, "once");
	}
	if (runs > 1)
		buf_addf(b, " in %zu runs", runs);
}

/* "86 % of cell 5 is ", "cell 5 in 4 worker processes: 3.1 s of 3.4 s are " */
static void
begin_sentence(struct buf *b, const struct profile_cell *c, double part_s, double all_s)
{
	if (c->processes) {
		profile_text_cell(b, c);
		buf_addf(b, ": %s of %s are ", unit_time(fmin(part_s, all_s)).p,
		    unit_time(all_s).p);
		return;
	}
	buf_addf(b, "%d %% of ", share_pct(part_s, all_s));
	profile_text_cell(b, c);
	buf_addf(b, " is ");
}

/* Whether the line is in a function; else it is in a cell. */
static bool
add_line(struct buf *b, const struct profile_cell *c)
{
	const struct profile_code *of;
	const struct profile_line *l = profile_hot_line(c, &of);
	if (!l)
		return false;
	begin_sentence(b, c, l->time_s, lines_wall_s(c));
	bool in_cell = strcmp(of->file, of->function) == 0 &&
	    profile_place_owner(of->file) == OWNER_CELL;
	long other = in_cell ? strtol(of->file + strlen("<cell "), NULL, 10) : 0;
	if (!in_cell)
		buf_addf(b, "line %ld of %s, %s", l->line, file_name(of->file), of->function);
	else if (other == c->index)
		buf_addf(b, "its line %ld", l->line);
	else
		buf_addf(b, "line %ld of cell %ld", l->line, other);
	add_times(b, "hit", l->hits, of->runs);
	return !in_cell;
}

static void
add_inner_function(struct buf *b, const struct profile_cell *c, size_t inner)
{
	const struct profile_function *f = &c->functions[inner];
	if (b->n)
		buf_addf(b, "; %d %% is ", share_pct(f->cumulative_s, functions_wall_s(c)));
	else
		begin_sentence(b, c, f->cumulative_s, functions_wall_s(c));
	buf_addf(b, "%s %s and what it calls", profile_place_short(f->file), f->function);
	add_times(b, "called", f->calls, f->runs);
}

static void
add_longest_function(struct buf *b, const struct profile_cell *c, size_t longest, double time_s)
{
	const struct profile_function *f = &c->functions[longest];
	if (b->n)
		buf_addf(b, "; %d %% is ", share_pct(time_s, functions_wall_s(c)));
	else
		begin_sentence(b, c, time_s, functions_wall_s(c));
	if (profile_place_owner(f->file) == OWNER_CELL && *f->function == '<') {
		buf_addf(b, "the code of %.*s", (int)strlen(f->file) - 2, f->file + 1);
		return;
	}
	buf_addf(b, "%s %s", profile_place_short(f->file), f->function);
	add_times(b, "called", f->calls, f->runs);
}

/* A function that takes half of the time itself, else the innermost one that does with what it
 * calls, else the longest one. */
static void
add_function(struct buf *b, const struct profile_cell *c)
{
	double *time_s = profile_hot_times(c), longest_s = 0;
	size_t longest = 0, inner = profile_hot_inner(c);
	for (size_t i = 0; i < c->n_functions; i++)
		if (time_s[i] > longest_s)
			longest_s = time_s[longest = i];
	free(time_s);
	if (longest_s < functions_wall_s(c) / 2 && inner < c->n_functions)
		add_inner_function(b, c, inner);
	else if (longest_s > 0)
		add_longest_function(b, c, longest, longest_s);
}

/* "62 % of the sampled time of cell 2 is spin (<cell 1>:6), in kernel helper" */
static void
add_leaf(struct buf *b, const struct profile_cell *c)
{
	double all_s = 0;
	for (size_t i = 0; i < c->n_leaves; i++)
		all_s += c->leaves[i].time_s;
	if (!(all_s > 0))
		return;
	const struct profile_stack *l = c->leaves;
	buf_addf(b, "%d %% of the sampled time of ", share_pct(l->time_s, all_s));
	profile_text_cell(b, c);
	buf_addf(b, " is %s, in %s %s", json_string_value(json_array_get(l->frames, 0)),
	    l->process, l->thread);
}

char *
profile_hot_sentence(const struct profile_cell *c)
{
	struct buf b = {0};
	if (!add_line(&b, c))
		add_function(&b, c);
	if (!b.n)
		add_leaf(&b, c);
	if (b.n && c->changed)
		buf_addf(&b, "; this was before its code changed");
	return b.p;
}
