/* run_record.h: the records of a whole run, and writing a record: nbscope-records(7). */
#ifndef RUN_RECORD_H
#define RUN_RECORD_H

#include "notebook.h"
#include "run/cell_status.h"
#include "server_files.h"

struct run_options {
	const char *label, *wait, *selector;
	const char *cores;	/* the kernel's, see affinity.h; NULL: all */
	long repetition, attempt, settle_ms;
	double max_wait_s;
	bool screenshots, filmed;
	const json_t *profile;	/* the profilers' settings, see profiling.h; NULL: no profiler */
	json_t *made_from;	/* NULL: unknown */
};

/* lab and server_files may be NULL. */
json_t *run_record(const struct run_options *, const struct notebook *, const char *path,
    const struct lab *, const struct server_files *);
json_t *run_record_fault(const char *what, const char *message);
json_t *run_record_end(enum cell_status, const char *reason, size_t cells_run, double wall_ms,
    double open_ms, double loading_ms);
/* Takes a record and writes it to stdout at once. */
void xrun_record_write(json_t *);

#endif
