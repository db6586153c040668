/* session.c: the browser, the server and the notebook of a run in a page, opened and returned. */
#include "page/session.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/output.h"
#include "base/threads.h"
#include "browser/session_variables.h"
#include "browser/wd.h"
#include "notebook/run_options.h"
#include "page/page_load.h"
#include "page/page_reuse.h"
#include "record/kernel_watch.h"
#include "record/run_signals.h"
#include "server/server_cleanup.h"
#include "server/server_connection.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- a browser that is handed over ---- */

static int handover = -1;	/* the end of the socket */

/* The keeper of browsers, if there is one and it still runs. */
static bool
connect_keeper(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = path && *path ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
	if (fd < 0)
		return false;
	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
		handover = fd;
	else
		close(fd);
	return handover == fd;
}

/* One is handed over late (wdsession --early) or kept for several programs (--keep). */
static bool
session_claim_expected(void)
{
	const char *text = getenv(SESSION_HANDOVER);
	char *end;
	int kind;
	socklen_t n = sizeof kind;
	if (handover >= 0 || !text || !*text)
		return handover >= 0 || connect_keeper(getenv(SESSION_KEEPER));
	long fd = strtol(text, &end, 10);
	bool in_range = !*end && fd >= 3 && fd <= INT_MAX;
	if (!in_range || getsockopt((int)fd, SOL_SOCKET, SO_TYPE, &kind, &n) != 0)
		return false;
	handover = (int)fd;
	fcntl(handover, F_SETFD, FD_CLOEXEC);
	unsetenv(SESSION_HANDOVER);
	return true;
}

/* Returns it for the next program: it is left in a good state. */
static void
session_claim_keep(void)
{
	static const char kept = SESSION_KEPT;
	/* A keeper that does not get this closes the browser. */
	if (send(handover, &kept, 1, MSG_NOSIGNAL) == 1)
		shutdown(handover, SHUT_WR);
}

/* Returns the browser; false if it was not handed over: it stays until the command ends. */
static bool
session_claim_return(void)
{
	return handover >= 0 && shutdown(handover, SHUT_WR) == 0;
}

/* Waits until it is gone; false if it is not after max_ms. */
static bool
session_claim_wait_closed(int max_ms)
{
	uint64_t now, end_ns = clock_monotonic_ns() + (uint64_t)max_ms * 1000000u;
	char byte;
	while ((now = clock_monotonic_ns()) < end_ns) {
		struct pollfd p = {.fd = handover, .events = POLLIN};
		int ms = (int)((end_ns - now) / 1000000u) + 1;
		if (poll(&p, 1, ms) > 0 && recv(handover, &byte, 1, MSG_DONTWAIT) == 0)
			return true;
	}
	return false;
}

enum { LEAVE_MS = 2000, CLOSE_MS = 5000, SELECT_MS = 30000 };

static struct session *current;	/* NULL: none, or everything of it is closed */

/* JupyterLab saves its workspace again when a kernel or a file is gone, so its page must be
 * closed before the workspace is removed, which happens last.  It is left while the kernel ends,
 * and without a question to the user. */
static void
leave_page(struct wd *w)
{
	wd_script_do(w,
	    "window.addEventListener('beforeunload', e => e.stopImmediatePropagation(), true);"
	    "setTimeout(() => location.replace('about:blank'), 0)", NULL, LEAVE_MS);
}

/* Both take some tenths of a second, one here and one in the server. */
static void
collect_or_end_kernel(void *arg, size_t i)
{
	struct session *s = arg;
	if (i == 0)
		s->closed = page_reuse_collect(s->wd);
	else if (s->files.lab)
		server_cleanup_end_kernel(&s->files);
}

static bool
leave_page_to_next(struct session *s)
{
	threads_run(2, collect_or_end_kernel, s);
	return s->closed;
}

/* Closes what was opened, however the run ended. */
static void
clean_up(bool stopped)
{
	struct session *s = current;
	current = NULL;
	if (!s)
		return;
	if (s->own_tab) {
		wd_do(s->wd, "DELETE", "window", NULL, LEAVE_MS);
	} else if (stopped) {
		s->files.page_remains = true;	/* the driver may still be busy with the cell */
	} else if (s->closed && leave_page_to_next(s)) {
		session_claim_keep();
	} else if (session_claim_return()) {
		/* The kernel ends while the browser closes. */
		if (s->files.lab)
			server_cleanup_end_kernel(&s->files);
		s->files.page_remains = !session_claim_wait_closed(CLOSE_MS);
	} else if (s->files.workspace && !session_joined()) {
		leave_page(s->wd);
	}
	if (s->files.lab)
		server_cleanup_all(&s->files);
}

bool
session_joined(void)
{
	const char *where = getenv("WD_JOINED");
	return where && *where;
}

void
xsession_connect(struct session *s)
{
	const char *browser = getenv("WD_SESSION");
	if (!session_claim_expected() && (!browser || !*browser))
		die(ST_USAGE, "no browser: WD_SESSION is not set (run: labserve wdsession %s "
		    "NOTEBOOK)", program_name);
	s->start_ns = clock_monotonic_ns();
	if (!session_claim_expected())
		s->wd = wd_open(browser);
	s->lab = xserver_connection_open();
	if (!s->lab && !session_joined())	/* a tab knows its server */
		die(ST_USAGE, "no server: JUPYTERLAB_URL is not set (run: labserve wdsession %s "
		    "NOTEBOOK)", program_name);
	current = s;
	run_signals_catch(clean_up);
}

/* If there is no browser, its holder has reported why. */
static void
xreceive_browser(struct session *s)
{
	int received = s->wd ? 0 : session_variables_receive(handover);
	run_signals_stop();
	if (received != 0)
		exit(ST_SYSTEM);
	if (!s->wd)
		s->wd = wd_open(getenv("WD_SESSION"));
}

int
session_select(const struct session *s)
{
	if (!run_options.selector)
		return 0;
	return wd_script_do(s->wd, "window.__nbscopeWatch.select(arguments[0]); return true",
	    json_pack("[s]", run_options.selector), SELECT_MS);
}

char *
session_open_page(struct session *s)
{
	char *error = NULL;
	xreceive_browser(s);
	long ready_ms = run_options.ready_timeout_s * 1000;
	int bad = s->reuse ? page_reuse_open(s->wd, &s->files, ready_ms, &error) :
	    page_load(s->wd, &s->files, ready_ms, &error);
	if (bad) {
		s->page_failed = true;
		return error;
	}
	if (session_select(s) != 0)
		return xasprintf("viz selector '%s': %s", run_options.selector, s->wd->message);
	return NULL;
}

/* The notebook without what makes JupyterLab's keys skip a cell: a collapsed heading above it or
 * a hidden source. */
static json_t *
runnable_copy(const struct notebook *nb)
{
	json_t *copy = json_deep_copy(nb->json), *cell;
	size_t i;
	if (!copy)
		die(ST_SYSTEM, "out of memory");
	json_array_foreach(json_object_get(copy, "cells"), i, cell) {
		json_t *meta = json_object_get(cell, "metadata");
		json_object_del(meta, "jp-MarkdownHeadingCollapsed");
		json_object_del(meta, "heading_collapsed");
		json_object_del(json_object_get(meta, "jupyter"), "source_hidden");
	}
	return copy;
}

/* 0, or -1: see lab->error. */
static int
put_notebook(struct session *s, const struct notebook *nb, const char *name, const char *kernel)
{
	json_t *copy = runnable_copy(nb);
	int bad = server_files_open(&s->files, s->lab, name, copy, kernel);
	json_decref(copy);
	return bad ? bad : server_files_put_all(&s->files, run_options.with_files,
	    run_options.n_files, run_options.cold);
}

/* The kernel starts while the page loads, not while the browser starts: that would slow down
 * both. */
char *
session_open(struct session *s, const struct notebook *nb, const char *name)
{
	const char *kernel = run_options.kernel ? run_options.kernel : nb->kernel;
	int bad = put_notebook(s, nb, name, kernel);
	xreceive_browser(s);
	if (bad || server_files_start_kernel(&s->files, kernel) != 0)
		return xstrdup(s->lab->error);
	return session_open_page(s);
}

void
xsession_watch_kernel(struct session *s, const char *kernel_id)
{
	s->usage = xkernel_watch_open(s->lab, &s->files, kernel_id, NULL);
}

double
session_ms(const struct session *s)
{
	return (double)(clock_monotonic_ns() - s->start_ns) / 1e6;
}

void
xsession_end(struct session *s, enum cell_status status, const char *reason, size_t cells_run,
    double open_ms)
{
	xrun_close(&s->files, status, reason, cells_run, s->start_ns, open_ms);
	wd_close(s->wd);
	lab_close(s->lab);
	xoutput_close();
}
