/* cellrun: what each cell of a notebook costs the person in front of the browser.
 * Puts NOTEBOOK on the server that JUPYTERLAB_URL names, opens it in the browser of WD_SESSION,
 * runs each code cell by keyboard, and writes to stdout a record for each one: when it was
 * pressed, sent, busy, idle and received, its last visual change, and what it used. */
#include "added_time.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/opt.h"
#include "browser/page_screenshot.h"
#include "browser/wd.h"
#include "cell_run.h"
#include "filmstrip.h"
#include "json/json_value.h"
#include "kernel/extension.h"
#include "kernel/kernel_access.h"
#include "lab_page.h"
#include "notebook/run_options.h"
#include "page/page_reuse.h"
#include "record/cell_hook.h"
#include "record/cell_record.h"
#include "record/machine_noise.h"
#include "record/run_cells.h"
#include "record/run_signals.h"
#include "record/suspension.h"
#include "server/fetch.h"
#include "text/base64.h"

enum { ASK_MS = 10000, SLACK_MS = 5000, SAVE_MS = 20000 };

static struct session session = {.page_answers = true};
static const char *screenshots, *film_dir;
static struct filmstrip *film;	/* NULL: nothing is filmed */
static bool load_only;

static const struct opt opts[] = {
	RUN_OPTIONS,
	CELL_OPTIONS,
	PAGE_OPTIONS,
	{'s', "screenshots", OPT_STRING, &screenshots, 0, 0, "DIR",
		"save a screenshot of the output after each cell"},
	{0, "film", OPT_STRING, &film_dir, 0, 0, "DIR",
		"film each cell: write frames to DIR, and film records; disturbs all times"},
	{0, "reuse", OPT_FLAG, &session.reuse, 0, 0, NULL,
		"use the page that the notebook before has left, and leave it for the next"},
	{0, "load-only", OPT_FLAG, &load_only, 0, 0, NULL,
		"open the notebook and run no cell, for the caches of wdsession --save-caches"},
	{0},
};
static const struct opt_usage usage = {"cellrun", "[options] NOTEBOOK",
	"Runs a notebook in JupyterLab in a browser and records what each cell cost.", opts};

/* ---- all cells ------------------------------------------------------------------------- */

static void
take_screenshot(const struct notebook_cell *c, json_t *record)
{
	struct page_screenshot s;
	json_int_t messages = json_integer_value(
	    json_object_get(record, "comm_messages_received"));
	page_screenshot_take(&s, session.wd, (long)c->position, messages > 0);
	char *path = xasprintf("%s/cell-%03zu.png", screenshots, c->index);
	if (s.png && xbase64_write_file(path, json_string_value(s.png)))
		json_object_set_new(record, "screenshot", json_string(strrchr(path, '/') + 1));
	json_object_set_new(record, "screenshot_note", json_value_text(s.note));
	if (s.blank == 1)
		cell_record_mark(record, "blank");
	free(path);
	page_screenshot_free(&s);
}

static json_t *
run_cell(const struct notebook *nb, const struct notebook_cell *c)
{
	json_t *record = cell_run(&session, film, nb, c);
	if (screenshots && session.page_answers && !http_stop)
		take_screenshot(c, record);
	return record;
}

/* ---- silent requests -------------------------------------------------------------------- */

static json_t *
evaluate(const char *expression, const char *mime, long limit_ms, char **why)
{
	json_t *answer = wd_script_async(session.wd,
	    "window.__nbscopeKernel.evaluate(...[...arguments].slice(0, 3))"
	    ".then(done, e => done({reason: String(e)}))",
	    json_pack("[s, s, I]", expression, mime, (json_int_t)limit_ms), limit_ms + SLACK_MS);
	json_t *data = json_incref(json_object_get(answer, "data"));
	const char *reason = json_string_value(json_object_get(answer, "reason"));
	if (!data)
		*why = answer ? xstrdup(reason ? reason : "no answer") : wd_error(session.wd);
	json_decref(answer);
	return data;
}

static size_t
time_requests(double *ms, size_t max, long limit_ms)
{
	json_t *each, *times = wd_script_async(session.wd,
	    "window.__nbscopeKernel.emptyRequests(arguments[0], arguments[1])"
	    ".then(done, () => done([]))",
	    json_pack("[I, I]", (json_int_t)max, (json_int_t)limit_ms), limit_ms + SLACK_MS);
	size_t n = 0, i;
	json_array_foreach(times, i, each)
		if (n < max)
			ms[n++] = json_number_value(each);
	json_decref(times);
	return n;
}

static json_t *
call_devtools(const char *method, json_t *params, char **why)
{
	json_t *result = wd_script_cdp(session.wd, method, json_incref(params));
	if (!result)
		*why = wd_error(session.wd);
	return result;
}

static const struct kernel_access kernel_access = {
	.evaluate = evaluate, .call_devtools = call_devtools,
};

/* ---- the run --------------------------------------------------------------------------- */

/* What does not answer if the page could not be opened; CELL_FAILED: both the server and the
 * browser answer, but what was requested is impossible. */
static enum cell_status
find_broken_part(void)
{
	session.lab->limit_ms = ASK_MS;
	json_t *server = lab_call(session.lab, "GET", "api", NULL, NULL), *browser = NULL;
	session.lab->limit_ms = 0;
	if (server)
		browser = wd_call(session.wd, "GET", "url", NULL, ASK_MS);
	json_decref(server);
	json_decref(browser);
	return !server ? CELL_SERVER_LOST : !browser ? CELL_BROWSER_DIED :
	    session.files.kernel_died_early ? CELL_KERNEL_DIED :
	    session.page_failed ? CELL_SERVER_LOST : CELL_FAILED;
}

static void
save_executed(void)
{
	uint64_t end_ns = clock_monotonic_ns() + SAVE_MS * UINT64_C(1000000);
	char *why;
	if (lab_page_save(session.wd, &session.files, SAVE_MS, &why) == 0) {
		xfetch_executed(&session.files, run_options.executed, end_ns);
		return;
	}
	warn("cannot save the executed notebook: %s", why);
	free(why);
}

static enum exit_status
run_notebook(const struct notebook *nb, const char *path)
{
	const char *slash = strrchr(path, '/');
	enum cell_status status;
	char *reason = NULL;
	size_t cells_run = 0;
	xsession_connect(&session);
	suspension_catch();
	char *error = session_open(&session, nb, slash ? slash + 1 : path);
	if (!error && lab_page_arm(session.wd, nb->cells, cell_run_asks(nb, nb->cells)) != 0) {
		session.page_failed = true;
		error = wd_error(session.wd);
	}
	run_signals_stop();
	if (!error)
		extension_load(&kernel_access, nb);
	double open_ms = session_ms(&session);
	json_t *more = error ? NULL :
	    xcell_hook_open(&kernel_access, path, session.files.kernel_id);
	json_t *run = run_record(nb, path, session.lab, &session.files);
	json_object_set_new(run, "kernel_machine", json_null());
	json_object_update(run, more);
	json_decref(more);
	if (!error)
		json_object_set_new(run, "driver_ms",
		    json_value_ms(added_time_driver_ms(session.wd)));
	if (session.reuse)
		json_object_set_new(run, "page", page_reuse_record());
	xrun_record_write(run);
	run_record_write_earlier();
	if (error) {
		status = run_cells_not_opened(nb, error, find_broken_part);
		reason = error;
	} else {
		xsession_watch_kernel(&session, session.files.kernel_id);
		if (film_dir && !(film = filmstrip_open(session.wd, film_dir)))
			die(ST_SYSTEM, "--film: %s: %s", session.wd->code, session.wd->message);
		if (run_options.noise)
			xrun_record_write(machine_noise(run_options.cores, time_requests));
		status = load_only ? CELL_COMPLETED :
		    run_cells(nb, &session.files, run_cell, &cells_run, &reason);
	}
	if (run_options.executed && !error && session.page_answers && status != CELL_SERVER_LOST)
		save_executed();
	session.closed = session.reuse && status == CELL_COMPLETED && session.page_answers &&
	    page_reuse_close(session.wd);
	xsession_end(&session, status, reason, cells_run, open_ms);
	return error ? ST_SYSTEM : status == CELL_COMPLETED ? ST_OK : ST_DIFFERS;
}

int
main(int argc, char **argv)
{
	struct run_options *o = &run_options;
	run_options_set_page();
	const char *path = xopt_operand(argc, argv, &usage);
	run_options_check(&usage);
	o->hooks = xcell_hook_settings();
	if (session.reuse && (film_dir || json_object_get(o->hooks, "profile")))
		opt_die(&usage, "--reuse excludes --film and cellprofile");
	o->screenshots = screenshots != NULL;
	o->filmed = film_dir != NULL;
	struct notebook nb = xnotebook_read(path);
	if (!o->skip)
		return (int)run_notebook(&nb, path);
	run_cells_skip(&nb, path);
	return ST_OK;
}
