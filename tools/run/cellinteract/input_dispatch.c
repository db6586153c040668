/* input_dispatch.c: inputs as they are sent to a browser. */
#include "input_dispatch.h"
#include "base/die.h"
#include "base/utf8.h"

#include <ctype.h>

enum { ANSWER_MS = 60000, ACTIONS_MS = 600000 };

static const char *const buttons[] = {"left", "right", "middle"};	/* bits of DevTools */
static const int webdriver_buttons[] = {0, 2, 1};

static size_t
button_of(const struct interaction *g)
{
	const char *name = interaction_text(g, "button");
	size_t i = COUNT(buttons);
	while (name && --i && strcmp(buttons[i], name) != 0)
		continue;
	return name ? i : 0;
}

/* The bits of "Shift" in a list and of "Control+Shift+" before a key. */
static int
modifier_bits(const struct interaction *g, const struct gesture_input *input, const char **key,
    size_t *n)
{
	int bits = 0;
	size_t i, length;
	json_t *name;
	json_array_foreach(interaction_get(g, "modifiers"), i, name)
		bits |= (int)json_integer_value(json_array_get(interactions_key("modifiers",
		    json_string_value(name), json_string_length(name)), 0));
	*key = input->key;
	*n = input->n;
	for (const char *plus; *n > 1 && (plus = memchr(*key, '+', *n - 1)); *n -= length + 1) {
		length = (size_t)(plus - *key);
		bits |= (int)json_integer_value(json_array_get(
		    interactions_key("modifiers", *key, length), 0));
		*key = plus + 1;
	}
	return bits;
}

/* ---- DevTools ----------------------------------------------------------------------------- */

static json_t *
key_event(const char *type, const char *key, size_t n, int modifiers)
{
	const json_t *named = interactions_key("keys", key, n);
	bool enter = n == strlen("Enter") && memcmp(key, "Enter", n) == 0;
	bool types = !(modifiers & ~8) && strcmp(type, "keyUp") != 0 && (!named || enter);
	int code = named ? (int)json_integer_value(json_array_get(named, 0)) : toupper(*key);
	json_t *event = json_pack("{s:s, s:s%, s:i}", "type",
	    types || strcmp(type, "keyUp") == 0 ? type : "rawKeyDown", "key", key, n,
	    "modifiers", modifiers);
	if (named || n == 1)
		json_object_set_new(event, "windowsVirtualKeyCode", json_integer(code));
	if (named || isalnum(*key) || *key == ' ')
		json_object_set_new(event, "code", named ? json_stringn(key, n) : *key == ' ' ?
		    json_string("Space") : json_sprintf("%s%c", isdigit(*key) ? "Digit" : "Key",
		    toupper(*key)));
	if (types)
		json_object_set_new(event, "text",
		    enter ? json_string("\r") : json_stringn(key, n));
	return event;
}

static json_t *
mouse_event(const struct interaction *g, const struct gesture_input *input, int modifiers)
{
	static const char *const types[] = {"mouseMoved", "mousePressed", "mouseReleased",
	    "mouseWheel"};
	const char *kind = interaction_text(g, "input");
	size_t button = button_of(g);
	bool held = input->what == INPUT_PRESS ||
	    (input->what == INPUT_MOVE && strcmp(kind, "drag") == 0 && input->clicks);
	json_t *event = json_pack("{s:s, s:f, s:f, s:i, s:s, s:i}", "type", types[input->what],
	    "x", input->at.x, "y", input->at.y, "modifiers", modifiers, "button",
	    held || input->what == INPUT_RELEASE ? buttons[button] : "none",
	    "buttons", held ? 1 << button : 0);
	if (input->what == INPUT_TURN)
		json_object_update_new(event, json_pack("{s:f, s:f}", "deltaX", input->dx,
		    "deltaY", input->dy));
	else if (input->what != INPUT_MOVE)
		json_object_set_new(event, "clickCount", json_integer(input->clicks));
	return event;
}

static int
send_event(struct devtools *d, const char *method, json_t *event, bool waits, char **why)
{
	int sent;
	if (waits) {
		json_t *answer = devtools_call(d, method, event, ANSWER_MS, why);
		sent = answer ? 0 : -1;
		json_decref(answer);
		return sent;
	}
	sent = devtools_send(d, method, event);
	if (sent != 0)
		*why = xstrdup(devtools_gone(d) ? devtools_gone(d) : "the browser does not answer");
	return sent;
}

int
input_dispatch(struct devtools *d, const struct interaction *g, const struct gesture_input *input,
    bool waits, char **why)
{
	const char *key;
	size_t n;
	int modifiers = modifier_bits(g, input, &key, &n);
	if (input->what != INPUT_KEY)
		return send_event(d, "Input.dispatchMouseEvent", mouse_event(g, input, modifiers),
		    waits, why);
	static const char method[] = "Input.dispatchKeyEvent";
	int sent = send_event(d, method, key_event("keyDown", key, n, modifiers), waits, why);
	return sent ? sent :
	    send_event(d, method, key_event("keyUp", key, n, modifiers), waits, why);
}

/* ---- WebDriver's actions ------------------------------------------------------------------ */

static void
add_action(json_t *actions, json_t *action)
{
	json_array_append_new(actions, action);
}

/* The keys of modifiers go down before, and up after what they modify. */
static void
add_modifiers(json_t *keys, int bits, const char *type)
{
	static const char *const names[] = {"Alt", "Control", "Meta", "Shift"};
	for (size_t i = 0; i < COUNT(names); i++)
		if (bits >> i & 1)
			add_action(keys, json_pack("{s:s, s:O}", "type", type, "value",
			    json_array_get(interactions_key("modifiers", names[i],
			    strlen(names[i])), 1)));
}

static void
add_key(json_t *keys, const struct interaction *g, const struct gesture_input *input)
{
	const char *key;
	size_t n;
	int bits = modifier_bits(g, input, &key, &n);
	const json_t *named = json_array_get(interactions_key("keys", key, n), 1);
	json_t *value = named ? json_copy((json_t *)named) : json_stringn(key, n);
	add_modifiers(keys, bits, "keyDown");
	add_action(keys, json_pack("{s:s, s:O}", "type", "keyDown", "value", value));
	add_action(keys, json_pack("{s:s, s:o}", "type", "keyUp", "value", value));
	add_modifiers(keys, bits, "keyUp");
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
			    webdriver_buttons[button_of(g)]));
	}
	const char *source = sources[all->v[0].what];
	return wd_do(w, "POST", "actions", json_pack("{s:[{s:s, s:s, s:o}]}", "actions",
	    "type", source, "id", source, "actions", actions), ACTIONS_MS);
}
