/* grid_walk.h: the combinations of a grid one after the other, the first parameter slowest. */
#pragma once

#include "grid.h"
#include "text/condition.h"

enum { GRID_END = -1 };

struct grid_walk {
	const struct grid *grid;
	const struct grid_entry *within;	/* only combinations with its values; NULL: all */
	size_t *at;	/* the choice of each axis */
	/* private */
	const struct grid_entry **live;	/* entries that the choices before each axis meet */
	size_t *n_live;
	bool started;
};
/* Finds the include entries that have no partner, then drops all that does not meet `where`.  Dies
 * if the matrix is too large or a condition has an unknown parameter. */
void xgrid_select(struct grid *, const struct conditions *where);
void grid_walk_start(struct grid_walk *, const struct grid *);
void grid_walk_free(struct grid_walk *);
/* Goes to the next combination.  Returns the first axis that changed, or GRID_END. */
long grid_walk_next(struct grid_walk *);
/* What include adds to the combination for a parameter; NULL: nothing. */
const struct grid_member *grid_walk_added(const struct grid_walk *, size_t param);
