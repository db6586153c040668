/* lab_page.h: a notebook that is open in JupyterLab, driven by keyboard. */
#pragma once

#include "browser/wd.h"
#include "notebook/notebook.h"
#include "server/server_files.h"

enum lab_page_viz { VIZ_NO, VIZ_YES, VIZ_AUTO };
struct lab_page_wait {
	enum lab_page_viz viz;
	bool empty;
	long settle_ms, grace_ms;
	long press_ms;	/* limit for the effect of the key press; 0: the usual one */
	double max_wait_ms;
	bool first;	/* of its notebook: JupyterLab may swallow its key press */
	void (*before_press)(void);	/* called last before the press; or NULL */
	void (*meanwhile)(void);	/* called repeatedly while the cell runs; or NULL */
	const struct notebook_cell *next;	/* armed if this cell succeeds; or NULL */
	bool next_asks;	/* as of lab_page_arm() */
};
/* Prepares the page for the cell that the next Control+Enter will run; necessary for the
 * first one and after one that did not succeed. asks: whether the kernel is asked what the cell
 * has left pending. 0, or -1: see w->code. */
int lab_page_arm(struct wd *, const struct notebook_cell *, bool asks);
/* Moves by keyboard from the cell at position `from` to `c`, presses Control+Enter and
 * waits: the answer of K.wait() in kernel.js. NULL and *error (the caller frees it) if the
 * browser stopped answering. */
json_t *lab_page_run(struct wd *, size_t from, const struct notebook_cell *c,
    const struct lab_page_wait *, char **error);
/* Presses Control+S and waits until the server has the notebook. 0; -1: *why is a line for
 * people (the caller frees it). */
int lab_page_save(struct wd *, struct server_files *, long timeout_ms, char **why);
/* The answer of K.wait() in kernel.js, for the first time or, for a cell that was still busy,
 * further. NULL if the browser stopped answering. */
json_t *lab_page_wait(struct wd *, const struct lab_page_wait *);
