/* labpage.c: a notebook open in JupyterLab, driven by keyboard. */
#include "labpage.h"
#include "kernelend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEY_CONTROL "\xEE\x80\x89"	/* U+E009 */
#define KEY_ENTER "\xEE\x80\x87"	/* U+E007 */
#define KEY_ESCAPE "\xEE\x80\x8C"	/* U+E00C */
#define KEY_DOWN "\xEE\x80\x95"	/* U+E015 */
#define KEY_UP "\xEE\x80\x93"	/* U+E013 */

enum { PRESS_MS = 5000, FIRST_PRESS_MS = 1500, FIRST_PRESSES = 2, CALL_MS = 30000, FOCUS_MS = 15000, SELECT_TRIES = 8, SETTLE_SLACK_MS = 15000, ANSWER_SLACK_MS = 5000, MOST_DIALOGS = 20, DIALOG_MS = 1500, SAVE_STEP_MS = 10, LOOK_MS = 2000, SILENT_MS = 10000 };

/* ---- keys --------------------------------------------------------------------- */

static json_t *
key(const char *what, const char *value)
{
	return json_pack("{s:s, s:s}", "type", what, "value", value);
}

static int
perform(struct wd *w, json_t *keys)
{
	json_t *body = json_pack("{s:[{s:s, s:s, s:o}]}", "actions", "type", "key", "id", "keyboard", "actions", keys);
	json_t *done = wd_call(w, "POST", "actions", body, CALL_MS);
	json_decref(body);
	json_decref(done);
	return done ? 0 : -1;
}

static void
add_times(json_t *keys, const char *value, size_t times)
{
	while (times--) {
		json_array_append_new(keys, key("keyDown", value));
		json_array_append_new(keys, key("keyUp", value));
	}
}

static int
press(struct wd *w, const char *value)
{
	json_t *keys = json_array();
	add_times(keys, value, 1);
	return perform(w, keys);
}

static void
add_with_control(json_t *keys, const char *value)
{
	json_array_append_new(keys, key("keyDown", KEY_CONTROL));
	json_array_append_new(keys, key("keyDown", value));
	json_array_append_new(keys, key("keyUp", value));
	json_array_append_new(keys, key("keyUp", KEY_CONTROL));
}

/* ---- opening -------------------------------------------------------------------- */

static char *
describe(struct wd *w)
{
	return xasprintf("%s: %s", w->code, w->message);
}

/* In this order: each builds on the one before it. */
static const char *const scripts[] = {page_watch_js, page_usage_js, page_kernel_js};

static int
arm(struct wd *w)
{
	for (size_t i = 0; i < COUNT(scripts); i++)
		if (browser_arm(w, scripts[i]) != 0)
			return -1;
	return 0;
}

int
page_inject(struct wd *w)
{
	for (size_t i = 0; i < COUNT(scripts); i++) {
		json_t *done = wd_script(w, scripts[i], NULL, CALL_MS);
		if (!done)
			return -1;
		json_decref(done);
	}
	return 0;
}

static int
give_cookies(struct wd *w, struct lab *lab)
{
	json_t *cookies = lab_cookies(lab), *cookie;
	size_t i;
	int bad = cookies ? 0 : -1;
	json_array_foreach(cookies, i, cookie)
		if (browser_cookie(w, lab->url, cookie) != 0)
			bad = -1;
	json_decref(cookies);
	return bad;
}

static int
navigate(struct wd *w, struct place *p, long timeout_ms)
{
	char *before = xasprintf("%slab/workspaces/%s/tree/", p->lab->url, p->workspace), *url = url_path(before, p->path);
	json_t *body = json_pack("{s:s}", "url", url);
	json_t *limits = json_pack("{s:i, s:i}", "script", (int)timeout_ms, "pageLoad", (int)timeout_ms);
	json_decref(wd_call(w, "POST", "timeouts", limits, CALL_MS));
	json_t *done = wd_call(w, "POST", "url", body, timeout_ms + SETTLE_SLACK_MS);
	json_decref(limits);
	json_decref(body);
	json_decref(done);
	free(before);
	free(url);
	return done ? 0 : -1;
}

static json_t *
panel_state(struct wd *w)
{
	return wd_script(w, "return window.__nbscopeKernel.panelState()", NULL, CALL_MS);
}

static bool
truth(const json_t *state, const char *key_name)
{
	return json_is_true(json_object_get(state, key_name));
}

static double
loaded_mb(struct wd *w)
{
	json_t *bytes = wd_script(w, "return performance.getEntriesByType('resource').reduce((sum, e) => sum + e.transferSize, 0)", NULL, CALL_MS);
	double mb = json_number_value(bytes) / 1e6;
	json_decref(bytes);
	return mb;
}

/* Why a page did not become ready, in words for people. */
static char *
why_not_ready(struct wd *w, const json_t *ready)
{
	json_t *state = panel_state(w);
	const char *dialog = json_string_value(json_object_get(state, "dialog"));
	const char *lost = json_string_value(json_object_get(json_object_get(ready, "lost"), "state"));
	char *why;
	if (!state)
		why = describe(w);
	else if (truth(state, "login"))
		why = xstrdup("the server shows a login page");
	else if (dialog)
		why = xasprintf("JupyterLab shows a dialog: %s", dialog);
	else if (lost)
		why = xasprintf("the kernel said '%s' while it started", lost);
	else if (!truth(state, "panel"))
		why = xasprintf("JupyterLab did not open the notebook in time; of its page %.1f MB had come", loaded_mb(w));
	else
		why = xasprintf("the kernel did not become ready (kernel_info_reply %s, idle after it %s)",
		    truth(ready, "reply") ? "seen" : "not seen", truth(ready, "idle") ? "seen" : "not seen");
	json_decref(state);
	return why;
}

/* Command mode with the focus in the notebook: keys go where they should. */
static int
take_focus(struct wd *w, char **error)
{
	uint64_t end = now_ns() + (uint64_t)FOCUS_MS * 1000000u;
	do {
		json_t *focused = wd_script(w, "return window.__nbscopeKernel.focus()", NULL, CALL_MS);
		json_decref(focused);
		if (!focused || press(w, KEY_ESCAPE) != 0)
			break;
		json_t *state = wd_async(w, "window.__nbscopeKernel.moved().then(arguments[arguments.length - 1])", NULL, CALL_MS);
		bool ok = truth(state, "command") && json_integer_value(json_object_get(state, "index")) >= 0;
		json_decref(state);
		if (ok)
			return 0;
	} while (now_ns() < end);
	*error = w->code ? describe(w) : xstrdup("the notebook does not take the keyboard's focus");
	return -1;
}

/* Chromium shows a page of its own where a certificate is bad, and its driver
 * says that all went well. */
static char *
error_page(struct wd *w, const char *url)
{
	json_t *seen = wd_script(w, "return location.protocol === 'chrome-error:' ? "
	    "(document.body.innerText.match(/ERR_\\w+/) || ['no reason given'])[0] : null", NULL, CALL_MS);
	const char *word = json_string_value(seen);
	char *error = !word ? NULL : xasprintf("the browser opens no page of '%s': %.80s%s", url, word,
	    strstr(word, "CERT") ? " (wdsession --insecure, with make INSECURE=1, accepts any certificate)" : "");
	json_decref(seen);
	return error;
}

/* A server that ended, or one in its place that does not have our kernel; NULL: all
 * is well so far. */
static char *
server_lost(struct place *p, uint64_t *silent_since_ns)
{
	char *state = p->kernel_id ? kernel_state(p->lab, p->kernel_id) : xstrdup("not ours");
	bool gone = state && strcmp(state, "gone") == 0;
	free(state);
	if (gone)
		return xstrdup("the server has the notebook's kernel no more: it was started again, or its kernels were ended");
	if (state)
		*silent_since_ns = 0;
	else if (!*silent_since_ns)
		*silent_since_ns = now_ns();
	else if (now_ns() - *silent_since_ns > (uint64_t)SILENT_MS * 1000000u)
		return xasprintf("the server does not answer: %s", p->lab->error);
	return NULL;
}

/* What K.waitReady() answers.  A page that is still loading cannot tell that its
 * server is lost: the server itself is asked in between; then *error is why. */
static json_t *
wait_ready(struct wd *w, struct place *p, long ready_ms, char **error)
{
	uint64_t end = now_ns() + (uint64_t)ready_ms * 1000000u, silent_since_ns = 0;
	json_t *args = json_pack("[i]", ready_ms < LOOK_MS ? (int)ready_ms : LOOK_MS), *ready;
	for (;;) {
		ready = wd_async(w, "const done = arguments[arguments.length - 1];"
		    "window.__nbscopeKernel.waitReady(arguments[0]).then(done)", args, ready_ms + SETTLE_SLACK_MS);
		if (!ready || truth(ready, "ready") || !json_is_null(json_object_get(ready, "lost")) || http_stop || now_ns() >= end)
			break;
		if ((*error = server_lost(p, &silent_since_ns)))
			break;
		json_decref(ready);
	}
	json_decref(args);
	return ready;
}

int
page_open(struct wd *w, struct place *p, long ready_ms, char **error)
{
	int armed = arm(w);
	if (give_cookies(w, p->lab) != 0 || navigate(w, p, ready_ms) != 0 || (armed != 0 && page_inject(w) != 0)) {
		*error = !w->code ? xstrdup(p->lab->error) : strcmp(w->code, "timeout") != 0 ? describe(w) :
		    xasprintf("JupyterLab's page did not load within %ld s: its server or the link to it is slow", ready_ms / 1000);
		return -1;
	}
	if ((*error = error_page(w, p->lab->url)))
		return -1;
	json_t *ready = wait_ready(w, p, ready_ms, error);
	int ok = truth(ready, "ready");
	p->loading_ms = ok ? json_number_value(json_object_get(ready, "loadingMs")) : (double)NAN;
	if (!ok && !*error)
		*error = ready ? why_not_ready(w, ready) : describe(w);
	json_decref(ready);
	return ok && take_focus(w, error) == 0 ? 0 : -1;
}

int
page_selector(struct wd *w, const char *selector)
{
	json_t *args = json_pack("[s?]", selector);
	json_t *done = wd_script(w, "window.__nbscopeWatch.select(arguments[0]); return true", args, CALL_MS);
	json_decref(args);
	json_decref(done);
	return done ? 0 : -1;
}

/* ---- one cell -------------------------------------------------------------------- */

#define WAIT "window.__nbscopeKernel.wait(arguments[0]).catch(e => ({outcome: 'script_error', fault: String(e)}))"

/* With the browser's ear free in between; json_null() at the limit. */
static json_t *
wait_meanwhile(struct wd *w, void (*meanwhile)(void), json_t *args, long limit_ms)
{
	uint64_t end = now_ns() + (uint64_t)limit_ms * 1000000u;
	json_t *answer = wd_script(w, "window.__nbscopeAnswer = null; " WAIT ".then(a => { window.__nbscopeAnswer = a; }); return null", args, CALL_MS);
	while (json_is_null(answer) && now_ns() < end && !http_stop) {
		meanwhile();
		answer = wd_script(w, "return window.__nbscopeAnswer", NULL, CALL_MS);
	}
	return answer;
}

static json_t *
wait_cell(struct wd *w, const struct cell_wait *c, long press_ms)
{
	static const char *const viz[] = {"no", "yes", "auto"};
	json_t *next = c->next ? json_pack("{s:s, s:I}", "id", c->next->id, "position", (json_int_t)c->next->position) : NULL;
	json_t *opts = json_pack("{s:o?, s:I, s:b, s:s, s:I, s:f, s:I}", "next", next, "pressMs", (json_int_t)press_ms, "empty", c->empty, "waitViz", viz[c->viz],
	    "quietMs", (json_int_t)c->quiet_ms, "maxWaitMs", c->max_wait_ms, "graceMs", (json_int_t)c->grace_ms);
	json_t *args = json_pack("[o]", opts);
	long ms = (c->grace_ms ? c->grace_ms : (long)c->max_wait_ms) + SETTLE_SLACK_MS;
	json_t *limits = json_pack("{s:I}", "script", (json_int_t)ms);
	static long limit_set;
	if (limit_set != ms)
		json_decref(wd_call(w, "POST", "timeouts", limits, CALL_MS));
	limit_set = ms;
	json_t *answer;
	int tries = 0;
	/* A dialog ends the script's call with null; the page's state stays. */
	do
		answer = c->meanwhile ? wait_meanwhile(w, c->meanwhile, args, ms + ANSWER_SLACK_MS) :
		    wd_async(w, "const done = arguments[arguments.length - 1];" WAIT ".then(done)", args, ms + ANSWER_SLACK_MS);
	while (json_is_null(answer) && ++tries < MOST_DIALOGS);
	json_decref(limits);
	json_decref(args);
	return answer;
}

int
page_arm(struct wd *w, const struct cell *c)
{
	json_t *args = json_pack("[s, I]", c->id, (json_int_t)c->position);
	json_t *done = wd_script(w, "return window.__nbscopeKernel.arm(arguments[0], arguments[1])", args, CALL_MS);
	json_decref(args);
	json_decref(done);
	return done ? 0 : -1;
}

/* Moves by keyboard and lets JupyterLab finish what moving makes it do, so that
 * none of it falls into the cell's time.  The active cell's position; -1: see
 * w->code. */
static json_int_t
move(struct wd *w, size_t from, size_t to)
{
	json_t *keys = json_array();
	add_times(keys, to > from ? KEY_DOWN : KEY_UP, to > from ? to - from : from - to);
	if (perform(w, keys) != 0)
		return -1;
	json_t *state = wd_async(w, "window.__nbscopeKernel.moved().then(arguments[arguments.length - 1])", NULL, CALL_MS);
	json_int_t at = truth(state, "command") ? json_integer_value(json_object_get(state, "index")) : -1;
	json_decref(state);
	return at;
}

json_t *
page_wait(struct wd *w, const struct cell_wait *c)
{
	return wait_cell(w, c, PRESS_MS);
}

bool
outcome_is(const json_t *seen, const char *word)
{
	const char *outcome = json_string_value(json_object_get(seen, "outcome"));
	return outcome && strcmp(outcome, word) == 0;
}

/* Control+Enter for the armed cell.  Soon after loading JupyterLab swallows a
 * press without a trace; the first cell's is then repeated, and its time begins
 * with the press that counted. */
static json_t *
press_and_wait(struct wd *w, const struct cell *c, const struct cell_wait *how)
{
	for (int press_again = how->first ? FIRST_PRESSES : 0; ; press_again--) {
		json_t *keys = json_array(), *seen = NULL;
		add_with_control(keys, KEY_ENTER);
		if (how->before_press)
			how->before_press();
		if (perform(w, keys) == 0)
			seen = wait_cell(w, how, press_again ? FIRST_PRESS_MS : PRESS_MS);
		char *error = NULL;
		/* Older versions ask for a kernel then: Escape closes that dialog. */
		bool again = press_again && outcome_is(seen, "no_request") && press(w, KEY_ESCAPE) == 0 &&
		    take_focus(w, &error) == 0 && page_arm(w, c) == 0;
		free(error);
		if (!again)
			return seen;
		json_decref(seen);
	}
}

json_t *
page_run(struct wd *w, size_t from, const struct cell *c, const struct cell_wait *how, char **error)
{
	json_int_t want = (json_int_t)c->position, at = (json_int_t)from;
	for (int try = 0; try < SELECT_TRIES; try++) {
		if (at != want)
			at = move(w, (size_t)at, c->position);
		if (at < 0 && take_focus(w, error) != 0)
			return NULL;
		if (at == want) {
			json_t *seen = press_and_wait(w, c, how);
			if (!seen)
				break;
			/* Or the page stopped the key: another cell was active. */
			if (!outcome_is(seen, "astray") || try == SELECT_TRIES - 1)
				return seen;
			json_decref(seen);
		}
		json_t *state = panel_state(w);
		at = json_integer_value(json_object_get(state, "index"));
		json_decref(state);
		if (!state || at < 0)
			break;
	}
	*error = w->code ? describe(w) : xasprintf("cell %zu cannot be selected by keyboard", c->index);
	return NULL;
}

/* The text of the dialog that is open, NULL: none is. */
static char *
dialog_of(struct wd *w)
{
	json_t *state = panel_state(w);
	const char *text = json_string_value(json_object_get(state, "dialog"));
	char *copy = text ? xstrdup(text) : NULL;
	for (char *p = copy; p && (p = strchr(p, '\n')); )
		*p = ' ';
	json_decref(state);
	return copy;
}

int
page_save(struct wd *w, struct place *p, long timeout_ms, char **why)
{
	char *before = place_modified(p), *dialog = NULL;
	uint64_t end = now_ns() + (uint64_t)timeout_ms * 1000000u, look = now_ns() + (uint64_t)DIALOG_MS * 1000000u;
	json_t *keys = json_array();
	bool saved = false, pressed;
	add_with_control(keys, "s");
	*why = NULL;
	pressed = before && take_focus(w, why) == 0;
	if (pressed)
		pressed = perform(w, keys) == 0;
	else
		json_decref(keys);
	while (pressed && !saved && !dialog && !http_stop && now_ns() < end) {
		char *after = place_modified(p);
		saved = after && strcmp(after, before) != 0;
		free(after);
		/* Somebody else changed the file, and JupyterLab asks. */
		if (!saved && now_ns() > look)
			dialog = dialog_of(w);
		if (!saved)
			pause_ms(SAVE_STEP_MS);
	}
	if (!saved && !*why)
		*why = dialog ? xasprintf("JupyterLab asks: %s", dialog) : !before ? xstrdup(p->lab->error) :
		    pressed ? xstrdup("the server did not get it in time") : describe(w);
	free(before);
	free(dialog);
	return saved ? 0 : -1;
}

static int
is_blank(struct wd *w, json_t *png)
{
	json_t *args = json_pack("[O]", png);
	json_t *v = wd_async(w, "const done = arguments[arguments.length - 1];"
	    "fetch('data:image/png;base64,' + arguments[0]).then(r => r.blob()).then(createImageBitmap).then(b => {"
	    " const c = new OffscreenCanvas(b.width, b.height).getContext('2d'); c.drawImage(b, 0, 0);"
	    " const d = new Uint32Array(c.getImageData(0, 0, b.width, b.height).data.buffer);"
	    " done(d.every(v => v === d[0])) }, () => done(null))", args, CALL_MS);
	int blank = json_is_boolean(v) ? json_is_true(v) : -1;
	json_decref(args);
	json_decref(v);
	return blank;
}

json_t *
page_screenshot(struct wd *w, int *blank)
{
	json_t *el = wd_script(w, "const v = window.__nbscopeWatch.viewer(); window.__nbscopeWatch.scrollTo(v); return v", NULL, CALL_MS);
	json_t *id = json_object_iter_value(json_object_iter(el));
	json_t *png = NULL;
	*blank = -1;
	/* The page's own scripts may have given another's answer. */
	const char *word = json_string_value(id);
	if (word && strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") == strlen(word)) {
		char *path = xasprintf("element/%s/screenshot", word);
		png = wd_call(w, "GET", path, NULL, CALL_MS);
		free(path);
	}
	json_decref(el);
	if (png)
		*blank = is_blank(w, png);
	return png;
}
