/* trace_cell.h: how a cell is drawn: its lane, its phases, the kernel's work, the page. */
#pragma once

#include "run/run_reader.h"

void trace_cells_begin(void);	/* of the next run */
void trace_cell(struct scan *, const struct run_reader *);
/* What a person did with an output, from begin_us to the last change. */
void trace_interaction(struct scan *, int64_t begin_us);
/* From an input to the frame that shows its effect. */
void trace_interaction_step(struct scan *, int64_t begin_us);
