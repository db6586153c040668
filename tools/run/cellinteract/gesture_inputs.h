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
	int clicks;		/* which click of several it is of; 0: no button is held */
};
struct gesture_inputs {
	struct gesture_input *v;
	size_t n;
	size_t counted;		/* without those that end others */
};

/* `place`: element.js' answer.  NULL, or why the gesture is impossible there, the caller's. */
char *gesture_inputs_make(struct gesture_inputs *, const struct interaction *, const json_t *place);
