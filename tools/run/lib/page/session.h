/* session.h: the browser, the server and the notebook of a run in a page, opened and returned. */
#pragma once

#include "record/cell_usage.h"
#include "record/run_record.h"

#include <stdint.h>

struct wd;

struct session {
	struct wd *wd;		/* NULL: the browser has not been handed over yet */
	struct lab *lab;	/* NULL: only the page knows its server */
	struct server_files files;
	struct cell_usage *usage;	/* NULL: no kernel is watched */
	bool page_failed;	/* the server or the browser did not open the page */
	bool page_answers;	/* it did when the last cell was over */
	bool reuse;		/* the page is to serve several notebooks (--reuse) */
	bool closed;		/* the page shows nothing, as the next notebook needs it */
	bool own_tab;		/* one that was opened in a joined browser */
	uint64_t start_ns;
};

/* Connects to the browser and the server that the environment names.  What is opened from now on
 * is closed when the process exits or a signal ends it. */
void xsession_connect(struct session *);
/* Whether the browser is one that the user had open (wdsession --join). */
bool session_joined(void);
/* Puts everything on the server and opens the page; NULL, or the reason why that failed. */
char *session_open(struct session *, const struct notebook *, const char *name);
/* Opens the page of a notebook that is on the server; NULL, or the reason. */
char *session_open_page(struct session *);
/* Watches what --viz-selector says, in a page that has the scripts: 0; -1 and wd->message if the
 * selector is invalid. */
int session_select(const struct session *);
/* Watches the kernel's processes, and pins the kernel if --cores says so. */
void xsession_watch_kernel(struct session *, const char *kernel_id);
/* Writes the run_end record and closes everything. */
void xsession_end(struct session *, enum cell_status, const char *reason, size_t cells_run,
    double open_ms);
double session_ms(const struct session *);	/* since xsession_connect() */
