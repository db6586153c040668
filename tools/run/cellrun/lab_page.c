/* lab_page.c: a notebook that is open in JupyterLab, driven by keyboard. */
#include "lab_page.h"
#include "base/clock.h"
#include "base/die.h"
#include "browser/session_variables.h"
#include "page/lab_keys.h"
#include "record/cell_record.h"

#include <limits.h>

/* ---- waiting until a cell has ended ------------------------------------------------------ */

enum {
	PRESS_MS = 5000, CALL_MS = 30000, MIN_SLACK_MS = 3000, MAX_SLACK_MS = 15000,
	SLACK_PARTS = 20, ANSWER_SLACK_MS = 2000, MAX_DIALOGS = 100, PART_MS = 10000,
};

#define WAIT "(window.__nbscopeKernel ? window.__nbscopeKernel.wait(arguments[0]) : " \
	"Promise.resolve({outcome: 'other_page'}))" \
	".catch(e => ({outcome: 'script_error', fault: String(e)}))"
#define START_WAIT "window.__nbscopeAnswer = null; " \
	WAIT ".then(a => { window.__nbscopeAnswer = a; }); return null"

/* Leaves the browser free for other calls in between; json_null() at the limit. */
static json_t *
wait_meanwhile(struct wd *w, void (*meanwhile)(void), json_t *args, long limit_ms)
{
	uint64_t end_ns = clock_monotonic_ns() + (uint64_t)limit_ms * 1000000u;
	json_t *answer = wd_script(w, START_WAIT, json_incref(args), CALL_MS);
	while (json_is_null(answer) && clock_monotonic_ns() < end_ns && !http_stop) {
		meanwhile();
		answer = wd_script(w, "return window.__nbscopeAnswer", NULL, CALL_MS);
	}
	return answer;
}

/* Leaving the page ends the script, which the driver reports at once, as if its time were
 * over. */
static bool
page_was_left(const struct wd *w, const json_t *answer, uint64_t end_ns)
{
	if (answer || clock_monotonic_ns() >= end_ns)
		return false;
	return strcmp(w->code, "script timeout") == 0 || strcmp(w->code, "javascript error") == 0;
}

/* A page that is drawing reports late that its limit is reached: after minutes, a record with
 * numbers is worth some seconds more. */
static long
slack_ms(long limit_ms)
{
	long ms = MIN_SLACK_MS + limit_ms / SLACK_PARTS;
	return ms < MAX_SLACK_MS ? ms : MAX_SLACK_MS;
}

static void
set_script_timeout(struct wd *w, long ms)
{
	static long set_ms;
	if (set_ms != ms)
		wd_do(w, "POST", "timeouts", json_pack("{s:I}", "script", (json_int_t)ms), CALL_MS);
	set_ms = ms;
}

/* A Selenium Grid ends a session that has no call for some minutes, and a call that takes as long:
 * calls of seconds wait for one answer.  The last one fails by the script's limit. */
#define WAIT_PART \
	"if (arguments[1] || !window.__nbscopeWait) window.__nbscopeWait = " WAIT ";" \
	"const {setTimeout} = (window.__nbscopeScheduled || {real: window}).real;" \
	"Promise.race([window.__nbscopeWait, new Promise(r => setTimeout(r, arguments[2], " \
	"{outcome: 'part'}))]).then(done)"

static json_t *
wait_in_parts(struct wd *w, const json_t *wait, uint64_t end_ns, long limit_ms)
{
	json_t *answer = NULL;
	do {
		bool last = clock_monotonic_ns() >= end_ns;
		if (last)
			set_script_timeout(w, MIN_SLACK_MS);
		json_t *args = json_pack("[O, b, i]", json_array_get(wait, 0), !answer,
		    last ? INT_MAX : PART_MS);
		json_decref(answer);
		answer = wd_script_async(w, WAIT_PART, args, limit_ms);
	} while (cell_record_outcome_is(answer, "part") && !http_stop);
	return answer;
}

json_t *
lab_page_wait(struct wd *w, const struct lab_page_wait *c)
{
	static const char *const viz[] = {"no", "yes", "auto"};
	json_t *next = !c->next ? json_null() : json_pack("{s:s, s:I, s:b}", "id", c->next->id,
	    "position", (json_int_t)c->next->position, "asks", c->next_asks);
	json_t *args = json_pack("[{s:o, s:I, s:b, s:s, s:I, s:f, s:I}]", "next", next,
	    "pressMs", (json_int_t)(c->press_ms ? c->press_ms : PRESS_MS), "empty", c->empty,
	    "waitViz", viz[c->viz], "settleMs", (json_int_t)c->settle_ms,
	    "maxWaitMs", c->max_wait_ms, "graceMs", (json_int_t)c->grace_ms), *answer;
	long limit_ms = c->grace_ms ? c->grace_ms : (long)c->max_wait_ms;
	long ms = limit_ms + slack_ms(limit_ms), answer_ms = ms + ANSWER_SLACK_MS;
	int tries = 0;
	set_script_timeout(w, ms);
	uint64_t end_ns = clock_monotonic_ns() + (uint64_t)ms * 1000000u;
	/* A dialog ends the script's call with null; the page's state stays. */
	do
		if (c->meanwhile)
			answer = wait_meanwhile(w, c->meanwhile, args, answer_ms);
		else if (session_variables_is_remote())
			answer = wait_in_parts(w, args, end_ns, answer_ms);
		else
			answer = wd_script_async(w, WAIT ".then(done)", json_incref(args),
			    answer_ms);
	while ((json_is_null(answer) || page_was_left(w, answer, end_ns)) &&
	    ++tries < MAX_DIALOGS);
	json_decref(args);
	return answer;
}

enum {
	FIRST_PRESS_MS = 1500, FIRST_PRESSES = 2, SELECT_TRIES = 8,
	SELECT_MS = 5000, DIALOG_MS = 1500, SAVE_STEP_MS = 10,
};

/* ---- running a cell --------------------------------------------------------------------- */

int
lab_page_arm(struct wd *w, const struct notebook_cell *c, bool asks)
{
	return wd_script_do(w, "return window.__nbscopeKernel.arm(...arguments)",
	    json_pack("[s, I, b]", c->id, (json_int_t)c->position, asks), CALL_MS);
}

enum place { PLACE_RIGHT, PLACE_OTHER_CELL, PLACE_NO_FOCUS };

static enum place
place_of(const json_t *state)
{
	json_int_t at = json_integer_value(json_object_get(state, "index"));
	json_int_t to = json_integer_value(json_object_get(state, "target"));
	if (!lab_keys_flag(state, "command") || at < 0)
		return PLACE_NO_FOCUS;
	return at == to ? PLACE_RIGHT : PLACE_OTHER_CELL;
}

/* Moves to the armed cell, and waits until JupyterLab has finished what this causes, so that none
 * of it is counted in the cell's time.  The script's keys take one call less than trusted ones of
 * the browser, which are sent if those had no effect. */
static enum place
move(struct wd *w, bool trusted)
{
	json_t *state = trusted ? lab_keys_panel_state(w) : NULL, *keys = NULL;
	json_int_t at = json_integer_value(json_object_get(state, "index"));
	json_int_t to = json_integer_value(json_object_get(state, "target"));
	if (place_of(state) == PLACE_OTHER_CELL && to >= 0)
		lab_keys_add(keys = json_array(), to > at ? KEY_DOWN : KEY_UP,
		    (size_t)llabs(to - at));
	json_decref(state);
	if (keys && lab_keys_perform(w, keys) != 0)
		return PLACE_NO_FOCUS;
	state = wd_script_async(w, trusted ? "window.__nbscopeKernel.moved().then(done)" :
	    "window.__nbscopeKernel.move().then(done)", NULL, CALL_MS);
	enum place place = place_of(state);
	json_decref(state);
	return place;
}

/* Presses Control+Enter for the armed cell. Soon after it was loaded, JupyterLab ignores a
 * press: the first cell's is then repeated, and its time begins with the one that worked. */
static json_t *
press_and_wait(struct wd *w, const struct notebook_cell *c, const struct lab_page_wait *how)
{
	for (int repeats = how->first ? FIRST_PRESSES : 0; ; repeats--) {
		json_t *keys = json_array(), *seen = NULL;
		lab_keys_add_control(keys, KEY_ENTER);
		if (how->before_press)
			how->before_press();
		struct lab_page_wait wait = *how;
		wait.press_ms = repeats ? FIRST_PRESS_MS : 0;
		if (lab_keys_perform(w, keys) == 0)
			seen = lab_page_wait(w, &wait);
		if (!repeats || !cell_record_outcome_is(seen, "no_request"))
			return seen;
		/* Older versions then ask for a kernel: Escape closes that dialog. */
		bool again = lab_keys_press(w, KEY_ESCAPE) == 0 &&
		    lab_keys_focus(w, SELECT_MS) == 0 &&
		    lab_page_arm(w, c, how->viz != VIZ_NO) == 0;
		if (!again)
			return seen;
		json_decref(seen);
	}
}

/* The answer for a cell that the page keeps from running. */
static json_t *
page_fault(char *why)
{
	json_t *seen = json_pack("{s:s, s:s}", "outcome", "page_fault", "fault", why);
	free(why);
	return seen;
}

/* The armed cell is not selected; NULL: the browser does not answer. */
static json_t *
not_selected(struct wd *w, char **error)
{
	char *why = lab_keys_obstacle(w);
	if (why)
		return page_fault(why);
	*error = wd_error(w);
	return NULL;
}

json_t *
lab_page_run(struct wd *w, size_t from, const struct notebook_cell *c,
    const struct lab_page_wait *how, char **error)
{
	uint64_t end_ns = clock_monotonic_ns() + SELECT_MS * UINT64_C(1000000);
	enum place place = from == c->position ? PLACE_RIGHT : PLACE_OTHER_CELL;
	bool focused = true;
	for (int try = 0; try < SELECT_TRIES && (focused || clock_monotonic_ns() < end_ns); try++) {
		if (place != PLACE_RIGHT)
			place = move(w, try > 0);
		if (place == PLACE_NO_FOCUS && lab_keys_focus(w, SELECT_MS) != 0)
			return not_selected(w, error);
		if (place != PLACE_RIGHT)
			continue;
		json_t *seen = press_and_wait(w, c, how);
		char *fault = seen ? NULL : lab_keys_fault(w);
		if (fault || json_is_null(seen))
			return page_fault(fault ? fault :
			    xstrdup("the page opens dialogs without end"));
		if (!seen) {
			*error = wd_error(w);
			return NULL;
		}
		/* Otherwise the page stopped the key: another cell was active, or none. */
		if (!cell_record_outcome_is(seen, "astray"))
			return seen;
		focused = lab_keys_flag(seen, "focused");
		json_decref(seen);
		place = PLACE_NO_FOCUS;
	}
	return focused ? not_selected(w, error) :
	    page_fault(xstrdup("the page keeps the keyboard focus from the notebook"));
}

/* ---- the notebook ----------------------------------------------------------------------- */

/* The text of the open dialog in one line, the caller's; NULL: none is open. */
static char *
dialog_text(struct wd *w)
{
	json_t *state = lab_keys_panel_state(w);
	const char *text = json_string_value(json_object_get(state, "dialog"));
	char *copy = text ? xstrdup(text) : NULL;
	for (char *p = copy; p && (p = strchr(p, '\n')); )
		*p = ' ';
	json_decref(state);
	return copy;
}

static bool
was_modified_since(struct server_files *f, const char *before)
{
	char *after = server_files_modified(f);
	bool modified = after && strcmp(after, before) != 0;
	free(after);
	return modified;
}

int
lab_page_save(struct wd *w, struct server_files *f, long timeout_ms, char **why)
{
	char *before = server_files_modified(f), *dialog = NULL;
	uint64_t now = clock_monotonic_ns(), end_ns = now + (uint64_t)timeout_ms * 1000000u;
	uint64_t dialog_ns = now + DIALOG_MS * UINT64_C(1000000);
	bool saved = false, pressed = false;
	/* Without them it is saved all the same. */
	wd_script_do(w, "window.__nbscopeKernel.setExecutions()", NULL, CALL_MS);
	if (before && lab_keys_focus(w, SELECT_MS) == 0) {
		json_t *keys = json_array();
		lab_keys_add_control(keys, "s");
		pressed = lab_keys_perform(w, keys) == 0;
	}
	while (pressed && !saved && !dialog && !http_stop && clock_monotonic_ns() < end_ns) {
		saved = was_modified_since(f, before);
		/* If another program changed the file, JupyterLab asks what to do. */
		if (!saved && clock_monotonic_ns() > dialog_ns)
			dialog = dialog_text(w);
		if (!saved)
			clock_pause_ms(SAVE_STEP_MS);
	}
	if (!saved && (dialog || !before || pressed))
		*why = dialog ? xasprintf("JupyterLab asks: %s", dialog) :
		    xstrdup(before ? "the server did not get it in time" : f->lab->error);
	else if (!saved && !(*why = lab_keys_obstacle(w)))
		*why = wd_error(w);
	free(before);
	free(dialog);
	return saved ? 0 : -1;
}
