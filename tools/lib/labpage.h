/* labpage.h: a notebook open in JupyterLab in a browser, as a driver sees it. */
#ifndef LABPAGE_H
#define LABPAGE_H

#include "browser.h"
#include "notebook.h"

/* page.c: share/page, NUL-terminated. */
extern const char page_watch_js[], page_usage_js[], page_message_js[], page_outputs_js[], page_kernel_js[], page_listen_js[], page_where_js[];

/* What a run puts on the server, all under names of its own. */
struct place {
	struct lab *lab;
	char *folder;		/* "nbscope-0123456789abcdef", below the root; NULL: a notebook of the person's */
	json_t *made;		/* paths of the folders that we put there */
	char *here;		/* where `folder` lies on this machine; NULL: elsewhere, or not known */
	bool page_stays;	/* and may save its workspace once more */
	char *path;		/* folder/NOTEBOOK.ipynb */
	char *workspace;	/* JupyterLab's, named as the folder is */
	char *session_id, *kernel_id, *kernel;
	bool starting;		/* a session was asked for, and may be there without our knowing it */
	bool stillborn;	/* the kernel ended whenever it was started */
	double loading_ms;	/* JupyterLab's own: from the navigation until all was ready */
	bool not_ours;		/* the session ran before: it goes on */
	int guard_fd;		/* to the process that cleans up if we are killed; 0: none */
	pid_t guard;
};
/* `prefix` and the path, all but '/' and what a URL may hold percent-encoded. */
char *url_path(const char *prefix, const char *path);
/* A folder of our own with the notebook and files in it, and a fresh kernel of
 * `kernel` (NULL: the notebook's, else the server's default) for it.
 * 0, or -1: see lab->error. */
int place_open(struct place *, struct lab *, const char *name, const json_t *notebook, const char *kernel);
/* A file or a whole folder's content beside the notebook; 0, or -1. */
int place_put(struct place *, const char *local_path, const char *as);
int place_start(struct place *, const char *kernel);
/* A notebook that is on the server already: only what we add to it is ours.
 * 0, or -1: see lab->error. */
int place_adopt(struct place *, struct lab *, const char *path);
/* Its kernel, once it is open: ended by place_close() unless it ran before. */
void place_adopt_kernel(struct place *);
int place_interrupt(struct place *);
/* The notebook as the server has it now; NULL: see lab->error. */
json_t *place_get(struct place *);
/* Its file into `to`, from its beginning; 0, or -1: see lab->error. */
int place_fetch(struct place *, FILE *to);
/* prefix and a path with all but unreserved characters and '/' percent-encoded. */
char *url_path(const char *prefix, const char *path);
/* The server's time of its last change; caller frees; NULL: see lab->error. */
char *place_modified(struct place *);
/* The kernel's process on this machine tells where the folder lies; 0: elsewhere. */
void place_here(struct place *, pid_t kernel);
/* Ends the kernel, if it is ours. */
void place_end_kernel(struct place *);
/* Ends it, and removes the folder and the workspace. */
void place_close(struct place *);

/* Opens the notebook's page with the scripts armed and waits until its kernel
 * is really ready.  0; -1: *error is a line for people (the caller frees). */
int page_open(struct wd *, struct place *, long ready_ms, char **error);
/* The scripts into a page that is there already; they know when they are. */
int page_inject(struct wd *);
enum wait_viz { VIZ_NO, VIZ_YES, VIZ_AUTO };
struct cell_wait {
	enum wait_viz viz;
	bool empty;
	long quiet_ms, grace_ms;
	double max_wait_ms;
	bool first;	/* of its notebook: JupyterLab may swallow its key press */
	void (*before_press)(void);	/* called when all but the press is done; or NULL */
	void (*meanwhile)(void);	/* called again and again while the cell runs; or NULL */
	const struct cell *next;	/* armed when this one went well; or NULL */
};
/* Tells the page which cell the next Control+Enter is to run; needed for the
 * first one and after one that did not go well.  0, or -1: see w->code. */
int page_arm(struct wd *, const struct cell *);
/* Moves by keyboard from the cell at `from` (a position) to `c`, presses
 * Control+Enter and waits: what kernel.js's K.wait() answers.  NULL and *error
 * (the caller frees it) when the browser stopped answering. */
json_t *page_run(struct wd *, size_t from, const struct cell *c, const struct cell_wait *, char **error);
/* Is this the `outcome` of K.wait()'s answer?  False for NULL. */
bool outcome_is(const json_t *seen, const char *word);
/* Waits on for a cell that was still busy. */
json_t *page_wait(struct wd *, const struct cell_wait *);
/* Presses Control+S and waits until the server has the notebook.  0; -1: *why is a
 * line for people (the caller frees it). */
int page_save(struct wd *, struct place *, long timeout_ms, char **why);
/* A PNG of the viewer (the largest thing that cells draw, or what the selector
 * names): a JSON string in base64; NULL: nothing to see, or w->code.
 * *blank: 1 when it is of one colour, 0 when not, -1 unknown. */
json_t *page_screenshot(struct wd *, int *blank);
/* Sets what counts as the viewer; NULL: all that cells draw.  0, or -1 and
 * w->message on a bad selector. */
int page_selector(struct wd *, const char *selector);

#endif
