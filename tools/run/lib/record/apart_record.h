/* apart_record.h: records that the Python module nbscope puts among the outputs of a cell: what ran
 * apart from the kernel, in a process under Score-P, and what blocks of code emit.  A driver has
 * them in "apart" of what it has seen. */
#pragma once

#include "notebook/notebook.h"

#define APART_RECORD_MIME "application/vnd.nbscope.record+json"

void apart_record_write(const struct notebook_cell *, const json_t *seen);
/* Why a cell that was meant for such a process was not run; NULL if it ran or needed none. */
const char *apart_record_not_run(const json_t *seen);
