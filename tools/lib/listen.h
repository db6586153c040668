/* listen.h: a notebook that a person works in, told by share/page/listen.js. */
#ifndef LISTEN_H
#define LISTEN_H

#include "cellrecord.h"
#include "cellusage.h"

struct listening {
	const struct run_options *o;
	struct wd *wd;
	struct lab *lab;	/* NULL: the page alone knows its server */
	struct cellusage *usage;	/* of kernel_id; NULL while none is known */
	double read_t;		/* when its last reading before a cell was done */
	char *kernel_id;	/* the page may tell of another one */
	const char *cores;	/* for a kernel that takes its place, as pin.c reads them; or NULL */
	const char *path;	/* the notebook's on the server; NULL: any in the page */
	char *renamed;		/* what the person renamed it to; NULL: nothing */
	bool save;		/* save it after each cell: it is ours */
	void (*put)(json_t *);	/* takes a record */
	size_t cells;		/* that were recorded */
	bool gone;		/* the page is: the person closed it */
	char *reason;		/* why it ended */
	const char *status;	/* "completed", or "browser_died" */
};
/* Records what happens in the present tab until it is closed or http_stop is
 * set. */
void listen_run(struct listening *);
/* The notebook as it stands in the page; NULL: it cannot be had. */
json_t *listen_executed(struct listening *);
void listen_free(struct listening *);

/* tab.c: a tab of a joined browser.  Goes to the one that shows the notebook
 * `name` (a path's end; NULL: any notebook, one in front first) and returns
 * what share/page/where.js tells of it; NULL: there is none. */
json_t *tab_find(struct wd *, const char *name);
int tab_open(struct wd *);	/* a new one, gone to; 0, or -1: see w->code */
void tab_close(struct wd *);	/* the present one */

#endif
