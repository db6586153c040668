/* gesture_inputs.c: the inputs of a gesture, with their instants and places. */
#include "gesture_inputs.h"
#include "base/die.h"
#include "base/utf8.h"
#include "json/json_value.h"

enum { HELD_MS = 50, KEY_MS = 100, CHOOSE_MS = 30 };

static double
number_at(const json_t *list, size_t i)
{
	return json_number_value(json_array_get(list, i));
}

json_t *
gesture_inputs_element(const struct interaction *g)
{
	json_t *on = json_deep_copy(interaction_get(g, "on"));
	json_t *at = json_object_get(g->kind, "at");
	if (at && !json_object_get(on, "at"))
		json_object_set(on, "at", at);
	return on;
}

static struct gesture_input *
add_input(struct gesture_inputs *all, enum input_what what, double ms, double x, double y)
{
	struct gesture_input *input = XAPPEND(all->v, all->n);
	*input = (struct gesture_input){.what = what, .ms = ms, .x = x, .y = y, .clicks = 1};
	all->counted += what != INPUT_RELEASE;
	return input;
}

static void
add_clicks(struct gesture_inputs *all, int clicks, double x, double y)
{
	for (int i = 0; i < 2 * clicks; i++)
		add_input(all, i % 2 ? INPUT_RELEASE : INPUT_PRESS, i * HELD_MS, x, y)->clicks =
		    i / 2 + 1;
}

static void
add_keys(struct gesture_inputs *all, const struct interaction *g, double x, double y)
{
	const json_t *keys = interaction_get(g, "keys"), *key;
	const char *text = interaction_text(g, "text"), *to = interaction_text(g, "to");
	size_t i;
	json_array_foreach(keys, i, key) {
		struct gesture_input *k = add_input(all, INPUT_KEY, (double)i * KEY_MS, x, y);
		k->key = json_string_value(key);
		k->n = json_string_length(key);
	}
	const char *at = text ? text : to;
	for (i = 0; at && *at; at += all->v[i++].n) {
		struct gesture_input *k = add_input(all, INPUT_KEY,
		    (double)i * (text ? KEY_MS : CHOOSE_MS), x, y);
		k->key = at;
		k->n = utf8_length(at);
	}
}

/* The end of a straight way, in the window; NULL, or why there is none. */
static char *
find_end(const struct interaction *g, const json_t *place, double *x, double *y)
{
	const json_t *slider = json_object_get(place, "slider"), *box = json_object_get(place, "box");
	const json_t *track = json_object_get(slider, "track"), *by = interaction_get(g, "by");
	bool vertical = json_is_true(json_object_get(slider, "vertical"));
	double to = interaction_number(g, "to", NAN);
	if (!interaction_get(g, "to")) {
		*x += number_at(by, 0) * json_value_real_at(box, "width");
		*y += number_at(by, 1) * json_value_real_at(box, "height");
		return NULL;
	}
	if (!json_is_object(slider))
		return xasprintf("%s is no slider", json_string_value(json_object_get(place, "element")));
	double min = json_value_real_at(slider, "min"), max = json_value_real_at(slider, "max");
	if (!(to >= min && to <= max))
		return xasprintf("the slider goes from %g to %g, not to %g", min, max, to);
	double share = max > min ? (to - min) / (max - min) : 0;
	if (vertical)
		*y = json_value_real_at(track, "y") + (1 - share) * json_value_real_at(track, "height");
	else
		*x = json_value_real_at(track, "x") + share * json_value_real_at(track, "width");
	return NULL;
}

/* Along the path of the line, or straight. */
static char *
add_moves(struct gesture_inputs *all, const struct interaction *g, const json_t *place, double x,
    double y)
{
	const json_t *path = interaction_get(g, "path"), *point, *box = json_object_get(place, "box");
	double steps = interaction_number(g, "steps", 1), ms = interaction_number(g, "duration_ms", 0);
	double end_x = x, end_y = y;
	size_t i;
	json_array_foreach(path, i, point)
		add_input(all, INPUT_MOVE, number_at(point, 0) - number_at(json_array_get(path, 0), 0),
		    json_value_real_at(box, "x") +
		    number_at(point, 1) * json_value_real_at(box, "width"),
		    json_value_real_at(box, "y") +
		    number_at(point, 2) * json_value_real_at(box, "height"));
	char *why = path ? NULL : find_end(g, place, &end_x, &end_y);
	bool straight = !path && (interaction_get(g, "by") || interaction_get(g, "to"));
	for (double k = 0; !path && k <= (straight ? steps : 0); k++)
		add_input(all, INPUT_MOVE, k * ms / steps, x + k * (end_x - x) / steps,
		    y + k * (end_y - y) / steps);
	return why;
}

static void
add_turns(struct gesture_inputs *all, const struct interaction *g, double x, double y)
{
	const json_t *turns = interaction_get(g, "turns"), *by = interaction_get(g, "by"), *turn;
	double steps = interaction_number(g, "steps", 1), ms = interaction_number(g, "duration_ms", 0);
	size_t i;
	json_array_foreach(turns, i, turn) {
		struct gesture_input *t = add_input(all, INPUT_TURN,
		    number_at(turn, 0) - number_at(json_array_get(turns, 0), 0), x, y);
		t->dx = number_at(turn, 1);
		t->dy = number_at(turn, 2);
	}
	for (double k = 0; !turns && k < steps; k++) {
		struct gesture_input *t = add_input(all, INPUT_TURN, k * ms / steps, x, y);
		t->dx = number_at(by, 0) / steps;
		t->dy = number_at(by, 1) / steps;
	}
}

char *
gesture_inputs_make(struct gesture_inputs *all, const struct interaction *g, const json_t *place)
{
	const char *input = interaction_text(g, "input");
	const json_t *point = json_object_get(place, "point");
	double x = number_at(point, 0), y = number_at(point, 1);
	char *why = NULL;
	*all = (struct gesture_inputs){0};
	if (strcmp(input, "click") == 0) {
		add_clicks(all, 1, x, y);
	} else if (strcmp(input, "double click") == 0) {
		add_clicks(all, 2, x, y);
	} else if (strcmp(input, "wheel") == 0) {
		add_turns(all, g, x, y);
	} else if (strcmp(input, "keys") == 0 || strcmp(input, "text") == 0) {
		add_keys(all, g, x, y);
	} else {
		why = add_moves(all, g, place, x, y);
		if (!why && strcmp(input, "drag") == 0) {
			const struct gesture_input *last = &all->v[all->n - 1];
			all->v[0].what = INPUT_PRESS;
			add_input(all, INPUT_RELEASE, last->ms, last->x, last->y);
		}
	}
	return why;
}
