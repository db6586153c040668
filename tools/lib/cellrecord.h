/* cellrecord.h: what cellrun saw, as records: nbscope-records(7). */
#ifndef CELLRECORD_H
#define CELLRECORD_H

#include "labpage.h"

struct run_options {
	const char *label, *wait, *selector;
	const char *cores;	/* for the kernel, as pin.c reads them; or NULL */
	long repetition, attempt, quiet_ms;
	double max_wait_s;
	bool screenshots, filmed;
};
json_t *run_record(const struct run_options *, const struct notebook *, const char *path, const struct lab *, const struct place *);
json_t *cell_start_record(const struct cell *);
/* From what the page answered: K.wait() of share/page/kernel.js. */
json_t *cell_record(const struct cell *, const json_t *seen);
/* One line of what the page's console said: `seen`'s "console". */
json_t *console_record(const struct cell *, const json_t *line);
/* A cell of which no more is known: one that did not run, or whose browser stopped answering. */
json_t *idle_record(const struct cell *, const char *status, const char *reason);
json_t *fault_record(const char *what, const char *message);
json_t *run_end_record(const char *status, const char *reason, size_t cells_run, double wall_ms, double open_ms, double loading_ms);
/* The notebook as it is put on the server: no collapsed heading hides a cell. */
json_t *runnable_copy(const struct notebook *);
bool is_folder(const char *path);

#endif
