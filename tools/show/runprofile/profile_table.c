/* profile_table.c: the cells of profiles, that with the longest time first, for people. */
#include "profile_table.h"
#include "base/die.h"
#include "profile_sentence.h"
#include "profile_text.h"
#include "text/text.h"

#include <unistd.h>

enum { COLUMNS = 120, MIN_COLUMNS = 80, MAX_COLUMNS = 200 };

static double
longest_s(const struct profile_cell *c)
{
	double longest = 0;
	for (size_t i = 0; i < c->n_passes; i++)
		longest = fmax(longest, c->passes[i].wall_s / (double)c->passes[i].runs);
	return longest;
}

static int
by_longest(const void *pa, const void *pb)
{
	const struct profile_cell *a = *(const struct profile_cell *const *)pa;
	const struct profile_cell *b = *(const struct profile_cell *const *)pb;
	double x = longest_s(a), y = longest_s(b);
	return x < y ? 1 : x > y ? -1 : (a > b) - (a < b);
}

/* The cells, that with the longest time first; the list is the caller's. */
static const struct profile_cell **
ordered_cells(const struct profile_fold *f)
{
	const struct profile_cell **list = xmalloc((f->n + 1) * sizeof(*list));
	for (size_t i = 0; i < f->n; i++)
		list[i] = &f->cells[i];
	qsort(list, f->n, sizeof(*list), by_longest);
	return list;
}

static size_t
terminal_columns(void)
{
	return text_terminal_columns(STDOUT_FILENO, COLUMNS, MIN_COLUMNS, MAX_COLUMNS);
}

/* Or why there is none. */
static char *
sentence_of(const struct profile_cell *c)
{
	char *sentence = profile_sentence(c);
	struct buf b = {0};
	for (size_t i = 0; i < c->n_passes && !sentence && !b.n; i++)
		if (c->passes[i].reason) {
			profile_text_cell(&b, c);
			buf_addf(&b, ": %s: %s", c->passes[i].profiler, c->passes[i].reason);
		}
	return sentence ? sentence : b.p;
}

void
profile_table_sentences(const struct profile_fold *f, size_t most_lines)
{
	const struct profile_cell **list = ordered_cells(f);
	size_t columns = terminal_columns(), lines = 1, i = 0;	/* one line for the rest */
	for (; i < f->n; i++) {
		char *sentence = sentence_of(list[i]);
		/* Wrapped lines are not filled. */
		lines += sentence ? text_columns(sentence) / (columns * 9 / 10) + 1 : 0;
		if (lines > most_lines)
			break;
		if (sentence)
			text_put_wrapped(STYLE_HEADING, sentence, 0, columns);
		free(sentence);
	}
	if (i < f->n)
		printf("and %zu more cells\n", f->n - i);
	free(list);
}

void
profile_table_put(const struct profile_fold *f, enum profile_sort sort, size_t top)
{
	const struct profile_cell **list = ordered_cells(f);
	struct profile_cell_table how = {terminal_columns(), top, sort, false};
	for (size_t i = 0; i < f->n; i++) {
		const char *a = f->cells[i].usecase, *b = f->cells[0].usecase;
		how.usecases = how.usecases || strcmp(a ? a : "", b ? b : "") != 0;
		char *sentence = profile_sentence(list[i]);
		if (sentence)
			text_put_wrapped(STYLE_HEADING, sentence, 0, how.columns);
		free(sentence);
	}
	for (size_t i = 0; i < f->n; i++)
		profile_cell_table_put(list[i], &how);
	free(list);
}
