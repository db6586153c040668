/* input_dispatch.c: inputs as they are sent to a browser. */
#include "input_dispatch.h"
#include "base/die.h"

#include <ctype.h>

enum { ANSWER_MS = 60000, ACTIONS_MS = 600000, SHIFT = 8 };

/* The mouse's button: its bit in DevTools (0), its number in WebDriver (1). */
static int
button_number(const struct interaction *g, size_t which)
{
	const char *name = interaction_text(g, "button");
	return interactions_number("buttons", name ? name : "left", which);
}

/* The bits of "Shift" in a list and of "Control+Shift+" before a key, which becomes the key. */
static int
modifier_bits(const struct interaction *g, char *key)
{
	int bits = 0;
	size_t i;
	json_t *name;
	json_array_foreach(interaction_get(g, "modifiers"), i, name)
		bits |= interactions_number("modifiers", json_string_value(name), 0);
	for (char *plus; (plus = strchr(key, '+')) && plus[1]; ) {
		*plus = '\0';
		bits |= interactions_number("modifiers", key, 0);
		memmove(key, plus + 1, strlen(plus + 1) + 1);
	}
	return bits;
}

/* ---- DevTools ----------------------------------------------------------------------------- */

static json_t *
key_event(bool down, const char *key, int modifiers)
{
	int named = interactions_number("keys", key, 0), code = named ? named : toupper(*key);
	bool enter = strcmp(key, "Enter") == 0;
	bool types = down && !(modifiers & ~SHIFT) && (!named || enter);
	json_t *event = json_pack("{s:s, s:s, s:i}", "type", types ? "keyDown" : down ?
	    "rawKeyDown" : "keyUp", "key", key, "modifiers", modifiers);
	if (named || !key[1])
		json_object_set_new(event, "windowsVirtualKeyCode", json_integer(code));
	if (named || isalnum(*key) || *key == ' ')
		json_object_set_new(event, "code", named ? json_string(key) : *key == ' ' ?
		    json_string("Space") : json_sprintf("%s%c", isdigit(*key) ? "Digit" : "Key",
		    code));
	if (types)
		json_object_set_new(event, "text", json_string(enter ? "\r" : key));
	return event;
}

static json_t *
mouse_event(const struct interaction *g, const struct gesture_input *input)
{
	static const char *const types[] = {"mouseMoved", "mousePressed", "mouseReleased",
	    "mouseWheel"};
	const char *button = interaction_text(g, "button");
	char none[] = "";
	bool held = input->what == INPUT_PRESS || (input->what == INPUT_MOVE && input->clicks);
	json_t *event = json_pack("{s:s, s:f, s:f, s:i, s:s, s:i, s:f, s:f}",
	    "type", types[input->what], "x", input->at.x, "y", input->at.y,
	    "modifiers", modifier_bits(g, none), "button", !held && input->what !=
	    INPUT_RELEASE ? "none" : button ? button : "left",
	    "buttons", held ? 1 << button_number(g, 0) : 0,
	    "deltaX", input->dx, "deltaY", input->dy);
	if (input->what == INPUT_PRESS || input->what == INPUT_RELEASE)
		json_object_set_new(event, "clickCount", json_integer(input->clicks));
	return event;
}

static int
send_event(struct devtools *d, const char *method, json_t *event, bool waits, char **why)
{
	json_t *answer = waits ? devtools_call(d, method, event, ANSWER_MS, why) : NULL;
	int sent = waits ? answer ? 0 : -1 : devtools_send(d, method, event);
	json_decref(answer);
	if (sent != 0 && !*why)
		*why = xstrdup(devtools_gone(d) ? devtools_gone(d) : "the browser does not answer");
	return sent;
}

int
input_dispatch(struct devtools *d, const struct interaction *g, const struct gesture_input *input,
    bool waits, char **why)
{
	static const char method[] = "Input.dispatchKeyEvent";
	if (input->what != INPUT_KEY)
		return send_event(d, "Input.dispatchMouseEvent", mouse_event(g, input), waits, why);
	char *key = xasprintf("%.*s", (int)input->n, input->key);
	int bits = modifier_bits(g, key);
	int sent = send_event(d, method, key_event(true, key, bits), waits, why);
	if (sent == 0)
		sent = send_event(d, method, key_event(false, key, bits), waits, why);
	free(key);
	return sent;
}

/* ---- WebDriver's actions ------------------------------------------------------------------ */

static void
add_action(json_t *actions, json_t *action)
{
	json_array_append_new(actions, action);
}

static void
add_key_action(json_t *actions, const char *type, const char *table, const char *key)
{
	const json_t *own = json_array_get(interactions_entry(table, key), 1);
	add_action(actions, json_pack("{s:s, s:s}", "type", type, "value",
	    own ? json_string_value(own) : key));
}

/* The keys of modifiers go down before, and up after what they modify. */
static void
add_key(json_t *actions, const struct interaction *g, const struct gesture_input *input)
{
	static const char *const names[] = {"Alt", "Control", "Meta", "Shift"};
	char *key = xasprintf("%.*s", (int)input->n, input->key);
	int bits = modifier_bits(g, key);
	for (size_t i = 0; i < COUNT(names); i++)
		if (bits >> i & 1)
			add_key_action(actions, "keyDown", "modifiers", names[i]);
	add_key_action(actions, "keyDown", "keys", key);
	add_key_action(actions, "keyUp", "keys", key);
	for (size_t i = 0; i < COUNT(names); i++)
		if (bits >> i & 1)
			add_key_action(actions, "keyUp", "modifiers", names[i]);
	free(key);
}

int
input_dispatch_actions(struct wd *w, const struct interaction *g, const struct gesture_inputs *all)
{
	static const char *const sources[] = {"pointer", "pointer", "pointer", "wheel", "key"};
	json_t *actions = json_array();
	double ms = 0;
	for (size_t i = 0; i < all->n; ms = all->v[i++].ms) {
		const struct gesture_input *in = &all->v[i];
		if (in->ms > ms)
			add_action(actions, json_pack("{s:s, s:I}", "type", "pause", "duration",
			    (json_int_t)(in->ms - ms)));
		if (in->what == INPUT_KEY)
			add_key(actions, g, in);
		else if (in->what == INPUT_TURN)
			add_action(actions, json_pack("{s:s, s:i, s:i, s:i, s:i}", "type", "scroll",
			    "x", (int)in->at.x, "y", (int)in->at.y, "deltaX", (int)in->dx,
			    "deltaY", (int)in->dy));
		if (in->what == INPUT_MOVE || in->what == INPUT_PRESS)
			add_action(actions, json_pack("{s:s, s:i, s:i}", "type", "pointerMove",
			    "x", (int)in->at.x, "y", (int)in->at.y));
		if (in->what == INPUT_PRESS || in->what == INPUT_RELEASE)
			add_action(actions, json_pack("{s:s, s:i}", "type", in->what ==
			    INPUT_PRESS ? "pointerDown" : "pointerUp", "button",
			    button_number(g, 1)));
	}
	const char *source = sources[all->v[0].what];
	return wd_do(w, "POST", "actions", json_pack("{s:[{s:s, s:s, s:o}]}", "actions",
	    "type", source, "id", source, "actions", actions), ACTIONS_MS);
}
