/* run_close.h: the end of a run. */
#ifndef RUN_CLOSE_H
#define RUN_CLOSE_H

#include "run/cell_status.h"
#include "server/server_files.h"

#include <stddef.h>
#include <stdint.h>

/* Ends the process if a signal has arrived; else writes the run_end record and cleans up. */
void xrun_close(struct server_files *, enum cell_status, const char *reason, size_t cells_run,
    uint64_t start_ns, double open_ms);

#endif
