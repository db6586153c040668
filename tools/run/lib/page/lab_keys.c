/* lab_keys.c: JupyterLab's keyboard: keys that a user would press, and their target. */
#include "page/lab_keys.h"
#include "base/clock.h"
#include "base/die.h"

/* On a machine that is slow, the focus is requested some times all the same. */
enum { CALL_MS = 30000, REPLACED_MS = 5000, MIN_TRIES = 8, MAX_LIMITS = 3 };

static json_t *
key_action(const char *type, const char *value)
{
	return json_pack("{s:s, s:s}", "type", type, "value", value);
}

int
lab_keys_perform(struct wd *w, json_t *keys)
{
	return wd_do(w, "POST", "actions", json_pack("{s:[{s:s, s:s, s:o}]}", "actions",
	    "type", "key", "id", "keyboard", "actions", keys), CALL_MS);
}

void
lab_keys_add(json_t *keys, const char *value, size_t times)
{
	while (times--) {
		json_array_append_new(keys, key_action("keyDown", value));
		json_array_append_new(keys, key_action("keyUp", value));
	}
}

int
lab_keys_press(struct wd *w, const char *value)
{
	json_t *keys = json_array();
	lab_keys_add(keys, value, 1);
	return lab_keys_perform(w, keys);
}

void
lab_keys_add_control(json_t *keys, const char *value)
{
	json_array_append_new(keys, key_action("keyDown", KEY_CONTROL));
	lab_keys_add(keys, value, 1);
	json_array_append_new(keys, key_action("keyUp", KEY_CONTROL));
}

json_t *
lab_keys_panel_state(struct wd *w)
{
	return wd_script(w, "return window.__nbscopeKernel.panelState()", NULL, CALL_MS);
}

bool
lab_keys_flag(const json_t *answer, const char *name)
{
	return json_is_true(json_object_get(answer, name));
}

/* Requests the focus, and reports whether the notebook has it, is idle and in command mode;
 * otherwise a dialog may get the keys. */
static bool
request_focus(struct wd *w)
{
	json_t *state = wd_script_async(w, "window.__nbscopeNotebook.focus();"
	    "window.__nbscopeKernel.moved().then(done)", NULL, CALL_MS);
	json_int_t index = json_integer_value(json_object_get(state, "index"));
	bool no_dialog = json_is_null(json_object_get(state, "dialog"));
	bool focused = lab_keys_flag(state, "command") && index >= 0 && no_dialog;
	json_decref(state);
	return focused;
}

int
lab_keys_focus(struct wd *w, long limit_ms)
{
	uint64_t start_ns = clock_monotonic_ns(), limit_ns = (uint64_t)limit_ms * 1000000u, ns;
	for (int tries = 1; ; tries++) {
		if (request_focus(w))
			return 0;
		if (lab_keys_press(w, KEY_ESCAPE) != 0)
			return -1;
		ns = clock_monotonic_ns() - start_ns;
		if (ns >= limit_ns && (tries >= MIN_TRIES || ns >= MAX_LIMITS * limit_ns))
			return -1;
	}
}

/* ---- what is in the way ----------------------------------------------------------------- */

/* What the page has replaced; NULL: nothing, or it does not say. DevTools' command needs nothing of
 * the page's language, which the driver's own script may not find any more. */
static char *
replaced_names(struct wd *w)
{
	static const char ask[] = "window.__nbscopeOwn.replaced('all')";
	json_t *answer = wd_call(w, "POST", "goog/cdp/execute",
	    json_pack("{s:s, s:{s:s, s:b}}", "cmd", "Runtime.evaluate", "params",
	    "expression", ask, "returnByValue", 1), REPLACED_MS);
	json_t *value = json_incref(json_object_get(json_object_get(answer, "result"), "value"));
	if (!answer && strcmp(w->code, "unknown command") == 0) {
		char *script = xasprintf("return %s", ask);
		value = wd_script(w, script, NULL, REPLACED_MS);
		free(script);
	}
	const char *names = json_string_value(value);
	char *copy = names && *names ? xstrdup(names) : NULL;
	json_decref(value);
	json_decref(answer);
	return copy;
}

char *
lab_keys_fault(struct wd *w)
{
	static const char *const of_page[] = {
		"javascript error", "unknown error", "script timeout",
	};
	bool page = false;
	if (!w->code)
		return NULL;
	if (strcmp(w->code, "unexpected alert open") == 0)
		return xstrdup("the page opens dialogs without end");
	for (size_t i = 0; i < COUNT(of_page); i++)
		page = page || strcmp(w->code, of_page[i]) == 0;
	if (!page)
		return NULL;
	char *code = w->code, *message = w->message, *why = NULL;
	w->code = w->message = NULL;
	char *names = replaced_names(w);
	if (names)
		why = xasprintf("the page has replaced %s", names);
	else if (strcmp(code, of_page[0]) == 0)
		why = xasprintf("the page keeps nbscope's script from working: %s", message);
	free(names);
	free(w->code);
	free(w->message);
	w->code = code;
	w->message = message;
	return why;
}

char *
lab_keys_obstacle(struct wd *w)
{
	json_t *state = lab_keys_panel_state(w);
	const char *dialog = json_string_value(json_object_get(state, "dialog"));
	const char *typed = json_string_value(json_object_get(state, "typed"));
	char *why;
	if (!json_is_object(state))
		why = state ? xstrdup("the page opens dialogs without end") : lab_keys_fault(w);
	else if (!lab_keys_flag(state, "panel"))
		why = xstrdup("the notebook is hidden or was removed from the page");
	else if (dialog)
		why = xasprintf("JupyterLab shows a dialog: %s", dialog);
	else if (typed)
		why = xasprintf("the page presses keys itself: %s", typed);
	else if (!lab_keys_flag(state, "command"))
		why = xstrdup("the page keeps the keyboard focus from the notebook");
	else if (json_integer_value(json_object_get(state, "target")) < 0)
		why = xstrdup("the cell was removed from the notebook");
	else
		why = xstrdup(lab_keys_flag(state, "swallowed") ? "the page swallows key presses" :
		    "the cell cannot be selected by keyboard");
	json_decref(state);
	return why;
}
