/* run_cells.h: all cells of a run, in order. */
#pragma once

#include "notebook/notebook.h"
#include "run/cell_status.h"
#include "server/server_files.h"

/* Runs each cell by run(), which returns its record, until one ends the run, and writes the
 * records, and those of Spark.  The status of the run; *reason is the caller's. */
enum cell_status run_cells(const struct notebook *, const struct server_files *,
    json_t *(*run)(const struct notebook *, const struct notebook_cell *), size_t *cells_run,
    char **reason);
/* For a notebook that could not be opened: its records before the end, and the status of the run,
 * which is broken_part(). */
enum cell_status run_cells_not_opened(const struct notebook *, const char *error,
    enum cell_status (*broken_part)(void));
/* For --skip: all records of such a run, and the end of the output. */
void run_cells_skip(const struct notebook *, const char *path);
