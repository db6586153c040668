/* gesture_inputs.c: the inputs of a gesture, with their instants and places. */
#include "gesture_inputs.h"
#include "base/die.h"
#include "base/utf8.h"
#include "json/json_value.h"

enum { HELD_MS = 50, KEY_MS = 100, CHOOSE_MS = 50 };

static double
number_at(const json_t *list, size_t i)
{
	return json_number_value(json_array_get(list, i));
}

static struct gesture_input *
add_input(struct gesture_inputs *all, enum input_what what, double ms, struct window_point at)
{
	struct gesture_input *input = XAPPEND(all->v, all->n);
	*input = (struct gesture_input){.what = what, .ms = ms, .at = at,
		.clicks = what != INPUT_MOVE};
	all->counted += what != INPUT_RELEASE;
	return input;
}

static void
add_clicks(struct gesture_inputs *all, int clicks, struct window_point at)
{
	for (int i = 0; i < 2 * clicks; i++)
		add_input(all, i % 2 ? INPUT_RELEASE : INPUT_PRESS, i * HELD_MS, at)->clicks =
		    i / 2 + 1;
}

static void
add_keys(struct gesture_inputs *all, const struct interaction *g, struct window_point at)
{
	const json_t *keys = interaction_get(g, "keys"), *key;
	const char *text = interaction_text(g, "text"), *to = interaction_text(g, "to");
	size_t i;
	json_array_foreach(keys, i, key) {
		struct gesture_input *k = add_input(all, INPUT_KEY, (double)i * KEY_MS, at);
		k->key = json_string_value(key);
		k->n = json_string_length(key);
	}
	/* In the list that a press opens, keys are not JupyterLab's. */
	if (to)
		add_clicks(all, 1, at);
	const char *left = text ? text : to;
	for (i = all->n; left && *left; left += all->v[i++].n) {
		struct gesture_input *k = add_input(all, INPUT_KEY,
		    (double)i * (text ? KEY_MS : CHOOSE_MS), at);
		k->key = left;
		k->n = utf8_length(left);
	}
	if (to) {
		struct gesture_input *k = add_input(all, INPUT_KEY, (double)i * CHOOSE_MS, at);
		k->key = "Enter";
		k->n = strlen(k->key);
	}
}

/* A point in a box, by its shares. */
static struct window_point
point_in(const json_t *box, double share_x, double share_y)
{
	return (struct window_point){
	    json_value_real_at(box, "x") + share_x * json_value_real_at(box, "width"),
	    json_value_real_at(box, "y") + share_y * json_value_real_at(box, "height")};
}

/* The end of a straight way from a point; NULL, or why there is none. */
static char *
find_end(const struct interaction *g, const json_t *place, struct window_point from,
    struct window_point *end)
{
	const json_t *slider = json_object_get(place, "slider"), *by = interaction_get(g, "by");
	const json_t *track = json_object_get(slider, "track");
	const json_t *box = json_object_get(place, "box");
	const char *element = json_string_value(json_object_get(place, "element"));
	double to = interaction_number(g, "to", NAN);
	*end = from;
	if (!interaction_get(g, "to")) {
		end->x += number_at(by, 0) * json_value_real_at(box, "width");
		end->y += number_at(by, 1) * json_value_real_at(box, "height");
		return NULL;
	}
	if (!json_is_object(slider))
		return xasprintf("%s is no slider", element);
	double min = json_value_real_at(slider, "min"), max = json_value_real_at(slider, "max");
	if (!(to >= min && to <= max))
		return xasprintf("the slider goes from %g to %g, not to %g", min, max, to);
	double share = max > min ? (to - min) / (max - min) : 0;
	if (json_is_true(json_object_get(slider, "vertical")))
		end->y = point_in(track, 0, 1 - share).y;
	else
		end->x = point_in(track, share, 0).x;
	return NULL;
}

/* Along the path of the line, or straight. */
static char *
add_moves(struct gesture_inputs *all, const struct interaction *g, const json_t *place,
    struct window_point from)
{
	const json_t *path = interaction_get(g, "path"), *point;
	double steps = interaction_number(g, "steps", 1);
	double ms = interaction_number(g, "duration_ms", 0);
	double first_ms = number_at(json_array_get(path, 0), 0);
	struct window_point at, end;
	size_t i;
	json_array_foreach(path, i, point) {
		at = point_in(json_object_get(place, "box"), number_at(point, 1),
		    number_at(point, 2));
		add_input(all, INPUT_MOVE, number_at(point, 0) - first_ms, at);
	}
	char *why = path ? NULL : find_end(g, place, from, &end);
	bool straight = !path && (interaction_get(g, "by") || interaction_get(g, "to"));
	for (double k = 0; !path && !why && k <= (straight ? steps : 0); k++) {
		at.x = from.x + k * (end.x - from.x) / steps;
		at.y = from.y + k * (end.y - from.y) / steps;
		add_input(all, INPUT_MOVE, k * ms / steps, at);
	}
	return why;
}

static void
add_turns(struct gesture_inputs *all, const struct interaction *g, struct window_point at)
{
	const json_t *turns = interaction_get(g, "turns"), *by = interaction_get(g, "by"), *turn;
	double steps = interaction_number(g, "steps", 1);
	double ms = interaction_number(g, "duration_ms", 0);
	double first_ms = number_at(json_array_get(turns, 0), 0);
	size_t i;
	json_array_foreach(turns, i, turn) {
		struct gesture_input *t = add_input(all, INPUT_TURN,
		    number_at(turn, 0) - first_ms, at);
		t->dx = number_at(turn, 1);
		t->dy = number_at(turn, 2);
	}
	for (double k = 0; !turns && k < steps; k++) {
		struct gesture_input *t = add_input(all, INPUT_TURN, k * ms / steps, at);
		t->dx = number_at(by, 0) / steps;
		t->dy = number_at(by, 1) / steps;
	}
}

char *
gesture_inputs_make(struct gesture_inputs *all, const struct interaction *g, const json_t *place)
{
	const char *input = interaction_text(g, "input");
	const json_t *point = json_object_get(place, "point");
	struct window_point at = {number_at(point, 0), number_at(point, 1)};
	char *why = NULL;
	*all = (struct gesture_inputs){0};
	if (strcmp(input, "click") == 0) {
		add_clicks(all, 1, at);
	} else if (strcmp(input, "double click") == 0) {
		add_clicks(all, 2, at);
	} else if (strcmp(input, "wheel") == 0) {
		add_turns(all, g, at);
	} else if (strcmp(input, "keys") == 0 || strcmp(input, "text") == 0) {
		add_keys(all, g, at);
	} else {
		why = add_moves(all, g, place, at);
		if (!why && strcmp(input, "drag") == 0) {
			const struct gesture_input *last = &all->v[all->n - 1];
			for (size_t i = 0; i < all->n; i++)
				all->v[i].clicks = 1;
			all->v[0].what = INPUT_PRESS;
			add_input(all, INPUT_RELEASE, last->ms, last->at);
		}
	}
	return why;
}
