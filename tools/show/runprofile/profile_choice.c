/* profile_choice.c: the functions whose lines are worth timing. */
#include "profile_choice.h"
#include "base/die.h"
#include "base/output.h"
#include "profile/profile_hot.h"
#include "profile/profile_place.h"

#include <stdlib.h>
#include <string.h>

struct chosen_function {
	char *pattern;
	double time_s;
};
static struct chosen_function *chosen;
static size_t n_chosen;

static void
choose_function(char *pattern, double time_s)
{
	size_t i = 0;
	while (i < n_chosen && strcmp(chosen[i].pattern, pattern) != 0)
		i++;
	if (i == n_chosen) {
		*XAPPEND(chosen, n_chosen) = (struct chosen_function){pattern, 0};
	} else {
		free(pattern);
	}
	chosen[i].time_s += time_s;
}

static int
by_time(const void *pa, const void *pb)
{
	const struct chosen_function *a = pa, *b = pb;
	return a->time_s != b->time_s ? a->time_s < b->time_s ? 1 : -1 :
	    strcmp(a->pattern, b->pattern);
}

static const double *order_s;
static int
by_order_s(const void *pa, const void *pb)
{
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;
	return order_s[a] != order_s[b] ? order_s[a] < order_s[b] ? 1 : -1 : (a > b) - (a < b);
}

static void
choose_in_cell(const struct profile_cell *c, double share)
{
	double *time_s = profile_hot_times(c), all = 0, sum = 0;
	size_t inner = profile_hot_inner(c);
	size_t *order = xmalloc((c->n_functions + 1) * sizeof *order), n = 0;
	for (size_t i = 0; i < c->n_functions; i++)
		if (profile_place_owner(c->functions[i].file) == OWNER_PACKAGE && time_s[i] > 0) {
			order[n++] = i;
			all += time_s[i];
		}
	order_s = time_s;
	qsort(order, n, sizeof *order, by_order_s);
	for (size_t i = 0; i < n && sum < share * all; i++) {
		const struct profile_function *f = &c->functions[order[i]];
		char *pattern = profile_place_pattern(f->file, f->function);
		sum += time_s[order[i]];
		if (pattern)
			choose_function(pattern, time_s[order[i]]);
	}
	if (inner < c->n_functions && share > 0) {
		const struct profile_function *f = &c->functions[inner];
		char *pattern = profile_place_pattern(f->file, f->function);
		if (pattern)
			choose_function(pattern, f->cumulative_s);
	}
	free(order);
	free(time_s);
}

void
profile_choice_put(const struct profile_fold *f, double share)
{
	for (size_t i = 0; i < f->n; i++)
		if (!f->cells[i].page)
			choose_in_cell(&f->cells[i], share);
	if (n_chosen)
		qsort(chosen, n_chosen, sizeof *chosen, by_time);
	for (size_t i = 0; i < n_chosen; i++)
		xoutput_line(chosen[i].pattern, strlen(chosen[i].pattern));
}
