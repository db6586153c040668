/* cell_outputs.h: a cell's outputs, as JupyterLab makes them of the kernel's messages. */
#pragma once

#include "base/buf.h"

#include <jansson.h>

struct cell_output {
	json_t *value;	/* the message's content, with output_type */
	struct buf text;	/* of a stream */
	size_t sent_bytes;	/* of a stream or an error */
};
struct cell_outputs {
	struct cell_output *v;
	size_t n;
	size_t at;	/* in the text of the last stream: stream_text.h */
	bool clear_next;	/* when something follows */
};

/* Whether a message of this type is an output, or changes one. */
bool cell_outputs_is_type(const char *type);
/* Whether the server says in this content of `bytes` bytes that it has dropped messages. */
bool cell_outputs_is_loss(const json_t *content, size_t bytes);
/* Adds what a message shows, or clears what was shown; an update_display_data adds nothing. */
void cell_outputs_add(struct cell_outputs *, const char *type, json_t *content, size_t bytes);
/* Replaces what the displays with this id show; whether there is any. */
bool cell_outputs_update(struct cell_outputs *, const char *display_id, json_t *content);
/* The last error among them; NULL: there is none. */
const json_t *cell_outputs_error(const struct cell_outputs *);
/* The list for the notebook. */
json_t *cell_outputs_list(const struct cell_outputs *);
/* What a driver has seen of them: the members `outputs`, `items`, `itemsDone` and `apart`.
 * updates: {id: data} of displays of other cells that this one updated. */
void cell_outputs_count(const struct cell_outputs *, json_t *updates, json_t *seen);
