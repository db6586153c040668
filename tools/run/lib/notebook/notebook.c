/* notebook.c: a notebook's file, as far as running it requires. */
#include "notebook/notebook.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/file.h"
#include "base/str.h"
#include "json/json_parse.h"
#include "notebook/run_options.h"

enum { MAX_NAME_BYTES = 200, MAX_INDENT = 3, MAX_LEVEL = 6 };	/* of a heading */

/* A multi-line string of nbformat: one string or an array of lines. */
static char *
joined_lines(const json_t *v)
{
	if (json_is_string(v))
		return json_parse_string(v);
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
	char *error = NULL, *text = file_read(path, MAX_NOTEBOOK_BYTES, &n);
	if (!text)
		die(ST_INPUT, "cannot read '%s':", path);
	json_t *nb = json_parse_text(text, n, path, &error);
	if (!nb)
		die(ST_INPUT, "%s", error);
	free(text);
	if (!json_is_object(nb) || !json_is_integer(json_object_get(nb, "nbformat")))
		die(ST_INPUT, "%s:1:1: not a notebook: no \"nbformat\"", path);
	long long major = json_integer_value(json_object_get(nb, "nbformat"));
	if (major != 4)
		die(ST_INPUT, "%s:1:1: notebook format %lld is not supported, only 4 (convert it: "
		    "jupyter nbconvert --to notebook)", path, major);
	if (!json_is_array(json_object_get(nb, "cells")))
		die(ST_INPUT, "%s:1:1: not a notebook: no \"cells\"", path);
	return nb;
}

static bool
is_code(const json_t *cell)
{
	const char *type = json_string_value(json_object_get(cell, "cell_type"));
	return type && strcmp(type, "code") == 0;
}

/* "Load images" of "## Load images ##"; the caller's.  NULL: the line is no heading. */
static char *
heading_of(const char *line, size_t n)
{
	size_t indent = strspn(line, " "), level = strspn(line + indent, "#");
	const char *text = line + indent + level, *end = line + n;
	if (indent > MAX_INDENT || !level || level > MAX_LEVEL || text >= end ||
	    (*text != ' ' && *text != '\t'))
		return NULL;
	text += strspn(text, " \t");
	while (end > text && strchr(" \t\r", end[-1]))
		end--;
	const char *last = end;
	while (last > text && last[-1] == '#')
		last--;
	if (last < end && last > text && (last[-1] == ' ' || last[-1] == '\t'))
		end = last;
	while (end > text && strchr(" \t", end[-1]))
		end--;
	return end > text ? xasprintf("%.*s", (int)(end - text), text) : NULL;
}

/* The last heading of a text in Markdown, outside of fences; else `before`, which it frees. */
static char *
last_heading(const char *text, char *before)
{
	bool fenced = false;
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *at = line + strspn(line, " ");
		if (strncmp(at, "```", 3) == 0 || strncmp(at, "~~~", 3) == 0)
			fenced = !fenced;
		char *heading = fenced ? NULL : heading_of(line, strcspn(line, "\n"));
		if (heading) {
			free(before);
			before = heading;
		}
	}
	return before;
}

static bool
is_text(const json_t *cell)
{
	const char *type = json_string_value(json_object_get(cell, "cell_type"));
	return type && strcmp(type, "markdown") == 0;
}

/* The id that the cell will also have in JupyterLab, which replaces a repeated one and ignores
 * those of formats before 4.5; borrowed. */
static const char *
lasting_id(json_t *seen, const json_t *notebook, const json_t *cell)
{
	const char *id = json_string_value(json_object_get(cell, "id"));
	bool has_ids = json_integer_value(json_object_get(notebook, "nbformat_minor")) >= 5;
	if (!id || !has_ids || json_object_get(seen, id))
		return "";
	json_object_set_new(seen, id, json_true());
	return id;
}

json_t *
notebook_tags(const json_t *tags)
{
	json_t *words = json_array(), *tag;
	size_t i;
	json_array_foreach(tags, i, tag)
		if (json_is_string(tag))
			json_array_append(words, tag);
	return words;
}

/* The server keeps a checkpoint of a notebook under a longer name, and hides names with a dot. */
static void
xcheck_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *why = *name == '.' ? "begins with a dot" :
	    strlen(name) > MAX_NAME_BYTES ? "has more than 200 bytes" :
	    strpbrk(name, "\r\n") ? "contains a line end" : NULL;
	if (why)
		die(ST_INPUT, "cannot run '%s': its name %s: rename it", path, why);
}

/* Which lines of a script the cell has, as share/script/notebook.py says. */
static void
find_script(struct notebook_cell *c, const json_t *metadata)
{
	const json_t *own = json_object_get(metadata, "nbscope");
	json_int_t line = json_integer_value(json_object_get(own, "line"));
	c->script = line > 0 ? json_string_value(json_object_get(own, "script")) : NULL;
	c->first_line = c->script ? (size_t)line : 1;
}

/* As the settings of a hook say: all cells again, or nothing but what hooks do after each. */
static void
add_rounds(struct notebook *nb)
{
	json_t *spec = json_object_get(run_options.hooks, "profile");
	const char *what = json_string_value(json_object_get(spec, "round"));
	nb->once = nb->n;
	nb->rounds = (size_t)json_integer_value(json_object_get(spec, "rounds"));
	nb->gestures_alone = what && strcmp(what, "gestures") == 0;
	if (nb->rounds < 2 || nb->gestures_alone)
		return;
	nb->cells = xrealloc(nb->cells, nb->rounds * nb->once * sizeof *nb->cells);
	for (nb->n = nb->once; nb->n < nb->rounds * nb->once; nb->n++)
		nb->cells[nb->n] = nb->cells[nb->n - nb->once];
}

struct notebook
xnotebook_read(const char *path)
{
	xcheck_name(path);
	struct notebook nb = {.json = xload(path)};
	json_t *cells = json_object_get(nb.json, "cells"), *cell, *seen = json_object();
	json_t *meta = json_object_get(nb.json, "metadata");
	char *heading = NULL;
	size_t i;
	nb.cells = xmalloc((json_array_size(cells) + 1) * sizeof *nb.cells);
	json_array_foreach(cells, i, cell) {
		const char *id = lasting_id(seen, nb.json, cell);
		if (!json_is_string(json_object_get(cell, "cell_type")))
			die(ST_INPUT, "%s:1:1: not a notebook: cell %zu has no \"cell_type\"", path,
			    i + 1);
		if (is_text(cell)) {
			char *text = joined_lines(json_object_get(cell, "source"));
			heading = last_heading(text, heading);
			free(text);
		}
		if (!is_code(cell))
			continue;
		json_t *metadata = json_object_get(cell, "metadata");
		json_t *tags = json_object_get(metadata, "tags");
		char *source = joined_lines(json_object_get(cell, "source"));
		struct notebook_cell *c = &nb.cells[nb.n++];
		*c = (struct notebook_cell){.position = i, .index = nb.n, .id = id,
		    .source = source, .heading = heading ? xstrdup(heading) : NULL,
		    .tags = notebook_tags(tags),
		    .empty = source[strspn(source, " \t\r\n\f")] == '\0'};
		find_script(c, metadata);
	}
	json_decref(seen);
	free(heading);
	if (nb.n == 0)
		die(ST_INPUT, "%s:1:1: no code cell in the notebook", path);
	json_t *spec = json_object_get(meta, "kernelspec");
	nb.kernel = json_string_value(json_object_get(spec, "name"));
	nb.language = str_nonempty(json_string_value(json_object_get(spec, "language")));
	if (!nb.language) {
		json_t *info = json_object_get(meta, "language_info");
		nb.language = json_string_value(json_object_get(info, "name"));
	}
	add_rounds(&nb);
	return nb;
}

size_t
notebook_count_code_cells(const json_t *notebook)
{
	size_t i, n = 0;
	json_t *cell;
	json_array_foreach(json_object_get(notebook, "cells"), i, cell)
		n += is_code(cell);
	return n;
}

bool
notebook_cell_has_tag(const struct notebook_cell *c, const char *tag)
{
	size_t i;
	json_t *t;
	json_array_foreach(c->tags, i, t)
		if (strcmp(json_string_value(t), tag) == 0)
			return true;
	return false;
}

json_t *
notebook_scorep_tags_in(const json_t *tags)
{
	json_t *found = json_array(), *tag;
	size_t i;
	json_array_foreach(tags, i, tag) {
		const char *text = json_string_value(tag);
		if (text && strncmp(text, NOTEBOOK_SCOREP_TAG, strlen(NOTEBOOK_SCOREP_TAG)) == 0)
			json_array_append(found, tag);
	}
	return found;
}

json_t *
notebook_scorep_tags(const json_t *notebook)
{
	json_t *all = json_array(), *cell;
	size_t i;
	json_array_foreach(json_object_get(notebook, "cells"), i, cell) {
		const json_t *metadata = json_object_get(cell, "metadata");
		json_t *tags = notebook_scorep_tags_in(json_object_get(metadata, "tags"));
		json_array_extend(all, tags);
		json_decref(tags);
	}
	return all;
}
