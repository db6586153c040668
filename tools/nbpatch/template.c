/* template.c: a notebook that is a template.
 * It is read, checked and put in order once: outputs cleared, kernel set, ids
 * made.  Its text is then cut at the holes, so a notebook is a few copies.
 */
#include "generate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TEMPLATE_LIMIT_BYTES = 256 << 20 };

/* A hole's mark in the tree, before the text is cut there: nothing in the
 * template reads like it, since the token is random. */
static char token[17];

char *
hole_mark(int hole)
{
	if (!*token)
		xrandom_hex(token, 16);
	return xasprintf("@nbscope%s@%08x@", token, (unsigned)hole);
}

/* ---- what a template must be ---- */

static const char *
member_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static bool
is_code(const json_t *cell)
{
	const char *type = member_text(cell, "cell_type");
	return type && strcmp(type, "code") == 0;
}

bool
is_tagged(const json_t *cell, const char *tag)
{
	size_t i;
	json_t *t;
	json_array_foreach(json_object_get(json_object_get(cell, "metadata"), "tags"), i, t)
		if (json_is_string(t) && strcmp(json_string_value(t), tag) == 0)
			return true;
	return false;
}

char *
cell_name(const struct template *t, size_t at)
{
	size_t n = 0;
	for (size_t i = 0; i <= at; i++)
		n += is_code(json_array_get(t->cells, i));
	const char *id = member_text(json_array_get(t->cells, at), "id");
	return id ? xasprintf("code cell %zu (id '%s')", n, id) : xasprintf("code cell %zu", n);
}

char *
source_text(const json_t *cell)
{
	json_t *source = json_object_get(cell, "source"), *line;
	struct buf b = {0};
	size_t i;
	buf_add(&b, "", 0);
	if (json_is_string(source))
		buf_addf(&b, "%s", json_string_value(source));
	json_array_foreach(source, i, line)
		buf_addf(&b, "%s", json_string_value(line));
	return b.p;
}

static void
check_cell(const struct template *t, size_t at)
{
	json_t *cell = json_array_get(t->cells, at), *source = json_object_get(cell, "source"), *line;
	const char *type = member_text(cell, "cell_type");
	size_t i;
	if (!type || (strcmp(type, "code") != 0 && strcmp(type, "markdown") != 0 && strcmp(type, "raw") != 0))
		die_at(&t->source, t->cells, at, "cell %zu is no code, markdown or raw cell", at + 1);
	bool good = json_is_string(source) || json_is_array(source);
	json_array_foreach(source, i, line)
		good &= json_is_string(line);
	if (!good)
		die_at(&t->source, t->cells, at, "cell %zu has no source", at + 1);
	if (has_nul(source))
		die_at(&t->source, t->cells, at, "cell %zu has a NUL in its source", at + 1);
	json_t *metadata = json_object_get(cell, "metadata");
	if (metadata && !json_is_object(metadata))
		die_at(&t->source, t->cells, at, "the metadata of cell %zu is no object", at + 1);
}

static void
check_notebook(struct template *t)
{
	json_t *root = t->source.root, *format = json_object_get(root, "nbformat");
	json_t *cells = json_object_get(root, "cells"), *metadata = json_object_get(root, "metadata");
	const char *name = t->source.name;
	if (json_is_integer(format) && json_integer_value(format) != 4)
		die(ST_INPUT, "%s:1:1: a notebook of format %lld, and only 4 is known%s", name,
		    (long long)json_integer_value(format),
		    json_integer_value(format) < 4 ? " (jupyter nbconvert --to notebook converts it)" : "");
	if (!json_is_integer(format) || !json_is_array(cells) || (metadata && !json_is_object(metadata)))
		die(ST_INPUT, "%s:1:1: not a notebook", name);
	t->cells = cells;
	size_t n_code = 0;
	for (size_t i = 0; i < json_array_size(cells); i++) {
		check_cell(t, i);
		n_code += is_code(json_array_get(cells, i));
	}
	if (n_code == 0)
		die(ST_INPUT, "%s:1:1: no code cell", name);
}

static void
find_tagged(struct template *t)
{
	size_t i;
	json_t *cell;
	t->tagged = SIZE_MAX;
	json_array_foreach(t->cells, i, cell) {
		if (!is_tagged(cell, "parameters"))
			continue;
		if (!is_code(cell))
			die_at(&t->source, t->cells, i, "cell %zu is tagged 'parameters' and is no code cell", i + 1);
		if (t->tagged != SIZE_MAX)
			die_at(&t->source, t->cells, i, "%s is tagged 'parameters', and %s is too",
			    cell_name(t, i), cell_name(t, t->tagged));
		t->tagged = i;
	}
}

static void
find_template_language(struct template *t)
{
	json_t *metadata = json_object_get(t->source.root, "metadata");
	const char *name = member_text(json_object_get(metadata, "kernelspec"), "language");
	if (!name)
		name = member_text(json_object_get(metadata, "language_info"), "name");
	t->language = find_language(name ? name : "python");
	if (t->language == LANG_UNKNOWN)
		die(ST_INPUT, "%s:1:1: the notebook's language is '%s', and only Python, R and Julia are known", t->source.name, name);
}

/* ---- putting the notebook in order ---- */

static bool
good_id(const char *id)
{
	size_t n = id ? strlen(id) : 0;
	for (size_t i = 0; i < n; i++)
		if (!is_identifier(id + i, 1) && !(id[i] >= '0' && id[i] <= '9') && id[i] != '-')
			return false;
	return n > 0 && n <= 64;
}

/* An id of our own that no cell has: the same in every run. */
static char *
new_id(json_t *ids, const char *stem, size_t number)
{
	for (;; number++) {
		char *id = number ? xasprintf("%s-%zu", stem, number) : xstrdup(stem);
		if (!json_object_get(ids, id)) {
			json_object_set_new(ids, id, json_null());
			return id;
		}
		free(id);
	}
}

/* The first cell that has a good id keeps it. */
static json_t *
give_ids(json_t *cells)
{
	json_t *ids = json_object(), *cell;
	bool *kept = xmalloc(json_array_size(cells) * sizeof *kept);
	size_t i;
	json_array_foreach(cells, i, cell) {
		const char *id = member_text(cell, "id");
		kept[i] = good_id(id) && !json_object_get(ids, id);
		if (kept[i])
			json_object_set_new(ids, id, json_null());
	}
	json_array_foreach(cells, i, cell) {
		if (kept[i])
			continue;
		char *id = new_id(ids, "cell", i + 1);
		json_object_set_new(cell, "id", json_string(id));
		free(id);
	}
	free(kept);
	return ids;
}

static void
clear_cells(json_t *cells)
{
	size_t i;
	json_t *cell;
	json_array_foreach(cells, i, cell) {
		if (!json_object_get(cell, "metadata"))
			json_object_set_new(cell, "metadata", json_object());
		if (!is_code(cell))
			continue;
		json_object_set_new(cell, "execution_count", json_null());
		json_object_set_new(cell, "outputs", json_array());
	}
}

static void
set_kernel(const struct template *t, json_t *root, const char *kernel)
{
	static const char *const languages[] = {"python", "R", "julia"};
	json_t *metadata = json_object_get(root, "metadata");
	if (!metadata)
		json_object_set_new(root, "metadata", metadata = json_object());
	json_t *spec = json_object_get(metadata, "kernelspec");
	if (!json_is_object(spec))
		json_object_set_new(metadata, "kernelspec", spec = json_object());
	const char *was = member_text(spec, "name");
	if (!kernel)
		kernel = t->language == LANG_PYTHON ? "python3" : was;
	if (!kernel)
		die(ST_INPUT, "%s:1:1: the notebook names no kernel, so --kernel must", t->source.name);
	json_t *name = json_string(kernel);
	if (!name)
		die(ST_USAGE, "the kernel's name is not UTF-8");
	if (!was || strcmp(was, kernel) != 0 || !member_text(spec, "display_name"))
		json_object_set(spec, "display_name", name);
	if (!member_text(spec, "language"))
		json_object_set_new(spec, "language", json_string(languages[t->language]));
	json_object_set_new(spec, "name", name);
	char *mark = hole_mark(HOLE_METADATA);
	json_object_set_new(metadata, "nbscope", json_string(mark));
	free(mark);
}

/* As papermill does it: a cell of assignments after the parameters cell, in the
 * place of any that is there. */
static void
inject_cell(struct template *t, json_t *cells, json_t *ids)
{
	size_t at = t->tagged + 1;
	for (size_t i = json_array_size(cells); i-- > 0;)
		if (is_tagged(json_array_get(cells, i), "injected-parameters")) {
			json_array_remove(cells, i);
			at -= i <= t->tagged;
		}
	char *id = new_id(ids, "injected-parameters", 0), *mark = hole_mark(HOLE_INJECTED);
	json_array_insert_new(cells, at, json_pack("{s:s, s:n, s:s, s:{s:[s]}, s:[], s:s}", "cell_type", "code",
	    "execution_count", "id", id, "metadata", "tags", "injected-parameters", "outputs", "source", mark));
	free(id);
	free(mark);
}

/* ---- cutting ---- */

static void
indent(struct buf *b, int depth)
{
	buf_add(b, "\n", 1);
	for (int i = 0; i < depth; i++)
		buf_add(b, " ", 1);
}

/* As Jupyter writes notebooks: one space a level. */
static void
dump_pretty(struct buf *b, const json_t *v, int depth)
{
	bool object = json_is_object(v), first = true;
	json_t *item;
	const char *key;
	size_t i;
	if ((!object && !json_is_array(v)) || (object ? json_object_size(v) : json_array_size(v)) == 0) {
		dump_json(b, v);
		return;
	}
	buf_add(b, object ? "{" : "[", 1);
	json_array_foreach(v, i, item) {
		buf_add(b, ",", i > 0);
		indent(b, depth + 1);
		dump_pretty(b, item, depth + 1);
	}
	/* jansson's macro wants a non-const object; nothing is changed. */
	json_object_foreach((json_t *)(uintptr_t)v, key, item) {
		json_t *k = json_string(key);
		buf_add(b, ",", !first);
		first = false;
		indent(b, depth + 1);
		dump_json(b, k);
		json_decref(k);
		buf_add(b, ": ", 2);
		dump_pretty(b, item, depth + 1);
	}
	indent(b, depth);
	buf_add(b, object ? "}" : "]", 1);
}

static void
cut(struct template *t, const json_t *root)
{
	struct buf b = {0};
	dump_pretty(&b, root, 0);
	buf_add(&b, "\n", 1);
	char *head = xasprintf("@nbscope%s@", token);
	for (char *p = b.p;;) {
		char *next = strstr(p, head);
		t->segments = xrealloc(t->segments, (t->n_segments + 1) * sizeof *t->segments);
		struct segment *s = &t->segments[t->n_segments++];
		*s = (struct segment){p, next ? (size_t)(next - p) : strlen(p), HOLE_END};
		if (!next)
			break;
		s->hole = (int)strtoul(next + strlen(head), &p, 16);
		p++;
		/* The metadata's hole is for a value, and its mark is a string. */
		if (s->hole == HOLE_METADATA) {
			s->n--;
			p++;
		}
	}
	free(head);
}

void
xload_template(struct template *t, const char *path)
{
	char *error = NULL;
	*t = (struct template){.source.name = path};
	t->source.text = read_file(path, TEMPLATE_LIMIT_BYTES, &t->source.n);
	if (!t->source.text && errno == EFBIG)
		die(ST_INPUT, "%s:1:1: longer than %d bytes", path, TEMPLATE_LIMIT_BYTES);
	if (!t->source.text)
		die(ST_SYSTEM, "cannot open '%s':", path);
	if (t->source.n == 0)
		die(ST_INPUT, "%s:1:1: empty", path);
	t->source.root = parse_json(t->source.text, t->source.n, path, &error);
	if (!t->source.root)
		die(ST_INPUT, "%s", error);
	check_notebook(t);
	find_template_language(t);
	find_tagged(t);
	t->tree = json_deep_copy(t->source.root);
	if (!t->tree)
		die(ST_SYSTEM, "out of memory");
	find_holes(t);
}

/* A cell that an earlier tool injected would win over the placeholders. */
static void
check_injected(const struct template *t)
{
	for (size_t i = 0; i < json_array_size(t->cells); i++)
		if (is_tagged(json_array_get(t->cells, i), "injected-parameters"))
			die_at(&t->source, t->cells, i, "%s would set the parameters again: it is tagged 'injected-parameters', "
			    "and %s has placeholders", cell_name(t, i), cell_name(t, t->tagged));
}

void
xcut_template(struct template *t, const char *kernel, const json_t *params)
{
	json_t *cells = json_object_get(t->tree, "cells");
	bool some = json_object_size(params) > 0, places = has_places(t, params);
	if (some && t->tagged == SIZE_MAX)
		die(ST_INPUT, "%s:1:1: no code cell is tagged 'parameters'", t->source.name);
	if (places)
		check_injected(t);
	clear_cells(cells);
	json_t *ids = give_ids(cells);
	if (json_integer_value(json_object_get(t->tree, "nbformat_minor")) < 5)
		json_object_set_new(t->tree, "nbformat_minor", json_integer(5));
	set_kernel(t, t->tree, kernel);
	t->injects = some && !places;
	if (t->injects)
		inject_cell(t, cells, ids);
	json_decref(ids);
	cut(t, t->tree);
	json_decref(t->tree);
	t->tree = NULL;
}
