/* run_record.h: the records of a whole run, and writing a record: nbscope-records(7). */
#pragma once

#include "notebook/notebook.h"
#include "run/cell_status.h"
#include "server/server_files.h"

#include <stdint.h>

/* lab and server_files may be NULL. */
json_t *run_record(const struct notebook *, const char *path, const struct lab *,
    const struct server_files *);
json_t *run_record_fault(const char *what, const char *message);
/* Writes how the earlier attempts ended, if there were any. */
void run_record_write_earlier(void);
json_t *run_record_end(enum cell_status, const char *reason, size_t cells_run, double wall_ms,
    double open_ms, double loading_ms);
/* Takes a record and writes it to stdout at once. */
void xrun_record_write(json_t *);
/* Ends the process if a signal has arrived; else writes the run_end record and cleans up. */
void xrun_close(struct server_files *, enum cell_status, const char *reason, size_t cells_run,
    uint64_t start_ns, double open_ms);
