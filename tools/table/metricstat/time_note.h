/* time_note.h: whether a column called elapsed time is one. */
#pragma once

#include "table/table.h"

#include <jansson.h>

/* Adds table_note records about the columns of elapsed and CPU time, if the table has both: the two
 * are equal, or more CPU time than the cores have in that time. */
void time_note_add(json_t *all, const struct table *);
