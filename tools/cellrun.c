/* cellrun: what each cell of a notebook costs the person in front of the browser.
 * Puts NOTEBOOK on the server that JUPYTERLAB_URL names, opens it in the browser
 * of WD_SESSION, runs each code cell by keyboard, and writes a record of each to
 * stdout: when it was pressed, sent, busy, idle, received and settled. */
#include "cellrecord.h"
#include "cellusage.h"
#include "film.h"
#include "listen.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INTERRUPT_GRACE_MS = 5000, SAVE_MS = 20000, MOST_FILES = 64 };

static struct run_options o = {.label = "current", .repetition = 1, .attempt = 1,
	.max_wait_s = 300, .quiet_ms = 300, .wait = "auto"};
static bool listen;
static const char *executed, *screenshots, *film_dir, *kernel, *cores, *skip, *beside[MOST_FILES];
static size_t n_beside;
static long ready_timeout_s = 120;

static void
one_file(const char *path)
{
	if (n_beside == MOST_FILES)
		die(ST_USAGE, "more than %d --with-file", MOST_FILES);
	beside[n_beside++] = path;
}

static struct opt opts[] = {
	{0, "with-file", OPT_CALL, NULL, 0, 0, "PATH", "a file to stand beside the notebook, or a folder whose content does; repeatable"},
	{'m', "max-wait-time", OPT_REAL, &o.max_wait_s, 0.1, 86400, "S", "bounds each cell, kernel and viewer together; default 300"},
	{'w', "wait", OPT_STRING, &o.wait, 0, 0, "WHICH", "auto, tags or none: which cells wait for the viewer; default auto"},
	{'v', "viz-selector", OPT_STRING, &o.selector, 0, 0, "CSS", "what the viewer is; default: all that cells draw"},
	{'q', "quiet", OPT_INT, &o.quiet_ms, 1, 60000, "MS", "a viewer without a change for so long has settled; default 300"},
	{'s', "screenshots", OPT_STRING, &screenshots, 0, 0, "DIR", "a PNG of the viewer after each cell"},
	{'f', "film", OPT_STRING, &film_dir, 0, 0, "DIR", "film each cell: frames into DIR and film records; disturbs all times"},
	{'e', "executed", OPT_STRING, &executed, 0, 0, "FILE", "keep the executed notebook with its outputs"},
	{'k', "kernel", OPT_STRING, &kernel, 0, 0, "NAME", "a kernelspec of the server; default: the notebook's own"},
	{'c', "cores", OPT_STRING, &cores, 0, 0, "N|LIST", "the kernel on so many processors, or on these (0-3,6)"},
	{'l', "label", OPT_STRING, &o.label, 0, 0, "LABEL", "stands in the record; default current"},
	{'r', "repetition", OPT_INT, &o.repetition, 1, 1000000, "K", "stands in the record; default 1"},
	{'a', "attempt", OPT_INT, &o.attempt, 1, 1000, "K", "stands in the record; default 1"},
	{0, "insecure", OPT_FLAG, &lab_insecure, 0, 0, NULL, "accept any TLS certificate of the server, with a warning"},
	{0, "ready-timeout", OPT_INT, &ready_timeout_s, 1, 3600, "S", "how long JupyterLab and the kernel may take to be ready; default 120"},
	{0, "listen", OPT_FLAG, &listen, 0, 0, NULL, "run nothing: record what a person runs and does, until the tab is closed or SIGINT"},
	{0, "skip", OPT_STRING, &skip, 0, 0, "REASON", "run nothing: record every cell as skipped, with the reason"},
	{0},
};
static const struct usage usage = {"cellrun", "[options] NOTEBOOK",
	"Runs a notebook in JupyterLab in a browser and records what each cell cost.", opts};

static struct place place;
static struct wd *wd;
static struct cellusage *usage_of;
static struct film *film;
static bool own_tab;	/* that was opened in a joined browser */

static void
on_signal(int sig)
{
	if (!http_stop)
		http_stop = sig;
}

/* What was opened is closed whatever happens. */
static void
clean_up(void)
{
	http_stop = 0;
	if (own_tab)
		tab_close(wd);
	own_tab = false;
	if (place.lab)
		place_close(&place);
}

static void
stop_if_told(void)
{
	if (!http_stop)
		return;
	int sig = http_stop;
	clean_up();
	_exit(128 + sig);
}

static void
put(json_t *record)
{
	xput_record(record);
	json_decref(record);
	if (fflush(stdout) != 0)
		die(ST_SYSTEM, "cannot write to standard output:");
}

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
	json_t *png = page_screenshot(wd, &blank);
	size_t n;
	unsigned char *data = png ? base64_decode(json_string_value(png), &n) : NULL;
	if (data) {
		char *path = xasprintf("%s/cell-%03zu.png", screenshots, c->index);
		struct saving s;
		if (make_dirs(screenshots) != 0 || save_open(&s, path) != 0)
			die(ST_SYSTEM, "cannot write '%s':", path);
		fwrite(data, 1, n, s.f);
		if (save_commit(&s) != 0)
			die(ST_SYSTEM, "cannot write '%s':", path);
		json_object_set_new(record, "screenshot", json_string(strrchr(path, '/') + 1));
		free(path);
	}
	if (blank == 1)
		mark(record, "blank");
	free(data);
	json_decref(png);
}

/* ---- one cell -------------------------------------------------------------------- */

static enum wait_viz
wants_viz(const struct notebook *nb, const struct cell *c)
{
	bool tagged = false;
	for (size_t i = 0; i < nb->n; i++)
		tagged = tagged || has_tag(&nb->cells[i], "wait_for_viz");
	if (strcmp(o.wait, "none") == 0)
		return VIZ_NO;
	if (tagged || strcmp(o.wait, "tags") == 0)
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
	cellusage_before(usage_of);
}

/* The cell's record, or one that says what broke. */
static json_t *
run_cell(const struct notebook *nb, const struct cell *c)
{
	char *error = NULL;
	bool last = c->index == nb->n;
	struct cell_wait how = {.viz = wants_viz(nb, c), 
	    .empty = c->empty, .first = c->index == 1, .next = last ? NULL : c + 1,
	    .quiet_ms = o.quiet_ms, .max_wait_ms = o.max_wait_s * 1000, .before_press = before_press,
	    .meanwhile = film ? film_on : NULL};
	unsigned alerts = wd->alerts;
	put(cell_start_record(c));
	if (film)
		film_begin(film, c);
	json_t *seen = page_run(wd, c->index == 1 ? 0 : (c - 1)->position, c, &how, &error);
	json_t *used = cellusage_after(usage_of);
	stop_if_told();
	if (seen && outcome_is(seen, "kernel_busy")) {
		/* The interrupted cell's end is not its time: the limit is. */
		json_t *after = NULL;
		how.grace_ms = INTERRUPT_GRACE_MS;
		how.viz = VIZ_NO;
		if (place_interrupt(&place) == 0)
			after = page_wait(wd, &how);
		json_object_set_new(seen, "interrupted", json_boolean(after && !outcome_is(after, "kernel_busy")));
		json_decref(after);
	}
	json_t *line;
	size_t i;
	json_array_foreach(json_object_get(seen, "console"), i, line)
		put(console_record(c, line));
	json_t *record = seen ? cell_record(c, seen) : broken_record(c, error);
	json_object_set_new(record, "usage", used);
	json_t *frames = film && seen ? film_end(film, json_is_true(json_object_get(seen, "drawn"))) : NULL;
	if (frames)
		put(frames);
	if (film)
		mark(record, "filmed");
	if (wd->alerts > alerts)
		mark(record, "alert");
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
			put(idle_record(c, "not_run", *reason));
			continue;
		}
		json_t *record = run_cell(nb, c);
		stop_if_told();
		const char *status = json_string_value(json_object_get(record, "status"));
		if (screenshots && strcmp(status, "browser_died") != 0)
			take_screenshot(c, record);
		if (strcmp(status, "completed") != 0 && strcmp(word, "completed") == 0)
			snprintf(word, sizeof word, "%s", status);
		if (ends_run(status)) {
			snprintf(word, sizeof word, "%s", status);
			over = true;
			*reason = xasprintf("cell %zu %s", c->index, status);
		}
		(*done)++;
		put(record);
	}
	return word;
}

/* ---- the whole ---------------------------------------------------------------------- */

/* Opens the page of what is on the server; NULL, or why it could not. */
static char *
open_page(void)
{
	char *error = NULL;
	if (page_open(wd, &place, ready_timeout_s * 1000, &error) != 0)
		return error;
	if (page_selector(wd, o.selector) != 0)
		return xasprintf("viz selector '%s': %s", o.selector ? o.selector : "", wd->message);
	return NULL;
}

/* Puts all on the server and opens the page; NULL, or why it could not. */
static char *
open_all(struct lab *lab, const struct notebook *nb, const char *name)
{
	json_t *copy = runnable_copy(nb);
	int bad = place_open(&place, lab, name, copy, kernel ? kernel : nb->kernel);
	json_decref(copy);
	for (size_t i = 0; !bad && i < n_beside; i++) {
		const char *slash = strrchr(beside[i], '/');
		bad = place_put(&place, beside[i], is_folder(beside[i]) ? "" : slash ? slash + 1 : beside[i]);
	}
	if (bad || place_start(&place, kernel ? kernel : nb->kernel) != 0)
		return xstrdup(lab->error);
	return open_page();
}

/* The server writes into the file while it has its new date: until it is whole,
 * a reader gets an error. */
static json_t *
saved_notebook(void)
{
	uint64_t end = now_ns() + (uint64_t)SAVE_MS * 1000000u;
	json_t *nb = NULL;
	if (page_save(wd, &place, SAVE_MS) != 0)
		return NULL;
	while (!(nb = place_get(&place)) && now_ns() < end && !http_stop)
		pause_ms(20);
	return nb;
}

static void
keep_executed(json_t *nb)
{
	if (!nb) {
		warn("cannot save the executed notebook: %s", wd->message ? wd->message : place.lab ? place.lab->error : "its tab is gone");
		return;
	}
	struct saving s;
	char *text = json_text(nb), *dir = xstrdup(executed), *slash = strrchr(dir, '/');
	if (slash) {
		*slash = '\0';
		make_dirs(dir);
	}
	if (save_open(&s, executed) != 0)
		die(ST_SYSTEM, "cannot write '%s':", executed);
	fputs(text, s.f);
	fputc('\n', s.f);
	if (save_commit(&s) != 0)
		die(ST_SYSTEM, "cannot write '%s':", executed);
	free(text);
	free(dir);
	json_decref(nb);
}

static int
run_skipped(const struct notebook *nb, const char *path)
{
	put(run_record(&o, nb, path, NULL, NULL));
	for (size_t i = 0; i < nb->n; i++)
		put(idle_record(&nb->cells[i], "skipped", skip));
	put(run_end_record("skipped", skip, 0, NAN, NAN, NAN));
	xclose_stdout();
	return ST_OK;
}

static bool
joined(void)
{
	const char *where = getenv("WD_JOINED");
	return listen && where && *where;
}

static struct lab *
xconnect(void)
{
	char error[512];
	const char *session = getenv("WD_SESSION");
	if (!session || !*session)
		die(ST_USAGE, "no browser: WD_SESSION is not set (run: labserve wdsession cellrun NOTEBOOK)");
	wd = wd_open(session);
	xload_dotenv(".env");
	if (!getenv("JUPYTERLAB_URL") && joined())
		return NULL;	/* the tab knows its server */
	if (!getenv("JUPYTERLAB_URL"))
		die(ST_USAGE, "no server: JUPYTERLAB_URL is not set (run: labserve wdsession cellrun NOTEBOOK)");
	struct lab *lab = lab_open(error);
	if (!lab)
		die(ST_SYSTEM, "%s", error);
	return lab;
}

static void
watch_all(struct lab *lab, const char *kernel_id)
{
	char error[256];
	pid_t pid = cores ? kernel_pid(kernel_id) : 0;
	if (cores && !pid)
		die(ST_SYSTEM, "--cores: the kernel's process is not on this machine");
	if (pid && pin_process(pid, cores, error) != 0)
		die(ST_USAGE, "--cores: %s", error);
	if (film_dir && !(film = film_open(wd, film_dir)))
		die(ST_SYSTEM, "--film: %s: %s", wd->code, wd->message);
	usage_of = cellusage_open(lab, kernel_id);
	cellusage_watches(usage_of, put);
}

static void
catch_signals(void)
{
	struct sigaction a = {.sa_handler = on_signal};
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGHUP, &a, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* ---- while a person works ----------------------------------------------------------- */

struct heard {
	struct lab *lab;
	struct notebook nb;	/* what its file told, if there is one */
	const char *name;	/* for the records */
	json_t *tab;		/* where the notebook was open already, or NULL */
};

/* The tab that shows it; else a file of ours, put on the server; else a notebook
 * that is there, which stays the person's.  NULL, or why it cannot be had. */
static char *
open_heard(struct heard *h, const char *path)
{
	h->name = path;
	if (joined() && (h->tab = tab_find(wd, path))) {
		h->name = json_string_value(json_object_get(h->tab, "path"));
		h->nb.kernel = json_string_value(json_object_get(h->tab, "kernel"));
		h->nb.n = (size_t)json_integer_value(json_object_get(h->tab, "code_cells"));
		return NULL;
	}
	if (!path)
		return xstrdup("no tab of the joined browser shows a notebook");
	if (!h->lab)
		return xasprintf("no tab of the joined browser shows '%s', and no server is named to open it on: JUPYTERLAB_URL is not set", path);
	if (joined() && tab_open(wd) != 0)
		return xasprintf("%s: %s", wd->code, wd->message);
	own_tab = joined();
	if (access(path, F_OK) == 0) {
		const char *slash = strrchr(path, '/');
		h->nb = xread_notebook(path);
		return open_all(h->lab, &h->nb, slash ? slash + 1 : path);
	}
	if (place_adopt(&place, h->lab, path) != 0)
		return xasprintf("'%s' is no file, and the server has no such notebook: %s", path, h->lab->error);
	h->nb.json = place_get(&place);
	json_t *cell;
	size_t i;
	json_array_foreach(json_object_get(h->nb.json, "cells"), i, cell) {
		const char *kind = json_string_value(json_object_get(cell, "cell_type"));
		h->nb.n += kind && strcmp(kind, "code") == 0;
	}
	char *error = open_page();
	if (!error)
		place_adopt_kernel(&place);
	return error;
}

static void
put_listened_run(const struct heard *h)
{
	json_t *r = run_record(&o, &h->nb, h->name ? h->name : "", h->lab, &place);
	json_object_set_new(json_object_get(r, "settings"), "listen", json_true());
	if (h->tab) {
		const char *browser = getenv("WD_BROWSER");
		json_object_set_new(r, "browser", browser && *browser ? json_string(browser) : json_null());
		json_object_set(r, "window", json_object_get(h->tab, "window"));
		json_object_set(r, "jupyterlab", json_object_get(h->tab, "jupyterlab"));
	}
	put(r);
}

static int
run_listening(const char *path)
{
	const char *where = getenv("WD_JOINED");
	if (screenshots || film_dir || skip)
		die_usage(&usage, "--listen takes no --screenshots, no --film and no --skip");
	if (!path && !(where && *where))
		die_usage(&usage, "--listen without a notebook listens to a browser that was joined (wdsession --join)");
	uint64_t begin_ns = now_ns();
	struct heard h = {.lab = xconnect()};
	catch_signals();
	atexit(clean_up);
	char *broken = open_heard(&h, path);
	stop_if_told();
	double open_ms = (double)(now_ns() - begin_ns) / 1e6;
	put_listened_run(&h);
	struct listening l = {.o = &o, .wd = wd, .lab = h.lab, .save = executed && place.folder, .put = put, .status = "server_lost", .reason = broken,
	    .path = h.tab ? h.name : place.path};
	if (broken) {
		warn("%s", broken);
		put(fault_record("not_opened", broken));
	} else {
		const char *kernel_id = h.tab ? json_string_value(json_object_get(h.tab, "kernel_id")) : place.kernel_id;
		if (kernel_id) {
			watch_all(h.lab, kernel_id);
			l.usage = usage_of;
			l.kernel_id = xstrdup(kernel_id);
		}
		listen_run(&l);
		json_t *nb = executed ? listen_executed(&l) : NULL;
		if (executed)
			keep_executed(nb ? nb : place.lab ? place_get(&place) : NULL);
	}
	stop_if_told();
	own_tab = own_tab && !l.gone;
	put(run_end_record(l.status, l.reason, l.cells, (double)(now_ns() - begin_ns) / 1e6, open_ms, place.loading_ms > 0 ? place.loading_ms : (double)NAN));
	clean_up();
	bool ok = strcmp(l.status, "completed") == 0;
	listen_free(&l);
	json_decref(h.tab);
	wd_close(wd);
	lab_close(h.lab);
	xclose_stdout();
	return broken ? ST_SYSTEM : ok ? ST_OK : ST_DIFFERS;
}

int
main(int argc, char **argv)
{
	void (*call)(const char *) = one_file;
	memcpy(&opts[0].to, &call, sizeof call);
	int first = options(argc, argv, &usage);
	if (argc - first != 1 && !(listen && argc == first))
		die_usage(&usage, "one notebook is wanted");
	if (strcmp(o.wait, "auto") && strcmp(o.wait, "tags") && strcmp(o.wait, "none"))
		die_usage(&usage, "--wait must be auto, tags or none, not '%s'", o.wait);
	char error[256];
	if (cores && pin_check(cores, error) != 0)
		die_usage(&usage, "--cores: %s", error);
	if (o.selector && !*o.selector)
		o.selector = NULL;
	o.screenshots = screenshots != NULL;
	o.filmed = film_dir != NULL;
	if (listen)
		return run_listening(argv[first]);
	const char *path = argv[first], *slash = strrchr(path, '/');
	struct notebook nb = xread_notebook(path);
	if (skip)
		return run_skipped(&nb, path);
	struct lab *lab = xconnect();
	catch_signals();
	atexit(clean_up);
	uint64_t begin_ns = now_ns();
	char *broken = open_all(lab, &nb, slash ? slash + 1 : path), *reason = NULL;
	if (!broken && page_arm(wd, nb.cells) != 0)
		broken = xasprintf("%s: %s", wd->code, wd->message);
	stop_if_told();
	double open_ms = (double)(now_ns() - begin_ns) / 1e6;
	put(run_record(&o, &nb, path, lab, &place));
	if (!broken)
		watch_all(lab, place.kernel_id);
	size_t done = 0;
	const char *status;
	if (broken) {
		status = wd->code && strcmp(wd->code, "script timeout") != 0 ? "browser_died" : "server_lost";
		warn("%s", broken);
		put(fault_record("not_opened", broken));
		for (size_t i = 0; i < nb.n; i++)
			put(idle_record(&nb.cells[i], "not_run", broken));
		reason = broken;
	} else {
		status = run_cells(&nb, &done, &reason);
	}
	if (executed && !broken && strcmp(status, "browser_died") != 0)
		keep_executed(saved_notebook());
	stop_if_told();
	put(run_end_record(status, reason, done, (double)(now_ns() - begin_ns) / 1e6, open_ms, place.loading_ms > 0 ? place.loading_ms : (double)NAN));
	clean_up();
	wd_close(wd);
	lab_close(lab);
	xclose_stdout();
	return broken ? ST_SYSTEM : strcmp(status, "completed") == 0 ? ST_OK : ST_DIFFERS;
}
