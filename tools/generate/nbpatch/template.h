/* template.h: a notebook that is a template, ready to be filled. */
#pragma once

#include "json/source.h"
#include "notebook_json.h"
#include "placeholder.h"

enum { SLOT_METADATA, SLOT_CODE, MAX_SLOTS };

struct template {
	struct source source;
	enum language language;
	const json_t *cells;	/* of the file */
	size_t tagged;		/* the parameters cell among them; SIZE_MAX: none */
	char *code;		/* of that cell; NULL: none */
	struct placeholders placeholders;
	bool injects;		/* no placeholder: a cell of assignments follows that cell */
	bool lines;		/* the placeholder's code is written as a list of lines */
	struct buf text;	/* the notebook without its slots */
	struct notebook_slot slots[MAX_SLOTS];
};
/* Reads a template; dies with ST_INPUT if it is malformed. */
void xtemplate_load(struct template *, const char *path);
/* kernel NULL: python3 for Python, else the template's own.  params: an object with the names of
 * all parameters of all combinations. */
void xtemplate_prepare(struct template *, const char *kernel, const json_t *params);
/* "code cell 2 (id 'show')", for messages. */
char *template_cell_name(const struct template *, size_t cell);
