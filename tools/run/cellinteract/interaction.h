/* interaction.h: interactions.jsonl: which gestures are performed after which cells. */
#pragma once

#include "json/source.h"
#include "notebook/notebook.h"

struct interaction {
	struct source source;	/* its line is the root */
	const json_t *kind;	/* of share/interactions/gestures.json: its input, its amounts */
	size_t number;		/* of its line, from 1 */
};
struct interactions {
	struct interaction *v;
	size_t n;
};

/* What a table of share/interactions/gestures.json has under this name, NULL: nothing; and a number
 * in it, or 0. */
json_t *interactions_entry(const char *table, const char *name);
int interactions_number(const char *table, const char *name, size_t i);
/* Dies with ST_INPUT and "file:line:column: reason" if a line is none, or the notebook (NULL: none,
 * placeholders stay), whose path is given, lacks a parameter or a cell that it names. */
struct interactions xinteractions_read(const char *path, const struct notebook *,
    const char *notebook);
bool interaction_follows(const struct interaction *, const struct notebook_cell *);
/* A member of the line, else of its kind of gesture; NULL: neither has it. */
const json_t *interaction_get(const struct interaction *, const char *name);
/* What tables call it: name of its line, or made of the gesture and the element; the caller's. */
char *interaction_name(const struct interaction *);
const char *interaction_text(const struct interaction *, const char *name);	/* or NULL */
double interaction_number(const struct interaction *, const char *name, double otherwise);
