/* cell_run.h: runs one cell. */
#pragma once

#include "filmstrip.h"
#include "page/session.h"

/* Runs a cell of an open session and returns its record.  `film` may be NULL.  Sets
 * session->page_answers. */
json_t *cell_run(struct session *, struct filmstrip *film, const struct notebook *,
    const struct notebook_cell *);
/* Whether the kernel is asked what this cell has left pending. */
bool cell_run_asks(const struct notebook *, const struct notebook_cell *);
