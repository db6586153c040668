/* cell_outputs.h: a cell's outputs, as JupyterLab makes them of the kernel's messages. */
#ifndef CELL_OUTPUTS_H
#define CELL_OUTPUTS_H

#include "stream_text.h"

#include <jansson.h>

struct cell_output {
	json_t *value;	/* as the notebook has it; a stream's text is apart */
	char *display_id;	/* or NULL */
	struct stream_text text;
	size_t sent_bytes;	/* of a stream or an error */
};
struct cell_outputs {
	struct cell_output *v;
	size_t n, cap;
	bool clear_next;	/* when something follows */
	bool lost;	/* the server dropped messages */
	json_t *others;	/* displays of other cells that this one updated: {id: data} */
};

/* Whether a message of this type is an output, or changes one. */
bool cell_outputs_is_type(const char *type);
/* A message of the cell, but update_display_data.  bytes: of its content. */
void cell_outputs_add(struct cell_outputs *, const char *type, json_t *content, size_t bytes);
/* Replaces the displays with this id; whether there is any. */
bool cell_outputs_update(struct cell_outputs *, const char *display_id, json_t *content);
/* The cell updated a display of another one. */
void cell_outputs_note_other(struct cell_outputs *, const char *display_id, json_t *content);
/* The list for the notebook. */
json_t *cell_outputs_list(const struct cell_outputs *);
/* The members `outputs`, `items`, `itemsDone` and `apart` of what a driver has seen. */
void cell_outputs_count(const struct cell_outputs *, json_t *seen);

#endif
