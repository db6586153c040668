/* profile_own.c: the author's own lines in a cell, and their shares of its time.
 * Times of lines whose hits are counted are exact where counting takes little.  Otherwise those of
 * samples are right, except that they cannot tell apart the lines of one function between two
 * calls: there, its time is divided as that which was counted. */
#include "profile_own.h"
#include "base/die.h"
#include "base/str.h"

#define MAX_COUNTING 0.05	/* of the cell's time */
#define MIN_SHARE 0.05	/* a line that has less is not worth a sentence */
#define SAME 0.05	/* shares that are the same for samples */

struct own_list {
	struct profile_own *v;
	size_t n;
};

double
profile_own_wall_s(const struct profile_cell *c)
{
	double longest = 0;
	for (size_t i = 0; i < c->n_codes; i++)
		longest = fmax(longest, c->codes[i].time_s);
	return profile_fold_wall_s(c, "lines", longest);
}

static void
add_counted(struct own_list *list, const struct profile_code *code, bool only_known)
{
	for (size_t i = 0; i < code->n_lines; i++) {
		const struct profile_line *l = &code->lines[i];
		struct profile_own *o = list->v, *end = list->v + list->n;
		while (o < end && !(o->line == l->line && o->first_line == code->first_line &&
		    strcmp(o->file, code->file) == 0 && strcmp(o->function, code->function) == 0))
			o++;
		if (o == end && (only_known || !(l->time_s > 0)))
			continue;
		if (o == end) {
			o = XAPPEND(list->v, list->n);
			*o = (struct profile_own){.file = code->file,
				.function = code->function, .source = l->source,
				.first_line = code->first_line, .line = l->line};
		}
		o->code = code;
		o->counted = l;
	}
}

static bool
runs_in_threads(const struct profile_cell *c, const struct profile_code *code)
{
	for (const struct profile_below *b = c->below; b < c->below + c->n_below; b++)
		if (b->threads && strcmp(b->file, code->file) == 0 &&
		    strcmp(b->function, code->function) == 0)
			return true;
	return false;
}

/* Of the time in which a function itself ran, each line gets as much as it has of what was counted
 * and not sampled below it.  Lines that mostly call keep theirs: what they call was counted. */
static void
divide_function(struct own_list *list, const struct profile_code *code, double per_s, double runs)
{
	double *weight = xmalloc((list->n + 1) * sizeof *weight), all = 0, leaf_s = 0;
	for (size_t i = 0; i < list->n; i++) {
		const struct profile_own *o = &list->v[i];
		weight[i] = -1;
		if (o->code != code)
			continue;
		double own_s = o->below ? o->below->leaf_s : 0;
		double called_s = o->below ? o->below->time_s - own_s : 0;
		if (called_s > own_s || (o->below && o->below->uncounted))
			continue;
		weight[i] = fmax(0, o->counted->time_s * runs - called_s);
		all += weight[i];
		leaf_s += own_s;
	}
	for (size_t i = 0; i < list->n && all > 0; i++) {
		struct profile_own *o = &list->v[i];
		if (weight[i] < 0)
			continue;
		double own_s = o->below ? o->below->leaf_s : 0;
		double more = (leaf_s * weight[i] / all - own_s) * per_s;
		o->share = fmax(0, o->share + more);
		o->inner = fmax(0, o->inner + more);
	}
	free(weight);
}

/* What counting added to a cell, as a part of its time.  CPU time, because on a busy machine a cell
 * takes longer in one run than in another. */
static double
counting_share(const struct profile_pass *lines, const struct profile_pass *samples)
{
	double with_s = lines->cpu_s / (double)lines->runs;
	return (with_s - samples->cpu_s / (double)samples->runs) /
	    (samples->wall_s / (double)samples->runs);
}

static void
set_shares(struct own_list *list, const struct profile_cell *c, bool threads, double sampled_s)
{
	const struct profile_pass *lines = profile_fold_pass(c, "lines");
	const struct profile_pass *samples = profile_fold_pass(c, "samples");
	double wall_s = profile_own_wall_s(c);
	bool exact = !lines || !samples || counting_share(lines, samples) <= MAX_COUNTING;
	for (size_t i = 0; i < list->n; i++) {
		struct profile_own *o = &list->v[i];
		if (o->below && sampled_s > 0) {
			o->share = o->below->time_s / sampled_s;
			o->inner = o->below->inner_s / sampled_s;
		}
		if (o->counted && !threads && wall_s > 0 && (!(sampled_s > 0) || (exact &&
		    !(o->below && o->below->uncounted))))
			o->share = o->counted->time_s / wall_s;
	}
	for (size_t i = 0; i < c->n_codes && sampled_s > 0 && !exact && !threads; i++)
		divide_function(list, &c->codes[i], 1 / sampled_s,
		    (double)samples->runs / (double)lines->runs);
	for (size_t i = 0; i < list->n; i++)
		list->v[i].share = fmin(list->v[i].share, 1);
}

static struct own_list
own_lines(const struct profile_cell *c, bool threads)
{
	const struct profile_pass *samples = profile_fold_pass(c, "samples");
	struct own_list list = {0};
	for (const struct profile_below *b = c->below; b < c->below + c->n_below; b++)
		if (b->threads == threads)
			*XAPPEND(list.v, list.n) = (struct profile_own){.file = b->file,
				.function = b->function, .source = b->source,
				.first_line = b->first_line, .line = b->line, .below = b};
	for (size_t i = 0; i < c->n_codes; i++)
		add_counted(&list, &c->codes[i],
		    threads || runs_in_threads(c, &c->codes[i]));
	set_shares(&list, c, threads, !samples ? 0 : threads ? samples->threads_s :
	    samples->sampled_s);
	return list;
}

bool
profile_own_line(const struct profile_cell *c, bool threads, struct profile_own *found)
{
	struct own_list list = own_lines(c, threads);
	const struct profile_own *least = NULL, *best;
	for (const struct profile_own *o = list.v; o < list.v + list.n; o++)
		if (o->share >= 0.5 && (!least || o->share < least->share))
			least = o;
	best = least;
	for (const struct profile_own *o = list.v; o < list.v + list.n; o++) {
		if (least && (o->share < 0.5 || o->share > least->share + SAME))
			continue;
		if (!best || o->inner > best->inner ||
		    (!least && best->inner <= 0 && o->share > best->share))
			best = o;
	}
	if (best)
		*found = *best;
	bool any = best && best->share >= MIN_SHARE;
	free(list.v);
	return any;
}

void
profile_own_set(struct profile_cell *c)
{
	for (int threads = 0; threads < 2; threads++) {
		struct own_list list = own_lines(c, threads);
		for (struct profile_own *o = list.v; o < list.v + list.n; o++) {
			if (o->below)
				((struct profile_below *)(uintptr_t)o->below)->share = o->share;
			if (o->counted && !threads)
				((struct profile_line *)(uintptr_t)o->counted)->share =
				    o->share;
		}
		free(list.v);
	}
}
