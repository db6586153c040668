/* notebook.c: a notebook's file, as far as running it needs. */
#include "notebook.h"

#include <stdlib.h>
#include <string.h>

/* A multi-line string of nbformat: one string or an array of lines. */
static char *
joined(const json_t *v)
{
	if (json_is_string(v))
		return whole_text(v);
	struct buf b = {0};
	size_t i;
	json_t *line;
	buf_add(&b, "", 0);
	json_array_foreach(v, i, line)
		if (json_is_string(line))
			buf_add(&b, json_string_value(line), json_string_length(line));
	return b.p;
}

static json_t *
xload(const char *path)
{
	size_t n;
	char *error = NULL, *text = read_file(path, NOTEBOOK_LIMIT_BYTES, &n);
	if (!text)
		die(ST_INPUT, "cannot read '%s':", path);
	json_t *nb = parse_json(text, n, path, &error);
	if (!nb)
		die(ST_INPUT, "%s", error);
	free(text);
	if (!json_is_object(nb) || !json_is_integer(json_object_get(nb, "nbformat")))
		die(ST_INPUT, "%s:1:1: not a notebook: no \"nbformat\"", path);
	json_int_t major = json_integer_value(json_object_get(nb, "nbformat"));
	if (major != 4)
		die(ST_INPUT, "%s:1:1: notebook format %lld: only 4 is known (convert it: jupyter nbconvert --to notebook)", path, (long long)major);
	if (!json_is_array(json_object_get(nb, "cells")))
		die(ST_INPUT, "%s:1:1: not a notebook: no \"cells\"", path);
	return nb;
}

/* The id by which JupyterLab will know the cell too: of a repeated one it makes
 * another, and before format 4.5 it takes none. Borrowed. */
static const char *
own_id(json_t *seen, const json_t *notebook, const json_t *cell)
{
	const char *id = json_string_value(json_object_get(cell, "id"));
	if (!id || json_integer_value(json_object_get(notebook, "nbformat_minor")) < 5 || json_object_get(seen, id))
		return "";
	json_object_set_new(seen, id, json_true());
	return id;
}

json_t *
xtags(const json_t *tags)
{
	json_t *words = json_array(), *tag;
	size_t i;
	json_array_foreach(tags, i, tag)
		if (json_is_string(tag))
			json_array_append(words, tag);
	return words;
}

struct notebook
xread_notebook(const char *path)
{
	struct notebook nb = {.json = xload(path)};
	json_t *cells = json_object_get(nb.json, "cells"), *cell, *meta = json_object_get(nb.json, "metadata");
	json_t *seen = json_object();
	size_t i;
	nb.cells = xmalloc((json_array_size(cells) + 1) * sizeof *nb.cells);
	json_array_foreach(cells, i, cell) {
		const char *type = json_string_value(json_object_get(cell, "cell_type")), *id = own_id(seen, nb.json, cell);
		if (!type)
			die(ST_INPUT, "%s:1:1: not a notebook: cell %zu has no \"cell_type\"", path, i + 1);
		if (strcmp(type, "code") != 0)
			continue;
		struct cell c = {.position = i, .index = nb.n + 1, .id = id,
		    .source = joined(json_object_get(cell, "source")),
		    .tags = xtags(json_object_get(json_object_get(cell, "metadata"), "tags"))};
		c.empty = c.source[strspn(c.source, " \t\r\n\f")] == '\0';
		nb.cells[nb.n++] = c;
	}
	json_decref(seen);
	if (nb.n == 0)
		die(ST_INPUT, "%s:1:1: no code cell in the notebook", path);
	json_t *spec = json_object_get(meta, "kernelspec");
	nb.kernel = json_string_value(json_object_get(spec, "name"));
	nb.language = json_string_value(json_object_get(spec, "language"));
	if (!nb.language)
		nb.language = json_string_value(json_object_get(json_object_get(meta, "language_info"), "name"));
	return nb;
}

static bool
is_code(const json_t *cell)
{
	const char *type = json_string_value(json_object_get(cell, "cell_type"));
	return type && strcmp(type, "code") == 0;
}

size_t
count_code_cells(const json_t *notebook)
{
	size_t i, n = 0;
	json_t *cell;
	json_array_foreach(json_object_get(notebook, "cells"), i, cell)
		n += is_code(cell);
	return n;
}

bool
has_tag(const struct cell *c, const char *tag)
{
	size_t i;
	json_t *t;
	json_array_foreach(c->tags, i, t)
		if (strcmp(json_string_value(t), tag) == 0)
			return true;
	return false;
}
