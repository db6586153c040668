/* notebook_groups.c: which cells of results are of the same notebook. */
#include "notebook_groups.h"
#include "base/die.h"

#include <stdlib.h>
#include <string.h>

static int
compare_notebooks(const struct result_cell *a, const struct result_cell *b)
{
	int order = strcmp(a->name, b->name);
	return order ? order :
	    strcmp(a->usecase ? a->usecase : "", b->usecase ? b->usecase : "");
}

static int
compare_cells(const void *a, const void *b)
{
	return compare_notebooks(*(const struct result_cell *const *)a,
	    *(const struct result_cell *const *)b);
}

void
notebook_groups_find(struct notebook_groups *g, const struct results *m)
{
	const struct result_cell **sorted = xmalloc((m->cells + 1) * sizeof *sorted);
	g->of = xmalloc((m->cells + 1) * sizeof *g->of);
	g->has_cells = xmalloc((m->cells + 1) * sizeof *g->has_cells);
	g->n = 0;
	for (size_t i = 0; i < m->cells; i++)
		sorted[i] = &m->cell[i];
	qsort(sorted, m->cells, sizeof *sorted, compare_cells);
	for (size_t i = 0; i < m->cells; i++) {
		if (i == 0 || compare_notebooks(sorted[i - 1], sorted[i]) != 0)
			g->has_cells[g->n++] = false;
		g->of[sorted[i] - m->cell] = g->n - 1;
		g->has_cells[g->n - 1] |= sorted[i]->index > 0;
	}
	free(sorted);
}
