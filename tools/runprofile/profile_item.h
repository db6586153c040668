/* profile_item.h: a line or a function of a cell, as text and as the beginning of a record. */
#ifndef PROFILE_ITEM_H
#define PROFILE_ITEM_H

#include "profile/profile_fold.h"

/* Borrows everything. */
struct profile_item {
	const struct profile_cell *cell;
	bool is_line;
	const char *file, *function;
	long line;
	const struct profile_values *values;
};
struct profile_item profile_item_line(const struct profile_cell *, const struct profile_code *,
    const struct profile_line *);
struct profile_item profile_item_function(const struct profile_cell *,
    const struct profile_function *);
/* "cell 5: line glue/core/data.py:55 Data.get_mask" */
void profile_item_text(struct buf *, const struct profile_item *);
/* Writes a record of this type; takes the other members. */
void profile_item_write(const struct profile_item *, const char *type, json_t *members);

#endif
