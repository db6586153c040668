/* cell_record.h: the records of a cell: nbscope-records(7). */
#ifndef CELL_RECORD_H
#define CELL_RECORD_H

#include "notebook.h"
#include "run/cell_status.h"

json_t *cell_record_start(const struct notebook_cell *);
/* `seen`: what the page answered, K.wait() of share/page/kernel.js. */
json_t *cell_record(const struct notebook_cell *, const json_t *seen);
/* One line of the page's console, from `seen`'s "console". */
json_t *cell_record_console(const struct notebook_cell *, const json_t *line);
/* A cell without numbers: it did not run, or its browser stopped answering. */
json_t *cell_record_unmeasured(const struct notebook_cell *, enum cell_status, const char *reason);
void cell_record_mark(json_t *record, const char *word);

#endif
