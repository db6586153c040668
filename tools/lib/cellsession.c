/* cellsession.c: cellrun's browser, server and notebook, opened and given back. */
#include "cellsession.h"
#include "keep.h"
#include "listen.h"
#include "porter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAVE_MS = 20000, LEAVE_MS = 2000, GONE_MS = 5000 };

static struct session *open_one;

static void
on_signal(int sig)
{
	if (!http_stop)
		http_stop = sig;
}

static void
catch_signals(void)
{
	catch_signal(SIGINT, on_signal);
	catch_signal(SIGTERM, on_signal);
	catch_signal(SIGHUP, on_signal);
	signal(SIGPIPE, SIG_IGN);
	http_reader = true;
}

/* JupyterLab saves its workspace again when a kernel or a file is gone: it must not
 * be there any more when the workspace is taken away, which is last.  It leaves
 * while the kernel ends, and asks nobody whether to. */
static void
leave_page(struct wd *w)
{
	json_decref(wd_script(w, "window.addEventListener('beforeunload', e => e.stopImmediatePropagation(), true);"
	    "setTimeout(() => location.replace('about:blank'), 0)", NULL, LEAVE_MS));
}

/* The kernel ends while the browser is ended. */
static void
end_beside(struct session *s)
{
	if (s->place.lab)
		place_end_kernel(&s->place);
	s->place.page_stays = !porter_gone(GONE_MS);
}

/* What was opened is closed whatever happens. */
static void
clean_up(void)
{
	bool stopped = http_stop != 0;
	http_reader = false;
	http_stop = 0;
	if (http_broken)
		return;	/* the guard sees us gone */
	if (open_one->own_tab)
		tab_close(open_one->wd);
	else if (stopped)
		open_one->place.page_stays = true;	/* the driver may still be busy with the cell */
	else if (porter_give_back())
		end_beside(open_one);
	else if (open_one->place.workspace && !joined_browser())
		leave_page(open_one->wd);
	open_one->own_tab = false;
	if (open_one->place.lab)
		place_close(&open_one->place);
}

void
session_stop_if_told(void)
{
	if (!http_stop)
		return;
	int sig = http_stop;
	clean_up();
	_exit(128 + sig);
}

void
xput_now(json_t *record)
{
	xput_record(record);
	json_decref(record);
	if (fflush(stdout) != 0)
		die(ST_SYSTEM, "cannot write to standard output:");
}

bool
joined_browser(void)
{
	const char *where = getenv("WD_JOINED");
	return where && *where;
}

void
xsession_connect(struct session *s)
{
	char error[512];
	const char *session = getenv("WD_SESSION");
	if (!porter_expected() && (!session || !*session))
		die(ST_USAGE, "no browser: WD_SESSION is not set (run: labserve wdsession cellrun NOTEBOOK)");
	s->begin_ns = now_ns();
	if (!porter_expected())
		s->wd = wd_open(session);
	xload_dotenv(".env");
	if (getenv("JUPYTERLAB_URL")) {
		/* In another try it was there before: it may come back. */
		if (s->o.attempt > 1)
			lab_complain();
		s->lab = s->o.attempt > 1 ? lab_reopen(s->ready_ms, error) : lab_open(error);
		if (!s->lab) {
			lab_complain();
			die(ST_SYSTEM, "%s", error);
		}
	} else if (!joined_browser()) {
		die(ST_USAGE, "no server: JUPYTERLAB_URL is not set (run: labserve wdsession cellrun NOTEBOOK)");
	}	/* else the tab knows its server */
	open_one = s;
	catch_signals();
	atexit(clean_up);
}

/* Who holds the browser has said why there is none. */
static void
xtake_browser(struct session *s)
{
	int taken = s->wd ? 0 : porter_take();
	session_stop_if_told();
	if (taken != 0)
		exit(ST_SYSTEM);
	if (!s->wd)
		s->wd = wd_open(getenv("WD_SESSION"));
}

char *
session_page(struct session *s)
{
	char *error = NULL;
	xtake_browser(s);
	if (page_open(s->wd, &s->place, s->ready_ms, &error) != 0) {
		s->lost = true;
		return error;
	}
	if (s->o.selector && page_selector(s->wd, s->o.selector) != 0)
		return xasprintf("viz selector '%s': %s", s->o.selector, s->wd->message);
	return NULL;
}

/* 0, or -1: see lab->error. */
static int
put_notebook(struct session *s, const struct notebook *nb, const char *name, const char *kernel)
{
	json_t *copy = runnable_copy(nb);
	int bad = place_open(&s->place, s->lab, name, copy, kernel);
	json_decref(copy);
	for (size_t i = 0; !bad && i < s->n_beside; i++) {
		const char *path = s->beside[i], *slash = strrchr(path, '/');
		bad = place_put(&s->place, path, is_folder(path) ? "" : slash ? slash + 1 : path);
	}
	return bad;
}

/* The kernel starts while the page loads, not while the browser starts, which would
 * both be the slower. */
char *
session_open(struct session *s, const struct notebook *nb, const char *name)
{
	const char *kernel = s->kernel ? s->kernel : nb->kernel;
	int bad = put_notebook(s, nb, name, kernel);
	xtake_browser(s);
	if (bad || place_start(&s->place, kernel) != 0)
		return xstrdup(s->lab->error);
	return session_page(s);
}

void
xsession_watch(struct session *s, const char *kernel_id)
{
	char error[256];
	pid_t pid = kernel_pid(kernel_id);
	place_here(&s->place, pid);
	if (s->o.cores && !pid)
		die(ST_SYSTEM, "--cores: the kernel's process is not on this machine");
	if (s->o.cores && pin_process(pid, s->o.cores, error) != 0)
		die(ST_USAGE, "--cores: %s", error);
	s->usage = cellusage_open(s->lab, kernel_id, pid);
	cellusage_watches(s->usage, xput_now);
}

static void
put_text(FILE *f, void *text)
{
	fprintf(f, "%s\n", (char *)text);
}

/* The server writes into the file while it has its new date: it is asked again
 * until it gives a whole one. */
void
xsession_keep_saved(struct session *s)
{
	uint64_t end = now_ns() + (uint64_t)SAVE_MS * 1000000u;
	char *why;
	if (page_save(s->wd, &s->place, SAVE_MS, &why) != 0) {
		warn("cannot save the executed notebook: %s", why);
		free(why);
		return;
	}
	static struct saving kept;	/* keep.c looks at it to the end */
	int bad;
	xkeep_open(&kept, s->executed);
	while ((bad = place_fetch(&s->place, kept.f)) != 0 && now_ns() < end && !http_stop)
		pause_ms(20);
	if (bad)
		warn("cannot save the executed notebook: %s", s->place.lab->error);
	if (bad)
		save_abort(&kept);
	else if (save_commit(&kept) != 0)
		die(ST_SYSTEM, "cannot write '%s':", s->executed);
}

void
xsession_keep(const struct session *s, json_t *nb)
{
	if (!nb) {
		warn("cannot save the executed notebook: %s", s->place.lab ? s->place.lab->error : "its tab is gone");
		return;
	}
	char *text = json_text(nb);
	xkeep(s->executed, put_text, text);
	free(text);
	json_decref(nb);
}

double
session_ms(const struct session *s)
{
	return (double)(now_ns() - s->begin_ns) / 1e6;
}

void
xsession_end(struct session *s, const char *status, const char *reason, size_t cells_run, double open_ms)
{
	double loading_ms = s->place.loading_ms > 0 ? s->place.loading_ms : (double)NAN;
	session_stop_if_told();
	if (strcmp(status, "server_lost") == 0)
		lab_complain();
	xput_now(run_end_record(status, reason, cells_run, session_ms(s), open_ms, loading_ms));
	clean_up();
	wd_close(s->wd);
	lab_close(s->lab);
	xclose_stdout();
}
