/* apart_record.h: records of what a cell ran apart from its kernel, in a process under Score-P.
 * The IPython extension shows them among the cell's outputs; a driver has them in "apart" of what
 * it has seen. */
#ifndef APART_RECORD_H
#define APART_RECORD_H

#include "drive/notebook.h"
#include "drive/profiling.h"

#define APART_RECORD_MIME "application/vnd.nbscope.scorep+json"

/* Before a cell is pressed: gives the extension, if it is there, the tags with options for it. */
void apart_record_before(const struct profiling_driver *, const struct notebook_cell *);
void apart_record_write(const struct notebook_cell *, const json_t *seen);
/* Why a cell that should have run apart did not run at all; NULL: it did, or was none. */
const char *apart_record_not_run(const json_t *seen);

#endif
