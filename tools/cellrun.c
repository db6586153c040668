/* cellrun: what each cell of a notebook costs the person in front of the browser.
 * Puts NOTEBOOK on the server that JUPYTERLAB_URL names, opens it in the browser
 * of WD_SESSION, runs each code cell by keyboard, and writes a record of each to
 * stdout: when it was pressed, sent, busy, idle, received and settled. */
#include "celllisten.h"
#include "film.h"
#include "keep.h"
#include "kernelend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LEAST_SLEEP_S 0.05
#define BUSY_SHARE 0.5

enum { INTERRUPT_GRACE_MS = 700, ARRIVING_MS = 2000, ASK_MS = 10000 };

static struct session s = {.o = {.label = "current", .repetition = 1, .attempt = 1,
	.max_wait_s = 300, .quiet_ms = 300, .wait = "auto"}};
static bool listen;
static const char *screenshots, *film_dir, *skip, *before;
static long ready_timeout_s = 120;

static void
one_file(const char *path)
{
	if (s.n_beside == MOST_FILES)
		die(ST_USAGE, "more than %d --with-file", MOST_FILES);
	s.beside[s.n_beside++] = path;
}

static struct opt opts[] = {
	{0, "with-file", OPT_CALL, NULL, 0, 0, "PATH", "a file to stand beside the notebook, or a folder whose content does; repeatable"},
	{'m', "max-wait-time", OPT_REAL, &s.o.max_wait_s, 0.1, 86400, "S", "bounds each cell, kernel and viewer together; default 300"},
	{'w', "wait", OPT_STRING, &s.o.wait, 0, 0, "WHICH", "auto, tags or none: which cells wait for the viewer; default auto"},
	{'v', "viz-selector", OPT_STRING, &s.o.selector, 0, 0, "CSS", "what the viewer is; default: all that cells draw"},
	{'q', "quiet", OPT_INT, &s.o.quiet_ms, 1, 60000, "MS", "a viewer without a change for so long has settled; default 300"},
	{'s', "screenshots", OPT_STRING, &screenshots, 0, 0, "DIR", "a PNG of the viewer after each cell"},
	{'f', "film", OPT_STRING, &film_dir, 0, 0, "DIR", "film each cell: frames into DIR and film records; disturbs all times"},
	{'e', "executed", OPT_STRING, &s.executed, 0, 0, "FILE", "keep the executed notebook with its outputs"},
	{'k', "kernel", OPT_STRING, &s.kernel, 0, 0, "NAME", "a kernelspec of the server; default: the notebook's own"},
	{'c', "cores", OPT_STRING, &s.o.cores, 0, 0, "N|LIST", "the kernel on so many processors, or on these (0-3,6)"},
	{'l', "label", OPT_STRING, &s.o.label, 0, 0, "LABEL", "stands in the record; default current"},
	{'r', "repetition", OPT_INT, &s.o.repetition, 1, 1000000, "K", "stands in the record; default 1"},
	{'a', "attempt", OPT_INT, &s.o.attempt, 1, 1000, "K", "stands in the record; default 1"},
	{'b', "before", OPT_STRING, &before, 0, 0, "TEXT", "how the attempts before ended, for the record"},
	{0, "insecure", OPT_FLAG, &lab_insecure, 0, 0, NULL, "accept any TLS certificate of the server, with a warning"},
	{0, "ready-timeout", OPT_INT, &ready_timeout_s, 1, 3600, "S", "how long JupyterLab and the kernel may take to be ready; default 120"},
	{0, "listen", OPT_FLAG, &listen, 0, 0, NULL, "run nothing: record what a person runs and does, until the tab is closed or SIGINT"},
	{0, "skip", OPT_STRING, &skip, 0, 0, "REASON", "run nothing: record every cell as skipped, with the reason"},
	{0},
};
static const struct usage usage = {"cellrun", "[options] NOTEBOOK",
	"Runs a notebook in JupyterLab in a browser and records what each cell cost.", opts};

static struct film *film;

/* ---- after a cell -------------------------------------------------------------- */

static void
mark(json_t *record, const char *word)
{
	json_array_append_new(json_object_get(record, "marks"), json_string(word));
}

static void
take_screenshot(const struct cell *c, json_t *record)
{
	int blank;
	json_t *png = page_screenshot(s.wd, &blank);
	char *path = xasprintf("%s/cell-%03zu.png", screenshots, c->index);
	if (png && xkeep_base64(path, json_string_value(png)))
		json_object_set_new(record, "screenshot", json_string(strrchr(path, '/') + 1));
	if (blank == 1)
		mark(record, "blank");
	free(path);
	json_decref(png);
}

static bool page_answers = true;

/* ---- one cell -------------------------------------------------------------------- */

static enum wait_viz
wants_viz(const struct notebook *nb, const struct cell *c)
{
	bool tagged = false;
	for (size_t i = 0; i < nb->n; i++)
		tagged = tagged || has_tag(&nb->cells[i], "wait_for_viz");
	if (strcmp(s.o.wait, "none") == 0)
		return VIZ_NO;
	if (tagged || strcmp(s.o.wait, "tags") == 0)
		return has_tag(c, "wait_for_viz") ? VIZ_YES : VIZ_NO;
	return VIZ_AUTO;
}

static void
film_on(void)
{
	film_frame(film);
}

static void
before_press(void)
{
	cellusage_before(s.usage);
}

static void
lost_server(json_t *seen, const char *why)
{
	json_object_set_new(seen, "outcome", json_string("lost"));
	json_object_set_new(seen, "lost", json_pack("{s:s, s:s, s:O}", "what", "server", "state", why, "t", json_object_get(seen, "end")));
}

/* A cell at its limit: the page knows only that no answer came.  Who did not
 * give it is for the server to say, and it may be the server itself. */
static void
at_the_limit(json_t *seen, struct cell_wait *how)
{
	char *state = kernel_state(s.lab, s.place.kernel_id);
	bool idle = state && strcmp(state, "idle") == 0, arriving = json_real_at(seen, "sinceHeard") < ARRIVING_MS;
	if (!state) {
		char *why = xasprintf("the server does not answer: %s", s.lab->error);
		lost_server(seen, why);
		free(why);
	} else if (idle && arriving) {
		json_object_set_new(seen, "late", json_true());
	} else if (idle) {
		lost_server(seen, "the server says that the kernel is idle, and its answer did not come: the connection is stalled");
	} else if (place_interrupt(&s.place) == 0) {
		/* The interrupted cell's end is not its time: the limit is. */
		how->grace_ms = INTERRUPT_GRACE_MS;
		how->viz = VIZ_NO;
		how->next = NULL;
		json_t *after = page_wait(s.wd, how);
		json_object_set_new(seen, "interrupted", json_boolean(after && !outcome_is(after, "kernel_busy")));
		json_decref(after);
	}
	free(state);
}

/* No answer came in time.  Of a page that computes all the while none can, and the
 * cell made it do so; a browser that hangs takes no processor, and waits for none. */
static bool
is_page_busy(const json_t *used, double s_taken)
{
	const json_t *browser = json_object_get(used, "browser");
	double wanted_s = json_real_at(browser, "cpu_s") + fmax(json_real_at(browser, "run_delay_s"), 0);
	return s_taken >= s.o.max_wait_s && wanted_s >= BUSY_SHARE * s_taken;
}

static bool
kernel_lost(const json_t *seen)
{
	const char *what = json_string_value(json_object_get(json_object_get(seen, "lost"), "what"));
	return outcome_is(seen, "lost") && what && strcmp(what, "kernel") == 0;
}

/* This process was stopped and goes on; a suspended machine sends no signal, but
 * one of its clocks stood meanwhile. */
static volatile sig_atomic_t continued;

static void
on_continue(int sig)
{
	(void)sig;
	continued++;
}

static double
asleep_s(void)
{
	struct timespec boot, mono;
	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	return (double)(boot.tv_sec - mono.tv_sec) + (double)(boot.tv_nsec - mono.tv_nsec) / 1e9;
}

/* The cell's record, or one that says what broke. */
static json_t *
run_cell(const struct notebook *nb, const struct cell *c)
{
	char *error = NULL;
	bool last = c->index == nb->n;
	struct cell_wait how = {.viz = wants_viz(nb, c),
	    .empty = c->empty, .first = c->index == 1, .next = last ? NULL : c + 1,
	    .quiet_ms = s.o.quiet_ms, .max_wait_ms = s.o.max_wait_s * 1000, .before_press = before_press,
	    .meanwhile = film ? film_on : NULL};
	unsigned alerts = s.wd->alerts;
	int continued_before = continued;
	double asleep_before_s = asleep_s(), begun_s = (double)now_ns() / 1e9;
	xput_now(cell_start_record(c));
	if (film)
		film_begin(film, c);
	json_t *seen = page_run(s.wd, c->index == 1 ? 0 : (c - 1)->position, c, &how, &error);
	json_t *used = cellusage_after(s.usage);
	session_stop_if_told();
	if (seen && outcome_is(seen, "kernel_busy"))
		at_the_limit(seen, &how);
	if (kernel_lost(seen))
		json_object_set_new(seen, "kernelEnd", kernel_end(s.lab, s.place.kernel_id, json_object_get(used, "kernel")));
	json_t *line;
	size_t i;
	json_array_foreach(json_object_get(seen, "console"), i, line)
		xput_now(console_record(c, line));
	page_answers = seen != NULL;
	json_t *record = seen ? cell_record(c, seen) : is_page_busy(used, (double)now_ns() / 1e9 - begun_s) ?
	    idle_record(c, "timed_out", "the page was busy all the while, and did not answer") : idle_record(c, "browser_died", error);
	json_object_set_new(record, "usage", used);
	json_t *frames = film && seen ? film_end(film, json_is_true(json_object_get(seen, "drawn"))) : NULL;
	if (frames)
		xput_now(frames);
	if (film)
		mark(record, "filmed");
	if (s.wd->alerts > alerts)
		mark(record, "alert");
	if (continued != continued_before || asleep_s() - asleep_before_s > LEAST_SLEEP_S)
		mark(record, "suspended");
	json_decref(seen);
	free(error);
	return record;
}

/* Why the run ends after this cell, or NULL: it goes on. */
static bool
ends_run(const char *status)
{
	static const char *const on[] = {"completed", "not_settled", "no_viewer"};
	for (size_t i = 0; i < COUNT(on); i++)
		if (strcmp(status, on[i]) == 0)
			return false;
	return true;
}

/* All cells, in order; the status of the run. */
static const char *
run_cells(const struct notebook *nb, size_t *done, char **reason)
{
	static char word[32];
	bool over = false;
	snprintf(word, sizeof word, "completed");
	for (size_t i = 0; i < nb->n; i++) {
		const struct cell *c = &nb->cells[i];
		if (over) {
			xput_now(idle_record(c, "not_run", *reason));
			continue;
		}
		json_t *record = run_cell(nb, c);
		session_stop_if_told();
		const char *status = json_string_value(json_object_get(record, "status"));
		if (screenshots && page_answers)
			take_screenshot(c, record);
		if (strcmp(status, "completed") != 0 && strcmp(word, "completed") == 0)
			snprintf(word, sizeof word, "%s", status);
		if (ends_run(status)) {
			snprintf(word, sizeof word, "%s", status);
			over = true;
			*reason = xasprintf("cell %zu %s", c->index, status);
		}
		(*done)++;
		xput_now(record);
	}
	return word;
}

/* ---- the whole ---------------------------------------------------------------------- */

static enum status
run_skipped(const struct notebook *nb, const char *path)
{
	xput_now(run_record(&s.o, nb, path, NULL, NULL));
	for (size_t i = 0; i < nb->n; i++)
		xput_now(idle_record(&nb->cells[i], "skipped", skip));
	xput_now(run_end_record("skipped", skip, 0, NAN, NAN, NAN));
	xclose_stdout();
	return ST_OK;
}

/* Which of the two does not answer, when both were asked to open the page; "failed":
 * both do, and what was asked for cannot be. */
static const char *
who_broke(void)
{
	s.lab->limit_ms = ASK_MS;
	json_t *server = lab_call(s.lab, "GET", "api", NULL, NULL), *browser = NULL;
	s.lab->limit_ms = 0;
	if (server)
		browser = wd_call(s.wd, "GET", "url", NULL, ASK_MS);
	json_decref(server);
	json_decref(browser);
	return !server ? "server_lost" : !browser ? "browser_died" : s.place.stillborn ? "kernel_died" : s.lost ? "server_lost" : "failed";
}

/* No cell could run: why; returns the run's status. */
static const char *
not_opened(const struct notebook *nb, const char *why)
{
	warn("%s", why);
	xput_now(fault_record("not_opened", why));
	for (size_t i = 0; i < nb->n; i++)
		xput_now(idle_record(&nb->cells[i], "not_run", why));
	return who_broke();
}

static enum status
run_notebook(const struct notebook *nb, const char *path)
{
	const char *slash = strrchr(path, '/'), *status;
	char *reason = NULL;
	size_t done = 0;
	xsession_connect(&s);
	sigaction(SIGCONT, &(struct sigaction){.sa_handler = on_continue, .sa_flags = SA_RESTART}, NULL);
	char *broken = session_open(&s, nb, slash ? slash + 1 : path);
	if (!broken && (s.lost = page_arm(s.wd, nb->cells) != 0))
		broken = wd_fault(s.wd);
	session_stop_if_told();
	double open_ms = session_ms(&s);
	xput_now(run_record(&s.o, nb, path, s.lab, &s.place));
	if (s.o.attempt > 1)
		xput_now(fault_record("tried_again", before ? before : "the attempts before were not kept"));
	if (broken) {
		status = not_opened(nb, reason = broken);
	} else {
		xsession_watch(&s, s.place.kernel_id);
		if (film_dir && !(film = film_open(s.wd, film_dir)))
			die(ST_SYSTEM, "--film: %s: %s", s.wd->code, s.wd->message);
		status = run_cells(nb, &done, &reason);
	}
	if (s.executed && !broken && page_answers && strcmp(status, "server_lost") != 0)
		xsession_keep_saved(&s);
	xsession_end(&s, status, reason, done, open_ms);
	return broken ? ST_SYSTEM : strcmp(status, "completed") == 0 ? ST_OK : ST_DIFFERS;
}

static void
check_options(void)
{
	char error[256];
	if (strcmp(s.o.wait, "auto") && strcmp(s.o.wait, "tags") && strcmp(s.o.wait, "none"))
		die_usage(&usage, "--wait must be auto, tags or none, not '%s'", s.o.wait);
	if (s.o.cores && pin_check(s.o.cores, error) != 0)
		die_usage(&usage, "--cores: %s", error);
	if (listen && (screenshots || film_dir || skip))
		die_usage(&usage, "--listen takes no --screenshots, no --film and no --skip");
	if (s.o.selector && !*s.o.selector)
		s.o.selector = NULL;
	s.o.screenshots = screenshots != NULL;
	s.o.filmed = film_dir != NULL;
	s.ready_ms = ready_timeout_s * 1000;
}

int
main(int argc, char **argv)
{
	void (*call)(const char *) = one_file;
	memcpy(&opts[0].to, &call, sizeof call);
	int first = options(argc, argv, &usage);
	if (argc - first != 1 && !(listen && argc == first))
		die_usage(&usage, "one notebook is wanted");
	check_options();
	if (listen && !argv[first] && !joined_browser())
		die_usage(&usage, "--listen without a notebook listens to a browser that was joined (wdsession --join)");
	if (listen)
		return listen_notebook(&s, argv[first]);
	struct notebook nb = xread_notebook(argv[first]);
	return (int)(skip ? run_skipped(&nb, argv[first]) : run_notebook(&nb, argv[first]));
}
