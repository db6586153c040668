/* lab_keys.c: JupyterLab's keyboard: keys that a user would press, and their target. */
#include "lab_keys.h"
#include "base/clock.h"
#include "base/die.h"
#include "browser/wd_script.h"

enum { CALL_MS = 30000, FOCUS_MS = 15000 };

static json_t *
key_action(const char *type, const char *value)
{
	return json_pack("{s:s, s:s}", "type", type, "value", value);
}

int
lab_keys_perform(struct wd *w, json_t *keys)
{
	json_t *body = json_pack("{s:[{s:s, s:s, s:o}]}", "actions", "type", "key",
	    "id", "keyboard", "actions", keys);
	json_t *done = wd_call(w, "POST", "actions", body, CALL_MS);
	json_decref(body);
	json_decref(done);
	return done ? 0 : -1;
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
	json_t *state = wd_script_async(w, "window.__nbscopeKernel.focus();"
	    "window.__nbscopeKernel.moved().then(arguments[arguments.length - 1])", NULL, CALL_MS);
	json_int_t index = json_integer_value(json_object_get(state, "index"));
	bool no_dialog = json_is_null(json_object_get(state, "dialog"));
	bool focused = lab_keys_flag(state, "command") && index >= 0 && no_dialog;
	json_decref(state);
	return focused;
}

int
lab_keys_focus(struct wd *w, char **error)
{
	uint64_t end_ns = clock_monotonic_ns() + FOCUS_MS * UINT64_C(1000000);
	do
		if (request_focus(w))
			return 0;
	while (lab_keys_press(w, KEY_ESCAPE) == 0 && clock_monotonic_ns() < end_ns);
	*error = w->code ? wd_error(w) : xstrdup("the notebook does not get the keyboard focus");
	return -1;
}
