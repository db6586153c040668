/* cellrun: what each cell of a notebook costs the person in front of the browser.
 * Puts NOTEBOOK on the server that JUPYTERLAB_URL names, opens it in the browser of WD_SESSION,
 * runs each code cell by keyboard, and writes to stdout a record for each one: when it was
 * pressed, sent, busy, idle and received, its last visual change, and what it used. */
#include "added_time.h"
#include "affinity.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "browser/page_screenshot.h"
#include "cell_record.h"
#include "cell_run.h"
#include "filmstrip.h"
#include "json/json_parse.h"
#include "json/json_value.h"
#include "kernel_process.h"
#include "lab_page.h"
#include "machine_noise.h"
#include "profiling.h"
#include "record_session.h"
#include "text/base64.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ASK_MS = 10000 };

static struct session session = {.options = {.label = "current", .repetition = 1, .attempt = 1,
	.max_wait_s = 300, .settle_ms = 300, .wait = "auto"}, .page_answers = true};
static bool listen, noise;
static const char *screenshots, *film_dir, *skip, *before, *made_from, *profile;
static struct profiling *profiling;	/* NULL: nothing is profiled */
static long ready_timeout_s = 120;

static void
add_file(const char *path)
{
	if (session.n_files == MAX_FILES)
		die(ST_USAGE, "--with-file may be given at most %d times", MAX_FILES);
	session.with_files[session.n_files++] = path;
}

static const struct opt opts[] = {
	{0, "with-file", OPT_CALL, NULL, 0, 0, "PATH",
		"put a file, or a folder's content, next to the notebook; repeatable", add_file},
	{'m', "max-wait-time", OPT_REAL, &session.options.max_wait_s, 0.1, 86400, "S",
		"limit for each cell, kernel and output together; default 300"},
	{'w', "wait", OPT_STRING, &session.options.wait, 0, 0, "WHICH",
		"which cells wait for their output to settle: auto, tags or none; default auto"},
	{'v', "viz-selector", OPT_STRING, &session.options.selector, 0, 0, "CSS",
		"what to watch for visible changes; default: everything that cells show"},
	{0, "settle-ms", OPT_INT, &session.options.settle_ms, 1, 60000, "MS",
		"an output that has not changed for this long has settled; default 300"},
	{'s', "screenshots", OPT_STRING, &screenshots, 0, 0, "DIR",
		"save a screenshot of the output after each cell"},
	{'f', "film", OPT_STRING, &film_dir, 0, 0, "DIR",
		"film each cell: write frames to DIR, and film records; disturbs all times"},
	{'p', "profile", OPT_STRING, &profile, 0, 0, "FILE",
		"run cells under the profilers that FILE names; disturbs their times"},
	{'e', "executed", OPT_STRING, &session.executed, 0, 0, "FILE",
		"write the executed notebook with its outputs"},
	{'k', "kernel", OPT_STRING, &session.kernel, 0, 0, "NAME",
		"kernelspec on the server; default: the notebook's own"},
	{'c', "cores", OPT_STRING, &session.options.cores, 0, 0, "N|LIST",
		"pin the kernel to N processors, or to those in a list such as 0-3,6"},
	{'l', "label", OPT_STRING, &session.options.label, 0, 0, "LABEL",
		"label, for the run record; default current"},
	{'r', "repetition", OPT_INT, &session.options.repetition, 0, 1000000, "K",
		"repetition, for the run record; 0: a film; default 1"},
	{'a', "attempt", OPT_INT, &session.options.attempt, 1, 1000, "K",
		"attempt, for the run record; default 1"},
	{'b', "before", OPT_STRING, &before, 0, 0, "TEXT",
		"how the earlier attempts ended, for a fault record"},
	{0, "made-from", OPT_STRING, &made_from, 0, 0, "JSON",
		"what the run is made from (see runstale), for the run record"},
	{0, "insecure", OPT_FLAG, &lab_insecure, 0, 0, NULL,
		"accept any TLS certificate of the server, with a warning"},
	{0, "ready-timeout", OPT_INT, &ready_timeout_s, 1, 3600, "S",
		"limit for loading JupyterLab and starting the kernel; default 120"},
	{0, "listen", OPT_FLAG, &listen, 0, 0, NULL,
		"run nothing: record what a person does, until the tab is closed or SIGINT"},
	{0, "noise", OPT_FLAG, &noise, 0, 0, NULL,
		"first measure how steady the machine is, for a machine_noise record"},
	{0, "skip", OPT_STRING, &skip, 0, 0, "REASON",
		"run nothing: record every cell as skipped, with this reason"},
	{0},
};
static const struct opt_usage usage = {"cellrun", "[options] NOTEBOOK",
	"Runs a notebook in JupyterLab in a browser and records what each cell cost.", opts};

/* ---- all cells ------------------------------------------------------------------------- */

static void
take_screenshot(const struct notebook_cell *c, json_t *record)
{
	int blank;
	json_t *png = page_screenshot(session.wd, &blank);
	char *path = xasprintf("%s/cell-%03zu.png", screenshots, c->index);
	if (png && xbase64_write_file(path, json_string_value(png)))
		json_object_set_new(record, "screenshot", json_string(strrchr(path, '/') + 1));
	if (blank == 1)
		cell_record_mark(record, "blank");
	free(path);
	json_decref(png);
}

/* Runs all cells in order and returns the status of the run. */
static enum cell_status
run_cells(const struct notebook *nb, struct filmstrip *film, size_t *cells_run, char **reason)
{
	enum cell_status run_status = CELL_COMPLETED;
	bool ended = false;
	for (size_t i = 0; i < nb->n; i++) {
		const struct notebook_cell *c = &nb->cells[i];
		if (ended) {
			xrun_record_write(cell_record_unmeasured(c, CELL_NOT_RUN, *reason));
			continue;
		}
		bool profiled = profiling && profiling_before(profiling, c);
		json_t *record = cell_run(&session, film, nb, c);
		session_stop_if_signalled();
		const char *word = json_string_value(json_object_get(record, "status"));
		enum cell_status status = cell_status_of(word);
		if (screenshots && session.page_answers)
			take_screenshot(c, record);
		if (profiled)
			cell_record_mark(record, "profiler");
		if (!cell_status_continues(status)) {
			run_status = status;
			ended = true;
			*reason = xasprintf("cell %zu %s", c->index, word);
		} else if (run_status == CELL_COMPLETED) {
			run_status = status;
		}
		(*cells_run)++;
		xrun_record_write(record);
		if (profiled)
			profiling_after(profiling, c, cell_status_word(status));
	}
	return run_status;
}

/* ---- the run --------------------------------------------------------------------------- */

static void
write_unmeasured_cells(const struct notebook *nb, enum cell_status status, const char *reason)
{
	for (size_t i = 0; i < nb->n; i++)
		xrun_record_write(cell_record_unmeasured(&nb->cells[i], status, reason));
}

static enum exit_status
skip_notebook(const struct notebook *nb, const char *path)
{
	xrun_record_write(run_record(&session.options, nb, path, NULL, NULL));
	write_unmeasured_cells(nb, CELL_SKIPPED, skip);
	xrun_record_write(run_record_end(CELL_SKIPPED, skip, 0, NAN, NAN, NAN));
	xoutput_close();
	return ST_OK;
}

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

static enum exit_status
run_notebook(const struct notebook *nb, const char *path)
{
	const char *slash = strrchr(path, '/');
	enum cell_status status;
	struct filmstrip *film = NULL;
	char *reason = NULL;
	size_t cells_run = 0;
	xsession_connect(&session);
	cell_run_catch_continue();
	char *error = session_open(&session, nb, slash ? slash + 1 : path);
	if (!error && lab_page_arm(session.wd, nb->cells) != 0) {
		session.page_failed = true;
		error = wd_error(session.wd);
	}
	session_stop_if_signalled();
	double open_ms = session_ms(&session);
	json_t *run = run_record(&session.options, nb, path, session.lab, &session.files);
	if (!error)
		json_object_set_new(run, "driver_ms",
		    json_value_ms(added_time_driver_ms(session.wd)));
	xrun_record_write(run);
	if (session.options.attempt > 1)
		xrun_record_write(run_record_fault("tried_again",
		    before ? before : "earlier attempts were not kept"));
	if (error) {
		warn("%s", error);
		xrun_record_write(run_record_fault("not_opened", error));
		write_unmeasured_cells(nb, CELL_NOT_RUN, error);
		status = find_broken_part();
		reason = error;
	} else {
		xsession_watch_kernel(&session, session.files.kernel_id);
		if (film_dir && !(film = filmstrip_open(session.wd, film_dir)))
			die(ST_SYSTEM, "--film: %s: %s", session.wd->code, session.wd->message);
		if (profiling)
			profiling_open(profiling, session.wd, nb,
			    kernel_process_find(session.files.kernel_id));
		if (noise)
			xrun_record_write(machine_noise(session.wd, session.options.cores));
		status = run_cells(nb, film, &cells_run, &reason);
	}
	if (session.executed && !error && session.page_answers && status != CELL_SERVER_LOST)
		xsession_save_executed(&session);
	xsession_end(&session, status, reason, cells_run, open_ms);
	return error ? ST_SYSTEM : status == CELL_COMPLETED ? ST_OK : ST_DIFFERS;
}

static void
check_options(void)
{
	struct run_options *o = &session.options;
	char error[256], *why = NULL;
	if (made_from)
		o->made_from = json_parse_text(made_from, strlen(made_from), "--made-from", &why);
	if (why)
		opt_die(&usage, "%s", why);
	if (strcmp(o->wait, "auto") && strcmp(o->wait, "tags") && strcmp(o->wait, "none"))
		opt_die(&usage, "--wait must be auto, tags or none, not '%s'", o->wait);
	if (o->cores && affinity_check(o->cores, error) != 0)
		opt_die(&usage, "--cores: %s", error);
	if (listen && (screenshots || film_dir || skip || noise || profile))
		opt_die(&usage, "--listen excludes --screenshots, --film, --noise, --profile and "
		    "--skip");
	profiling = profile ? xprofiling_read(profile) : NULL;
	if (o->selector && !*o->selector)
		o->selector = NULL;
	o->screenshots = screenshots != NULL;
	o->filmed = film_dir != NULL;
	o->profile = profiling ? profiling_settings(profiling) : NULL;
	session.ready_ms = ready_timeout_s * 1000;
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (argc - first != 1 && !(listen && argc == first))
		opt_die(&usage, "exactly one NOTEBOOK is required");
	check_options();
	const char *path = argv[first];
	if (listen && !path && !session_joined())
		opt_die(&usage, "--listen without NOTEBOOK requires a joined browser "
		    "(wdsession --join)");
	if (listen)
		return (int)record_session(&session, path);
	struct notebook nb = xnotebook_read(path);
	return (int)(skip ? skip_notebook(&nb, path) : run_notebook(&nb, path));
}
