/* cellsession.h: cellrun's browser, server and notebook, opened and given back. */
#ifndef CELLSESSION_H
#define CELLSESSION_H

#include "cellrecord.h"
#include "cellusage.h"

enum { MOST_FILES = 64 };
struct session {
	struct run_options o;
	const char *kernel;	/* a kernelspec; NULL: the notebook's own */
	const char *beside[MOST_FILES];	/* files and folders for beside the notebook */
	size_t n_beside;
	long ready_ms;		/* bound of JupyterLab's loading and the kernel's start */
	const char *executed;	/* where the executed notebook is kept; or NULL */

	struct wd *wd;		/* NULL: the browser has not been handed over yet */
	struct lab *lab;	/* NULL: only the page knows its server */
	struct place place;
	struct cellusage *usage;
	bool lost;		/* the server or the browser left its page unopened */
	bool own_tab;		/* that was opened in a joined browser */
	uint64_t begin_ns;
};

/* Connects to the browser and the server that the environment names, and closes
 * what is opened from here on when the process exits or is told to end. */
void xsession_connect(struct session *);
/* Whether the browser is one that was open before (wdsession --join). */
bool joined_browser(void);
/* Puts all on the server and opens the page; NULL, or why it could not. */
char *session_open(struct session *, const struct notebook *, const char *name);
/* Opens the page of what is on the server; NULL, or why it could not. */
char *session_page(struct session *);
/* Watches the processes of this kernel, pinned where --cores says so. */
void xsession_watch(struct session *, const char *kernel_id);
/* The notebook as the page saves it, kept; or says why it cannot be. */
void xsession_keep_saved(struct session *);
/* Takes the notebook; NULL: says why there is none. */
void xsession_keep(const struct session *, json_t *notebook);
/* Ends the process, with all closed, where a signal told it to. */
void session_stop_if_told(void);
/* Writes the run_end record and closes all. */
void xsession_end(struct session *, const char *status, const char *reason, size_t cells_run, double open_ms);
double session_ms(const struct session *);	/* since it was connected */
/* Writes a record at once, and takes it. */
void xput_now(json_t *);

#endif
