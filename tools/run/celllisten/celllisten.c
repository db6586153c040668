/* celllisten: what each cell that a person runs costs, and each gesture on its output.
 * Opens NOTEBOOK in the browser of WD_SESSION, or finds its tab in a joined one, and writes to
 * stdout the records that cellrun writes, and one for each interaction, until the tab is closed.
 * One call at a time waits in the page, and returns as soon as the page has events.  Between two
 * calls nothing is lost, because the page keeps its events. */
#include "base/clock.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "browser/page_script.h"
#include "browser/wd.h"
#include "browser_tab.h"
#include "json/json_value.h"
#include "json/json_write.h"
#include "jupyter/contents.h"
#include "notebook/run_options.h"
#include "page/page_load.h"
#include "page_events.h"
#include "record/run_signals.h"
#include "server/server_cleanup.h"
#include "server/server_files.h"

#include <signal.h>
#include <unistd.h>

/* ---- a notebook that is on the server already ---- */

/* The session of the notebook, the caller's; NULL: none. */
static json_t *
find_session(struct server_files *f)
{
	json_t *all = lab_call(f->lab, "GET", "api/sessions", NULL, NULL), *s, *found = NULL;
	size_t i;
	json_array_foreach(all, i, s) {
		const char *path = json_string_value(json_object_get(s, "path"));
		if (path && strcmp(path, f->path) == 0)
			found = s;
	}
	json_incref(found);
	json_decref(all);
	return found;
}

/* A notebook that is on the server already: only what is added to it is removed again.
 * 0, or -1: see lab->error. */
static int
adopted_notebook_open(struct server_files *f, struct lab *lab, const char *path)
{
	*f = (struct server_files){.lab = lab, .workspace = server_files_new_name(),
	    .path = xstrdup(path)};
	json_t *model = contents_describe(f->lab, f->path);
	json_t *session = model ? find_session(f) : NULL;
	const char *type = json_string_value(json_object_get(model, "type"));
	bool is_notebook = type && strcmp(type, "notebook") == 0;
	if (model && !is_notebook)
		lab_set_error(lab, "'%.300s' on the server is not a notebook", path);
	/* An existing session and its kernel belong to the user. */
	f->session_is_users = session != NULL;
	server_cleanup_start_reaper(f);
	json_decref(session);
	json_decref(model);
	return is_notebook ? 0 : -1;
}

/* Its kernel, once it is open: ended by server_cleanup_all() unless it ran before. */
static void
adopted_notebook_find_kernel(struct server_files *f)
{
	json_t *session = find_session(f), *kernel = json_object_get(session, "kernel");
	const char *id = json_string_value(json_object_get(session, "id"));
	const char *kernel_id = json_string_value(json_object_get(kernel, "id"));
	const char *name = json_string_value(json_object_get(kernel, "name"));
	f->session_id = id && !f->session_is_users ? xstrdup(id) : NULL;
	server_cleanup_note_session(f);
	f->kernel_id = kernel_id ? xstrdup(kernel_id) : NULL;
	f->kernel = name ? xstrdup(name) : NULL;
	json_decref(session);
}

/* NEXT_MS is short because a signal is handled when the call that waits has ended. */
enum { NEXT_MS = 1000, CALL_MS = 30000, PAUSE_MS = 200, MAX_FAULTS = 100 };

static bool gestures;
static const struct opt opts[] = {
	RUN_OPTIONS, PAGE_OPTIONS,
	{0, "gestures", OPT_FLAG, &gestures, 0, 0, NULL,
	    "write each gesture as a line of interactions.jsonl, with the text that is typed"},
	{0},
};
static const struct opt_usage usage = {"celllisten", "[options] [NOTEBOOK]",
	"Records what a person does in a notebook, until its tab is closed or SIGINT.", opts};

struct recording {
	struct session *session;
	struct notebook notebook;	/* as far as it is known */
	const char *name;	/* for the records */
	json_t *tab;		/* where the notebook was open already; or NULL */
	bool page_gone;		/* the person closed it */
	enum cell_status status;
	char *reason;
	struct page_events events;
};

/* ---- opening -------------------------------------------------------------------------- */

/* The tab that shows the notebook; else a file, which is put on the server; else a notebook that
 * is on the server and stays the user's.  NULL, or the reason why there is none. */
static char *
open_notebook(struct recording *r, const char *path)
{
	struct session *s = r->session;
	r->name = path;
	if (session_joined() && (r->tab = browser_tab_find(s->wd, path))) {
		r->name = json_string_value(json_object_get(r->tab, "path"));
		r->notebook.kernel = json_string_value(json_object_get(r->tab, "kernel"));
		json_t *cells = json_object_get(r->tab, "code_cells");
		r->notebook.n = (size_t)json_integer_value(cells);
		return NULL;
	}
	if (!path)
		return xstrdup("no tab of the joined browser shows a notebook");
	if (!s->lab)
		return xasprintf("no tab of the joined browser shows '%s', and there is no server "
		    "to open it on: JUPYTERLAB_URL is not set", path);
	if (session_joined() && browser_tab_open(s->wd) != 0)
		return wd_error(s->wd);
	s->own_tab = session_joined();
	if (access(path, F_OK) == 0) {
		const char *slash = strrchr(path, '/');
		r->notebook = xnotebook_read(path);
		return session_open(s, &r->notebook, slash ? slash + 1 : path);
	}
	if (adopted_notebook_open(&s->files, s->lab, path) != 0)
		return xasprintf("'%s' is not a file, and the server has no such notebook: %s",
		    path, s->lab->error);
	r->notebook.json = server_files_get(&s->files);
	r->notebook.n = notebook_count_code_cells(r->notebook.json);
	char *error = session_open_page(s);
	if (!error)
		adopted_notebook_find_kernel(&s->files);
	return error;
}

static void
write_run(const struct recording *r)
{
	struct session *s = r->session;
	const char *name = r->name ? r->name : "";
	json_t *run = run_record(&r->notebook, name, s->lab, &s->files);
	json_object_set_new(json_object_get(run, "settings"), "listen", json_true());
	if (r->tab) {
		json_object_set_new(run, "browser", json_value_text(getenv("WD_BROWSER")));
		json_object_set(run, "window", json_object_get(r->tab, "window"));
		json_object_set(run, "jupyterlab", json_object_get(r->tab, "jupyterlab"));
	}
	xrun_record_write(run);
}

/* ---- listening ------------------------------------------------------------------------ */

/* Running the scripts twice does no harm. */
static int
inject_scripts(struct session *s)
{
	if (page_load_scripts(s->wd) != 0)
		return -1;
	char *scripts = xasprintf("%s%s%s", page_element_js, page_record_js, page_listen_js);
	char *script = page_script_protected(scripts);
	free(scripts);
	json_t *done = wd_script(s->wd, script, NULL, CALL_MS);
	free(script);
	json_decref(done);
	return done && session_select(s) == 0 ? 0 : -1;
}

static json_t *
next_events(struct recording *r)
{
	const struct session *s = r->session;
	const struct run_options *o = &run_options;
	/* A notebook of nbscope's own is saved after each cell. */
	bool save = run_options.executed && s->files.folder;
	json_t *options = json_pack("{s:s, s:I, s:f, s:s?, s:b, s:b}", "wait", o->wait,
	    "settleMs", (json_int_t)o->settle_ms, "maxWaitMs", o->max_wait_s * 1000,
	    "path", r->events.path, "save", save, "gestures", gestures);
	return wd_script_async(s->wd, "if (!window.__nbscopeListen) done(null);"
	    "else window.__nbscopeListen.next(...[...arguments].slice(0, 4))"
	    ".then(done, e => done({fault: String(e)}))", json_pack("[o, f, I, i]", options,
	    r->events.life, (json_int_t)r->events.received, NEXT_MS), 2 * CALL_MS);
}

/* Whether the tab or the browser is gone: the person closed it, or it crashed. */
static bool
is_page_gone(struct recording *r)
{
	static const char *const codes[] = {"no such window", "invalid session id", "no answer"};
	static const char *const words[] = {
		"disconnected", "not reachable", "not connected", "already closed", "crashed",
	};
	const struct wd *w = r->session->wd;
	bool gone = false;
	for (size_t i = 0; i < COUNT(codes); i++)
		gone = gone || strcmp(w->code, codes[i]) == 0;
	for (size_t i = 0; i < COUNT(words); i++)
		gone = gone || strstr(w->message, words[i]);
	if (!gone)
		return false;
	bool crashed = strstr(w->message, "crashed"), closed = strcmp(w->code, codes[0]) == 0;
	r->page_gone = true;
	r->status = crashed ? CELL_BROWSER_DIED : CELL_COMPLETED;
	r->reason = xstrdup(crashed ? "the tab crashed" : closed ? "the tab was closed" :
	    "the browser was closed");
	return true;
}

/* Until the page is gone or a signal arrives; false if the page stays but does not answer. */
static bool
listen_until_end(struct recording *r)
{
	struct session *s = r->session;
	for (int faults = 0; !http_stop && faults < MAX_FAULTS; ) {
		json_t *answer = next_events(r);
		if (http_stop || (!answer && is_page_gone(r))) {
			json_decref(answer);
			return true;
		}
		if (json_is_object(answer) && !json_object_get(answer, "fault")) {
			page_events_on_answer(&r->events, answer);
			faults = 0;
			page_events_check_kernel(&r->events);
		} else if (answer) {
			/* Another page, which may still be loading. */
			faults++;
			if (inject_scripts(s) != 0)
				clock_pause_ms(PAUSE_MS);
		} else {
			/* The person answers an alert. */
			faults += strcmp(s->wd->code, "unexpected alert open") != 0;
			clock_pause_ms(PAUSE_MS);
		}
		json_decref(answer);
	}
	return http_stop;
}

/* SIGINT ends listening: cells that are not over are recorded as they are. */
static void
stop_listening(struct recording *r)
{
	struct session *s = r->session;
	if (http_stop != SIGINT)
		return;
	signal(SIGINT, SIG_IGN);	/* a holder may pass on what the terminal has also sent */
	http_stop = 0;
	r->status = CELL_COMPLETED;
	r->reason = xstrdup("interrupted");
	json_t *event, *answer = wd_script(s->wd, "return window.__nbscopeListen ? "
	    "window.__nbscopeListen.end(...arguments) : null",
	    json_pack("[f, I]", r->events.life, (json_int_t)r->events.received), CALL_MS);
	size_t i;
	json_array_foreach(json_object_get(answer, "events"), i, event)
		page_events_on_event(&r->events, event, false);
	r->page_gone = !answer;
	json_decref(answer);
}

/* ---- the whole ------------------------------------------------------------------------ */

/* The notebook as it is in the page; else as the server has it. */
static void
write_executed(struct recording *r)
{
	struct session *s = r->session;
	json_t *nb = r->page_gone ? NULL : wd_script(s->wd, "return window.__nbscopeListen ? "
	    "window.__nbscopeListen.executed() : null", NULL, CALL_MS);
	if (r->events.renamed && s->files.path) {
		free(s->files.path);
		s->files.path = xstrdup(r->events.renamed);
	}
	if (!json_is_object(nb)) {
		json_decref(nb);
		nb = s->files.lab ? server_files_get(&s->files) : NULL;
	}
	if (!nb) {
		warn("cannot save the executed notebook: %s",
		    s->files.lab ? s->files.lab->error : "its tab is gone");
		return;
	}
	xjson_write_new(run_options.executed, nb);
}

static void
listen_to_page(struct recording *r)
{
	struct session *s = r->session;
	json_t *tab_kernel = json_object_get(r->tab, "kernel_id");
	const char *kernel_id = r->tab ? json_string_value(tab_kernel) : s->files.kernel_id;
	page_events_open(&r->events, s, kernel_id, s->lab ? s->lab->url :
	    json_string_value(json_object_get(r->tab, "server")));
	r->events.path = r->tab ? r->name : s->files.path;
	if (!listen_until_end(r)) {
		const char *message = s->wd->message;
		r->status = CELL_BROWSER_DIED;
		r->reason = xasprintf("the page does not answer: %s",
		    message ? message : "its scripts fail");
	}
	if (http_stop)
		stop_listening(r);
	page_events_truncate(&r->events, r->reason);
	if (run_options.executed)
		write_executed(r);
}

static enum exit_status
listen_to_notebook(struct session *s, const char *path)
{
	struct recording r = {.session = s, .status = CELL_SERVER_LOST};
	xsession_connect(s);
	char *error = open_notebook(&r, path);
	run_signals_stop();
	double open_ms = session_ms(s);
	write_run(&r);
	if (error) {
		warn("%s", error);
		xrun_record_write(run_record_fault("not_opened", error));
		r.reason = error;
	} else {
		listen_to_page(&r);
	}
	s->own_tab = s->own_tab && !r.page_gone;
	xsession_end(s, r.status, r.reason, r.events.cells, open_ms);
	page_events_close(&r.events);
	json_decref(r.tab);
	free(r.reason);
	return error ? ST_SYSTEM : r.status == CELL_COMPLETED ? ST_OK : ST_DIFFERS;
}

int
main(int argc, char **argv)
{
	static struct session session = {.page_answers = true};
	run_options_set_page();
	int first = opt_parse(argc, argv, &usage);
	if (argc - first > 1)
		opt_die(&usage, "at most one NOTEBOOK can be listened to");
	run_options_check(&usage);
	if (getenv("CELL_HOOK"))
		opt_die(&usage, "a person's cells cannot be profiled or sampled elsewhere");
	if (argc == first && !session_joined())
		opt_die(&usage, "without NOTEBOOK, a joined browser is required (wdsession "
		    "--join)");
	return (int)listen_to_notebook(&session, argv[first]);
}
