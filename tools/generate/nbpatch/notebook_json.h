/* notebook_json.h: JSON text as Jupyter writes notebooks, one space per level. */
#pragma once

#include "base/buf.h"

#include <jansson.h>

/* A value that is left out of the text, which is then cut at `end`. */
struct notebook_slot {
	const json_t *value;
	size_t end;
	int depth;	/* of the value */
};
void notebook_json_add(struct buf *, json_t *, int depth, struct notebook_slot *, size_t n_slots);
