/* notebook.h: a notebook's file, as far as running it needs. */
#ifndef NOTEBOOK_H
#define NOTEBOOK_H

#include "nbscope.h"

enum { NOTEBOOK_LIMIT_BYTES = 512 << 20 };

struct cell {
	size_t position;	/* among all cells, from 0 */
	size_t index;		/* among code cells, from 1 */
	const char *id;		/* "" where the file has none; borrowed */
	char *source;
	json_t *tags;	/* strings */
	bool empty;		/* nothing but white space: sends no request */
};
struct notebook {
	json_t *json;
	struct cell *cells;	/* the code cells */
	size_t n;
	const char *kernel;	/* metadata.kernelspec.name or NULL; borrowed */
	const char *language;	/* likewise */
};
/* Dies with ST_INPUT and the file's name when it cannot be read, is no
 * notebook of format 4, or has no code cell. */
struct notebook xread_notebook(const char *path);
/* Those of a notebook in JSON. */
size_t count_code_cells(const json_t *notebook);
/* Those of its tags that are words: a file may hold anything there.  The caller's. */
json_t *xtags(const json_t *tags);
bool has_tag(const struct cell *, const char *tag);

#endif
