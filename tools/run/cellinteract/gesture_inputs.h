/* gesture_inputs.h: the inputs of a gesture, with their instants and places. */
#pragma once

#include "interaction.h"

enum input_what { INPUT_MOVE, INPUT_PRESS, INPUT_RELEASE, INPUT_TURN, INPUT_KEY };

struct window_point {
	double x, y;		/* in the window, CSS pixels */
};
struct gesture_input {
	enum input_what what;
	double ms;		/* since the first one */
	struct window_point at;
	double dx, dy;		/* of a turn of the wheel */
	const char *key;	/* its text, `n` bytes: "a", "Control+z", "Enter"; borrowed */
	size_t n;
	int clicks;		/* which click of several a press or release is of */
};
struct gesture_inputs {
	struct gesture_input *v;
	size_t n;
	size_t counted;		/* without those that end others */
};

/* Where share/page/element.js finds the element, which the gesture's default place is added to; the
 * caller's. */
json_t *gesture_inputs_element(const struct interaction *);
/* `place`: element.js' answer.  NULL, or why the gesture is impossible there, the caller's. */
char *gesture_inputs_make(struct gesture_inputs *, const struct interaction *, const json_t *place);
