/* notebook_groups.h: which cells of results are of the same notebook. */
#ifndef NOTEBOOK_GROUPS_H
#define NOTEBOOK_GROUPS_H

#include "metric/results.h"

struct notebook_groups {
	size_t *of;		/* each cell's group */
	bool *has_cells;	/* each group's: not only the notebook as a whole */
	size_t n;
};

void notebook_groups_find(struct notebook_groups *, const struct results *);

#endif
