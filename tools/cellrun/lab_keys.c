/* labkeys.c: keys that a person would press, and where they would go. */
#include "labkeys.h"

enum { CALL_MS = 30000, FOCUS_MS = 15000 };

static json_t *
key(const char *what, const char *value)
{
	return json_pack("{s:s, s:s}", "type", what, "value", value);
}

int
keys_perform(struct wd *w, json_t *keys)
{
	json_t *body = json_pack("{s:[{s:s, s:s, s:o}]}", "actions", "type", "key", "id", "keyboard", "actions", keys);
	json_t *done = wd_call(w, "POST", "actions", body, CALL_MS);
	json_decref(body);
	json_decref(done);
	return done ? 0 : -1;
}

void
keys_add(json_t *keys, const char *value, size_t times)
{
	while (times--) {
		json_array_append_new(keys, key("keyDown", value));
		json_array_append_new(keys, key("keyUp", value));
	}
}

int
keys_press(struct wd *w, const char *value)
{
	json_t *keys = json_array();
	keys_add(keys, value, 1);
	return keys_perform(w, keys);
}

void
keys_add_with_control(json_t *keys, const char *value)
{
	json_array_append_new(keys, key("keyDown", KEY_CONTROL));
	json_array_append_new(keys, key("keyDown", value));
	json_array_append_new(keys, key("keyUp", value));
	json_array_append_new(keys, key("keyUp", KEY_CONTROL));
}

json_t *
panel_state(struct wd *w)
{
	return wd_script(w, "return window.__nbscopeKernel.panelState()", NULL, CALL_MS);
}

bool
is_true_at(const json_t *state, const char *key_name)
{
	return json_is_true(json_object_get(state, key_name));
}

/* Whether the notebook has the focus and is in command mode, once it was asked to
 * take it and is idle; a dialog would get the keys instead. */
static bool
has_focus(struct wd *w)
{
	json_t *state = wd_async(w, "window.__nbscopeKernel.focus(); window.__nbscopeKernel.moved().then(arguments[arguments.length - 1])", NULL, CALL_MS);
	bool ok = is_true_at(state, "command") && json_integer_value(json_object_get(state, "index")) >= 0 &&
	    json_is_null(json_object_get(state, "dialog"));
	json_decref(state);
	return ok;
}

int
take_focus(struct wd *w, char **error)
{
	uint64_t end = now_ns() + (uint64_t)FOCUS_MS * 1000000u;
	do
		if (has_focus(w))
			return 0;
	while (keys_press(w, KEY_ESCAPE) == 0 && now_ns() < end);
	*error = w->code ? wd_fault(w) : xstrdup("the notebook does not take the keyboard's focus");
	return -1;
}
