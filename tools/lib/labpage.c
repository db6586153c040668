/* labpage.c: a notebook open in JupyterLab, driven by keyboard. */
#include "labkeys.h"

#include <stdlib.h>
#include <string.h>

enum { PRESS_MS = 5000, FIRST_PRESS_MS = 1500, FIRST_PRESSES = 2, CALL_MS = 30000, SELECT_TRIES = 8,
	LEAST_SLACK_MS = 3000, MOST_SLACK_MS = 15000, SLACK_PARTS = 20, ANSWER_SLACK_MS = 2000,
	MOST_DIALOGS = 20, DIALOG_MS = 1500, SAVE_STEP_MS = 10 };

/* ---- one cell -------------------------------------------------------------------- */

#define WAIT "(window.__nbscopeKernel ? window.__nbscopeKernel.wait(arguments[0]) : Promise.resolve({outcome: 'other_page'})).catch(e => ({outcome: 'script_error', fault: String(e)}))"

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

/* A page that is left takes the script along, and the driver says so at once, as
 * if its time were over. */
static bool
page_was_left(const struct wd *w, const json_t *answer, uint64_t end_ns)
{
	return !answer && (strcmp(w->code, "script timeout") == 0 || strcmp(w->code, "javascript error") == 0) && now_ns() < end_ns;
}

/* A page that draws is late to say that its limit has come: nobody who waits for
 * minutes minds seconds more, and a record with numbers is worth them. */
static long
slack_ms(long limit_ms)
{
	long ms = LEAST_SLACK_MS + limit_ms / SLACK_PARTS;
	return ms < MOST_SLACK_MS ? ms : MOST_SLACK_MS;
}

static json_t *
wait_cell(struct wd *w, const struct cell_wait *c, long press_ms)
{
	static const char *const viz[] = {"no", "yes", "auto"};
	json_t *next = c->next ? json_pack("{s:s, s:I}", "id", c->next->id, "position", (json_int_t)c->next->position) : NULL;
	json_t *opts = json_pack("{s:o?, s:I, s:b, s:s, s:I, s:f, s:I}", "next", next, "pressMs", (json_int_t)press_ms, "empty", c->empty, "waitViz", viz[c->viz],
	    "quietMs", (json_int_t)c->quiet_ms, "maxWaitMs", c->max_wait_ms, "graceMs", (json_int_t)c->grace_ms);
	json_t *args = json_pack("[o]", opts);
	long limit_ms = c->grace_ms ? c->grace_ms : (long)c->max_wait_ms, ms = limit_ms + slack_ms(limit_ms);
	json_t *limits = json_pack("{s:I}", "script", (json_int_t)ms);
	static long limit_set;
	if (limit_set != ms)
		json_decref(wd_call(w, "POST", "timeouts", limits, CALL_MS));
	limit_set = ms;
	json_t *answer;
	int tries = 0;
	uint64_t end_ns = now_ns() + (uint64_t)ms * 1000000u;
	/* A dialog ends the script's call with null; the page's state stays. */
	do
		answer = c->meanwhile ? wait_meanwhile(w, c->meanwhile, args, ms + ANSWER_SLACK_MS) :
		    wd_async(w, "const done = arguments[arguments.length - 1];" WAIT ".then(done)", args, ms + ANSWER_SLACK_MS);
	while ((json_is_null(answer) || page_was_left(w, answer, end_ns)) && ++tries < MOST_DIALOGS);
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

/* Moves and lets JupyterLab finish what moving makes it do, so that none of it
 * falls into the cell's time.  The script's keys take one call less than those that
 * the browser passes on, which come where those did not do.  The active cell's
 * position; -1: see w->code. */
static json_int_t
move(struct wd *w, size_t from, size_t to, bool trusted)
{
	if (trusted) {
		json_t *keys = json_array();
		keys_add(keys, to > from ? KEY_DOWN : KEY_UP, to > from ? to - from : from - to);
		if (keys_perform(w, keys) != 0)
			return -1;
	}
	json_t *steps = json_pack("[I]", trusted ? (json_int_t)0 : (json_int_t)to - (json_int_t)from);
	json_t *state = wd_async(w, "window.__nbscopeKernel.move(arguments[0]).then(arguments[arguments.length - 1])", steps, CALL_MS);
	json_decref(steps);
	json_int_t at = is_true_at(state, "command") ? json_integer_value(json_object_get(state, "index")) : -1;
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
		keys_add_with_control(keys, KEY_ENTER);
		if (how->before_press)
			how->before_press();
		if (keys_perform(w, keys) == 0)
			seen = wait_cell(w, how, press_again ? FIRST_PRESS_MS : PRESS_MS);
		char *error = NULL;
		/* Older versions ask for a kernel then: Escape closes that dialog. */
		bool again = press_again && outcome_is(seen, "no_request") && keys_press(w, KEY_ESCAPE) == 0 &&
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
			at = move(w, (size_t)at, c->position, try > 0);
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
		bool taken = state && !is_true_at(state, "command");	/* by what a cell shows */
		at = json_integer_value(json_object_get(state, "index"));
		json_decref(state);
		if (!state || at < 0 || (taken && take_focus(w, error) != 0))
			break;
	}
	*error = w->code ? wd_fault(w) : xasprintf("cell %zu cannot be selected by keyboard", c->index);
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
	keys_add_with_control(keys, "s");
	*why = NULL;
	pressed = before && take_focus(w, why) == 0;
	if (pressed)
		pressed = keys_perform(w, keys) == 0;
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
		    pressed ? xstrdup("the server did not get it in time") : wd_fault(w);
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
