/* profile_sentence.c: in one sentence, what takes a cell's time. */
#include "profile_sentence.h"
#include "base/die.h"
#include "base/str.h"
#include "json/json_value.h"
#include "profile_hot.h"
#include "profile_own.h"
#include "profile_below.h"
#include "profile_text.h"
#include "profile/profile_place.h"
#include "text/text.h"
#include "text/unit.h"

enum { SOURCE_COLUMNS = 60 };
#define MIN_THREADS 0.1	/* of the cell's time, which its threads took */

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

/* "called 1,000 times in 3 runs", "once"; 0: nothing */
static void
add_times(struct buf *b, const char *verb, double times, size_t runs)
{
	if (!(times > 0))
		return;
	buf_addf(b, ", %s", verb);
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

/* ---- own lines ---------------------------------------------------------------------- */

static bool
is_in_function(const struct profile_own *o)
{
	return strcmp(o->file, o->function) != 0 && strcmp(o->function, "<module>") != 0;
}

/* "line 4 of cell 1 in `gen`, `socket.recv(9)`, 5 times" */
static void
add_own_line(struct buf *b, const struct profile_own *o)
{
	long cell = profile_place_cell(o->file);
	const char *source = o->source ? o->source + strspn(o->source, " \t") : "";
	if (cell)
		buf_addf(b, "line %ld of cell %ld", o->line, cell);
	else
		buf_addf(b, "line %ld of %s", o->line, file_name(o->file));
	if (is_in_function(o))
		buf_addf(b, " in `%s`", o->function);
	if (*source) {
		buf_addf(b, ", `");
		text_show(b, source, SOURCE_COLUMNS);
		text_trim_end(b);
		buf_addf(b, "`");
	}
	if (o->counted)
		add_times(b, "", o->counted->hits, o->code->runs);
	if (strncmp(source, "%timeit", 7) == 0 || strncmp(source, "%%timeit", 8) == 0)
		buf_addf(b, ", which runs its code many times (%%%%time shows its lines)");
}

/* "matplotlib.pyplot" for "matplotlib/pyplot.py" */
static void
add_module(struct buf *b, const char *file)
{
	const char *name = profile_place_short(file), *end = strstr(name, "/__init__.py");
	size_t n = end ? (size_t)(end - name) : strcspn(name, ".");
	for (size_t i = 0; i < n; i++)
		buf_addf(b, "%c", name[i] == '/' ? '.' : name[i]);
}

/* "; below it matplotlib `_AxesBase.draw`", "; below it the import of matplotlib.pyplot" */
static void
add_below(struct buf *b, const struct profile_own *o)
{
	const struct profile_callee *k = o->below ? profile_below_innermost(o->below) : NULL;
	if (!k)
		return;
	if (strcmp(k->function, "<module>") == 0) {
		buf_addf(b, "; below it the import of ");
		add_module(b, k->file);
		return;
	}
	char *package = profile_hot_package(k->file);
	buf_addf(b, "; below it %s", package);
	if (*k->function != '<')
		buf_addf(b, " `%s`", k->function);
	free(package);
}

/* What the cell's threads did meanwhile is no part of its own time.  false: nothing. */
static bool
add_threads(struct buf *b, const struct profile_cell *c)
{
	const struct profile_pass *p = profile_fold_pass(c, "samples");
	struct profile_own o;
	if (!p || p->threads_s < MIN_THREADS * p->sampled_s || !profile_own_line(c, true, &o))
		return false;
	buf_addf(b, "; %d %% of %s in its threads is ", share_pct(o.share, 1),
	    unit_time(p->threads_s).p);
	add_own_line(b, &o);
	return true;
}

/* Whether it says all. */
static bool
add_line(struct buf *b, const struct profile_cell *c)
{
	struct profile_own o;
	if (!profile_own_line(c, false, &o))
		return false;
	double all_s = c->processes ? profile_own_wall_s(c) : 1;	/* else a share is said */
	if (!c->processes && !c->gesture && profile_place_cell(o.file) == c->index)
		buf_addf(b, "%d %% is ", share_pct(o.share, 1));
	else
		begin_sentence(b, c, o.share * all_s, all_s);
	add_own_line(b, &o);
	if (!add_threads(b, c))
		add_below(b, &o);
	return o.below || is_in_function(&o);
}

/* ---- functions ---------------------------------------------------------------------- */

/* Of the page with its line: nothing else names it. */
static void
add_place(struct buf *b, const struct profile_cell *c, const struct profile_function *f)
{
	if (c->page)
		profile_text_place(b, f->file, f->line, f->function);
	else
		buf_addf(b, "%s %s", profile_place_short(f->file), f->function);
}

static void
add_inner_function(struct buf *b, const struct profile_cell *c, size_t inner)
{
	const struct profile_function *f = &c->functions[inner];
	if (b->n)
		buf_addf(b, "; %d %% is ", share_pct(f->cumulative_s, profile_hot_wall_s(c)));
	else
		begin_sentence(b, c, f->cumulative_s, profile_hot_wall_s(c));
	add_place(b, c, f);
	buf_addf(b, " and what it calls");
	add_times(b, "called ", f->calls, f->runs);
}

static void
add_longest_function(struct buf *b, const struct profile_cell *c, size_t longest, double time_s)
{
	const struct profile_function *f = &c->functions[longest];
	if (b->n)
		buf_addf(b, "; %d %% is ", share_pct(time_s, profile_hot_wall_s(c)));
	else
		begin_sentence(b, c, time_s, profile_hot_wall_s(c));
	if (profile_place_owner(f->file) == OWNER_CELL && *f->function == '<') {
		buf_addf(b, "the code of %.*s", (int)strlen(f->file) - 2, f->file + 1);
		return;
	}
	add_place(b, c, f);
	add_times(b, "called ", f->calls, f->runs);
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
	if (longest_s < profile_hot_wall_s(c) / 2 && inner < c->n_functions)
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

/* ---- contributors ---------------------------------------------------------------------- */

/* "cell 5 takes 480 ms: viewer.py:88 sends 4.2 MB (comm_msg) (210 ms), then layout (190 ms)".
 * false: most of it is in the kernel. */
static bool
add_contributors(struct buf *b, const struct profile_cell *c)
{
	const json_t *first = json_array_get(c->contributors, 0);
	const char *longest = json_string_value(json_object_get(first, "longest"));
	if (!longest)
		return false;
	profile_text_cell(b, c);
	if (isfinite(c->client_s))
		buf_addf(b, " takes %s, with the profilers", unit_time(c->client_s).p);
	else
		buf_addf(b, " takes with the profilers");
	buf_addf(b, " %s: %s", unit_time(json_value_real_at(first, "cell_ms") / 1e3).p, longest);
	return true;
}

char *
profile_sentence(const struct profile_cell *c)
{
	struct buf b = {0}, mistake = {0};
	if (c->explained)
		return NULL;
	if (!add_contributors(&b, c) && !add_line(&b, c))
		add_function(&b, c);
	if (!b.n)
		add_leaf(&b, c);
	if (c->mistake) {
		bool is_most = c->mistake_s > profile_own_wall_s(c) / 2;
		buf_addf(&mistake, "%s%s%s", c->mistake, is_most || !b.n ? "" : "; ",
		    is_most || !b.n ? "" : b.p);
		buf_free(&b);
		b = mistake;
	}
	if (b.n && c->changed)
		buf_addf(&b, "; this was before its code changed");
	return b.p;
}
