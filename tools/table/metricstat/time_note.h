/* time_note.h: whether a column called elapsed time is one. */
#pragma once

#include "table/table.h"

#include <jansson.h>

/* table_note records about the columns of elapsed and CPU time, if the table has both: the two
 * are equal, or more CPU time than the cores have in that time. */
json_t *time_note_records(const struct table *);
