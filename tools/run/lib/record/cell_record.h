/* cell_record.h: the records of a cell: nbscope-records(7). */
#pragma once

#include "notebook/notebook.h"
#include "run/cell_status.h"

json_t *cell_record_start(const struct notebook_cell *);
/* `seen`: what the page answered, K.wait() of share/page/kernel.js, or the same members from a
 * driver without a page, as far as it has them: "page" is null then. */
json_t *cell_record(const struct notebook_cell *, const json_t *seen);
/* One line of the page's console, from `seen`'s "console". */
json_t *cell_record_console(const struct notebook_cell *, const json_t *line);
/* A cell without numbers: it did not run, or its browser stopped answering. */
json_t *cell_record_unmeasured(const struct notebook_cell *, enum cell_status, const char *reason);
/* Whether this is the "outcome" in `seen`; false for NULL. */
bool cell_record_outcome_is(const json_t *seen, const char *word);
void cell_record_mark(json_t *record, const char *word);
