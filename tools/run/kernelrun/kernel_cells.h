/* kernel_cells.h: the cells of a notebook, run in a kernel one after the other. */
#pragma once

#include "cell_outputs.h"
#include "kernel_client.h"
#include "notebook/notebook.h"

/* The cell that runs, or that ran last.  Instants are Unix ms; NaN: not yet. */
struct kernel_cell {
	const struct notebook_cell *cell;
	char id[KERNEL_CLIENT_ID_BYTES];	/* of its request */
	double sent, busy, idle;	/* busy and idle by the kernel's clock */
	double idle_at, reply;	/* when they arrived */
	json_t *content;	/* of its reply */
	bool counting, input, no_date;
	struct {
		json_int_t messages, bytes;
	} out, in;
	json_int_t comms;	/* messages of widgets that arrived */
	long steps, drops;	/* of the clock and the connection, before */
	size_t unread;
};

/* What has become of a cell. */
struct kernel_cell_result {
	struct cell_outputs outputs;
	json_t *updates;	/* displays of other cells that it updated: {id: data}; or NULL */
	bool lost;	/* the server dropped messages */
	json_t *execution_count;	/* NULL: it did not run */
	json_t *execution;	/* dates of its messages, as JupyterLab stores them; or NULL */
	json_t *next_input;	/* what the kernel wants the next cell to be; or NULL */
	json_t *exit;	/* what ends the session: the payload of exit(); or NULL */
	json_t *caught;	/* the last error that an Output widget shows; or NULL */
};

struct kernel_cells {
	struct kernel_client client;
	const struct notebook *notebook;
	struct kernel_cell_result *results;	/* of each code cell */
	json_t *owners;		/* of messages: {id of a request: index of its cell, from 0} */
	json_t *captures;	/* {comm of an Output widget: id of the request it takes from} */
	struct kernel_cell now;
};

/* NULL, or why the kernel cannot be used, the caller's. */
char *kernel_cells_open(struct kernel_cells *, struct server_files *, const struct notebook *,
    uint64_t end_ns);
/* Runs a cell; the answer has the members that a page would have seen: cell_record.h. */
json_t *kernel_cells_run(struct kernel_cells *, const struct notebook_cell *, double max_wait_s);
/* Waits for the end of a cell that was interrupted; whether it ended. */
bool kernel_cells_wait_interrupted(void *kernel_cells);
