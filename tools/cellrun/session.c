/* session.c: cellrun's browser, server and notebook, opened and returned. */
#include "session.h"
#include "affinity.h"
#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/output.h"
#include "base/signals.h"
#include "browser/wd_script.h"
#include "browser_tab.h"
#include "fetch.h"
#include "json/json_text.h"
#include "jupyter/dotenv.h"
#include "kernel_process.h"
#include "lab_page.h"
#include "page_load.h"
#include "process/descendants.h"
#include "server_cleanup.h"
#include "session_claim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REOPEN_MS = 200, SAVE_MS = 20000, LEAVE_MS = 2000, CLOSE_MS = 5000 };

static struct session *current;

static void
on_signal(int sig)
{
	if (!http_stop)
		http_stop = sig;
}

static void
catch_signals(void)
{
	signals_catch(SIGINT, on_signal);
	signals_catch(SIGTERM, on_signal);
	signals_catch(SIGHUP, on_signal);
	signal(SIGPIPE, SIG_IGN);
	http_watch_stdout = true;
}

/* JupyterLab saves its workspace again when a kernel or a file is gone, so its page must be
 * closed before the workspace is removed, which happens last.  It is left while the kernel ends,
 * and without a question to the user. */
static void
leave_page(struct wd *w)
{
	json_decref(wd_script(w,
	    "window.addEventListener('beforeunload', e => e.stopImmediatePropagation(), true);"
	    "setTimeout(() => location.replace('about:blank'), 0)", NULL, LEAVE_MS));
}

/* Closes what was opened, however the run ended. */
static void
clean_up(void)
{
	struct session *s = current;
	bool stopped = http_stop != 0;
	http_watch_stdout = false;
	http_stop = 0;
	if (http_in_call)
		return;	/* the reaper cleans up */
	if (s->own_tab) {
		browser_tab_close(s->wd);
	} else if (stopped) {
		s->files.page_remains = true;	/* the driver may still be busy with the cell */
	} else if (session_claim_return()) {
		/* The kernel ends while the browser closes. */
		if (s->files.lab)
			server_cleanup_end_kernel(&s->files);
		s->files.page_remains = !session_claim_wait_closed(CLOSE_MS);
	} else if (s->files.workspace && !session_joined()) {
		leave_page(s->wd);
	}
	s->own_tab = false;
	if (s->files.lab)
		server_cleanup_all(&s->files);
}

void
session_stop_if_signalled(void)
{
	if (!http_stop)
		return;
	int sig = http_stop;
	clean_up();
	_exit(128 + sig);
}

bool
session_joined(void)
{
	const char *where = getenv("WD_JOINED");
	return where && *where;
}

/* Asks the labserve above, if there is one, to check that its server still answers. */
static void
request_server_check(void)
{
	const char *text = getenv("LABSERVE_PID");
	pid_t pid = text ? (pid_t)strtol(text, NULL, 10) : 0, p = getppid();
	/* Only if it is an ancestor: the number may belong to another process now. */
	while (p > 1 && p != pid)
		p = descendants_parent(p);
	if (p > 1)
		kill(p, SIGUSR1);
}

/* A server that answered in an earlier attempt may come back. */
static struct lab *
reopen_server(long wait_ms, char error[512])
{
	uint64_t end_ns = clock_monotonic_ns() + (uint64_t)wait_ms * 1000000u;
	struct lab *l;
	while (!(l = lab_open(error)) && clock_monotonic_ns() < end_ns && !http_stop)
		clock_pause_ms(REOPEN_MS);
	return l;
}

void
xsession_connect(struct session *s)
{
	static const char hint[] = "(run: labserve wdsession cellrun NOTEBOOK)";
	char error[512];
	const char *browser = getenv("WD_SESSION");
	if (!session_claim_expected() && (!browser || !*browser))
		die(ST_USAGE, "no browser: WD_SESSION is not set %s", hint);
	s->start_ns = clock_monotonic_ns();
	if (!session_claim_expected())
		s->wd = wd_open(browser);
	xdotenv_load(".env");
	if (getenv("JUPYTERLAB_URL")) {
		bool retry = s->options.attempt > 1;
		if (retry)
			request_server_check();
		s->lab = retry ? reopen_server(s->ready_ms, error) : lab_open(error);
		if (!s->lab) {
			request_server_check();
			die(ST_SYSTEM, "%s", error);
		}
	} else if (!session_joined()) {
		die(ST_USAGE, "no server: JUPYTERLAB_URL is not set %s", hint);
	}	/* else the tab knows its server */
	current = s;
	catch_signals();
	atexit(clean_up);
}

/* If there is no browser, its holder has reported why. */
static void
xreceive_browser(struct session *s)
{
	int received = s->wd ? 0 : session_claim_receive();
	session_stop_if_signalled();
	if (received != 0)
		exit(ST_SYSTEM);
	if (!s->wd)
		s->wd = wd_open(getenv("WD_SESSION"));
}

char *
session_open_page(struct session *s)
{
	const char *selector = s->options.selector;
	char *error = NULL;
	xreceive_browser(s);
	if (page_load(s->wd, &s->files, s->ready_ms, &error) != 0) {
		s->page_failed = true;
		return error;
	}
	if (selector && lab_page_select(s->wd, selector) != 0)
		return xasprintf("viz selector '%s': %s", selector, s->wd->message);
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

static bool
is_folder(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* 0, or -1: see lab->error. */
static int
put_notebook(struct session *s, const struct notebook *nb, const char *name, const char *kernel)
{
	json_t *copy = runnable_copy(nb);
	int bad = server_files_open(&s->files, s->lab, name, copy, kernel);
	json_decref(copy);
	for (size_t i = 0; !bad && i < s->n_files; i++) {
		const char *path = s->with_files[i], *slash = strrchr(path, '/');
		const char *as = is_folder(path) ? "" : slash ? slash + 1 : path;
		bad = server_files_put(&s->files, path, as);
	}
	return bad;
}

/* The kernel starts while the page loads, not while the browser starts: that would slow down
 * both. */
char *
session_open(struct session *s, const struct notebook *nb, const char *name)
{
	const char *kernel = s->kernel ? s->kernel : nb->kernel;
	int bad = put_notebook(s, nb, name, kernel);
	xreceive_browser(s);
	if (bad || server_files_start_kernel(&s->files, kernel) != 0)
		return xstrdup(s->lab->error);
	return session_open_page(s);
}

static void
open_usage(struct session *s, const char *kernel_id, pid_t pid)
{
	if (s->usage)
		cell_usage_close(s->usage);
	s->usage = cell_usage_open(s->lab, kernel_id, pid);
	cell_usage_write_watches(s->usage, xrun_record_write);
}

void
xsession_watch_kernel(struct session *s, const char *kernel_id)
{
	const char *cores = s->options.cores;
	char error[256];
	pid_t pid = kernel_process_find(kernel_id);
	server_cleanup_locate(&s->files, pid);
	if (cores && !pid)
		die(ST_SYSTEM, "--cores: the kernel's process is not on this machine");
	if (cores && affinity_set(pid, cores, error) != 0)
		die(ST_USAGE, "--cores: %s", error);
	open_usage(s, kernel_id, pid);
}

void
session_watch_next_kernel(struct session *s, const char *kernel_id)
{
	const char *cores = s->options.cores;
	char error[256];
	pid_t pid = kernel_process_find(kernel_id);
	if (cores && pid && affinity_set(pid, cores, error) != 0)
		warn("--cores: %s", error);
	open_usage(s, kernel_id, pid);
}

/* The server may still be writing the file although it already has its new date: it is asked
 * again until it returns a complete one. */
void
xsession_save_executed(struct session *s)
{
	uint64_t end = clock_monotonic_ns() + (uint64_t)SAVE_MS * 1000000u;
	char *why;
	if (lab_page_save(s->wd, &s->files, SAVE_MS, &why) != 0) {
		warn("cannot save the executed notebook: %s", why);
		free(why);
		return;
	}
	static struct atomic_file file;	/* an exit handler removes it if need be */
	xatomic_file_open(&file, s->executed);
	int bad = fetch_notebook(&s->files, file.f);
	while (bad && clock_monotonic_ns() < end && !http_stop) {
		clock_pause_ms(20);
		bad = fetch_notebook(&s->files, file.f);
	}
	if (bad) {
		warn("cannot save the executed notebook: %s", s->files.lab->error);
		atomic_file_abort(&file);
	} else if (atomic_file_commit(&file) != 0) {
		die(ST_SYSTEM, "cannot write '%s':", s->executed);
	}
}

void
xsession_write_executed(const struct session *s, json_t *nb)
{
	if (!nb) {
		warn("cannot save the executed notebook: %s",
		    s->files.lab ? s->files.lab->error : "its tab is gone");
		return;
	}
	struct buf text = {0};
	json_text_add(&text, nb);
	buf_add(&text, "\n", 1);
	xatomic_file_write_buf(s->executed, &text);
	buf_free(&text);
	json_decref(nb);
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
	double loading_ms = s->files.loading_ms > 0 ? s->files.loading_ms : (double)NAN;
	session_stop_if_signalled();
	s->files.server_was_lost = status == CELL_SERVER_LOST;
	if (s->files.server_was_lost)
		request_server_check();
	double wall_ms = session_ms(s);
	xrun_record_write(run_record_end(status, reason, cells_run, wall_ms, open_ms, loading_ms));
	clean_up();
	wd_close(s->wd);
	lab_close(s->lab);
	xoutput_close();
}
