/* notebook.h: a notebook's file, as far as running it requires. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { MAX_NOTEBOOK_BYTES = 512 << 20 };

struct notebook_cell {
	size_t position;	/* among all cells, from 0 */
	size_t index;		/* among code cells, from 1 */
	const char *id;		/* "" if JupyterLab will assign another; borrowed */
	char *source;
	char *heading;		/* the last one in a text cell above it; NULL: there is none */
	json_t *tags;		/* strings */
	const char *script;	/* that the cell is a part of (share/script), or NULL; borrowed */
	size_t first_line;	/* in the script, from 1 */
	bool empty;		/* only white space: sends no request */
};
struct notebook {
	json_t *json;
	struct notebook_cell *cells;	/* the code cells, those of each round after each other */
	size_t n, once;	/* in all; in one round */
	size_t rounds;	/* each followed by a question to the hooks; 0: one, and none */
	bool gestures_alone;	/* the cells run in the first round only */
	const char *kernel;	/* metadata.kernelspec.name or NULL; borrowed */
	const char *language;	/* likewise */
};
/* Dies with ST_INPUT and the file's name if it cannot be read, is not a notebook of format 4, has
 * no code cell, or has a name that a server or the tables cannot hold. */
struct notebook xnotebook_read(const char *path);
/* How many a notebook in JSON has. */
size_t notebook_count_code_cells(const json_t *notebook);
/* The tags that are strings, since a file may contain anything there; the caller's. */
json_t *notebook_tags(const json_t *tags);
bool notebook_cell_has_tag(const struct notebook_cell *, const char *tag);
/* With this begin tags that say the environment and the arguments of Score-P:
 * profile-scorep:NAME=VALUE and profile-scorep:--ARGUMENT. Those in a list; those of all cells. */
#define NOTEBOOK_SCOREP_TAG "profile-scorep:"
json_t *notebook_scorep_tags_in(const json_t *tags);
json_t *notebook_scorep_tags(const json_t *notebook);
