/* lab_page_wait.h: waits until a cell that runs in the page has ended. */
#pragma once

#include "browser/wd.h"
#include "notebook/notebook.h"

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
/* The answer of K.wait() in kernel.js, for the first time or, for a cell that was still busy,
 * further. NULL if the browser stopped answering. */
json_t *lab_page_wait(struct wd *, const struct lab_page_wait *);
