/* template.c: a notebook that is a template.
 * It is read, checked and prepared once: outputs cleared, kernel set, ids made.  Then it is text
 * with two slots, for the code of the parameters and for the metadata, so that each notebook is a
 * few copies.
 */
#include "template.h"
#include "base/die.h"
#include "json/json_parse.h"

#include <ctype.h>
#include <errno.h>

enum { MAX_TEMPLATE_BYTES = 256 << 20, MAX_ID = 64 };

/* ---- cells ---- */

static const char *
member_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static bool
is_code_cell(const json_t *cell)
{
	const char *type = member_text(cell, "cell_type");
	return type && strcmp(type, "code") == 0;
}

static bool
has_tag(const json_t *cell, const char *tag)
{
	size_t i;
	json_t *t;
	json_array_foreach(json_object_get(json_object_get(cell, "metadata"), "tags"), i, t)
		if (json_is_string(t) && strcmp(json_string_value(t), tag) == 0)
			return true;
	return false;
}

/* Python reads each line end as a newline, also within a string. */
static void
unite_line_ends(char *text)
{
	char *to = text;
	for (const char *p = text; *p; p++)
		if (*p != '\r')
			*to++ = *p;
		else if (p[1] != '\n')
			*to++ = '\n';
	*to = '\0';
}

static char *
cell_source(enum language language, const json_t *cell)
{
	json_t *source = json_object_get(cell, "source"), *line;
	struct buf b = {0};
	size_t i;
	buf_add(&b, "", 0);
	if (json_is_string(source))
		buf_addf(&b, "%s", json_string_value(source));
	json_array_foreach(source, i, line)
		buf_addf(&b, "%s", json_string_value(line));
	if (language == LANG_PYTHON)
		unite_line_ends(b.p);
	return b.p;
}

char *
template_cell_name(const struct template *t, size_t cell)
{
	size_t n = 0;
	for (size_t i = 0; i <= cell; i++)
		n += is_code_cell(json_array_get(t->cells, i));
	const char *id = member_text(json_array_get(t->cells, cell), "id");
	return id ? xasprintf("code cell %zu (id '%s')", n, id) : xasprintf("code cell %zu", n);
}

/* ---- reading ---- */

/* What is wrong with a cell; NULL: nothing. */
static const char *
find_fault(json_t *cell)
{
	const char *type = member_text(cell, "cell_type");
	json_t *source = json_object_get(cell, "source"), *line;
	json_t *metadata = json_object_get(cell, "metadata");
	size_t i;
	if (!type || (strcmp(type, "code") && strcmp(type, "markdown") && strcmp(type, "raw")))
		return "is not a code, markdown or raw cell";
	if (!json_is_string(source) && !json_is_array(source))
		return "has no source";
	json_array_foreach(source, i, line)
		if (!json_is_string(line))
			return "has a source that is not text";
	if (source_has_nul(source))
		return "has a NUL in its source";
	if (metadata && !json_is_object(metadata))
		return "has metadata that is not an object";
	return NULL;
}

static void
check_notebook(struct template *t)
{
	json_t *root = t->source.root, *format = json_object_get(root, "nbformat");
	json_t *cells = json_object_get(root, "cells"), *cell;
	json_t *metadata = json_object_get(root, "metadata");
	long long version = json_integer_value(format);
	size_t i, n_code = 0;
	if (json_is_integer(format) && version != 4)
		die(ST_INPUT, "%s:1:1: notebook format %lld: only format 4 is supported%s",
		    t->source.name, version,
		    version < 4 ? " (convert it: jupyter nbconvert --to notebook)" : "");
	if (!version || !json_is_array(cells) || (metadata && !json_is_object(metadata)))
		die(ST_INPUT, "%s:1:1: not a notebook", t->source.name);
	t->cells = cells;
	json_array_foreach(cells, i, cell) {
		const char *fault = find_fault(cell);
		if (fault)
			source_die_at(&t->source, cells, i, "cell %zu %s", i + 1, fault);
		n_code += is_code_cell(cell);
	}
	if (n_code == 0)
		die(ST_INPUT, "%s:1:1: no code cell", t->source.name);
}

/* The first tagged code cell; if there is none, the first tagged cell, after which papermill
 * injects, too. */
static void
find_tagged(struct template *t)
{
	size_t i;
	json_t *cell;
	t->tagged = SIZE_MAX;
	json_array_foreach(t->cells, i, cell) {
		bool found = t->tagged != SIZE_MAX;
		bool has_code = found && is_code_cell(json_array_get(t->cells, t->tagged));
		if (has_tag(cell, "parameters") && (!found || (!has_code && is_code_cell(cell))))
			t->tagged = i;
	}
}

/* Notebooks name the language in different ways, or the kernel alone: the first name that is known
 * counts.  Without any, it is Python. */
static void
find_language(struct template *t)
{
	json_t *metadata = json_object_get(t->source.root, "metadata");
	json_t *spec = json_object_get(metadata, "kernelspec");
	const char *language = member_text(spec, "language");
	const char *other = member_text(json_object_get(metadata, "language_info"), "name");
	const char *const names[] = {language, other, member_text(spec, "name")};
	t->language = LANG_UNKNOWN;
	for (size_t i = 0; i < COUNT(names) && t->language == LANG_UNKNOWN; i++)
		t->language = names[i] ? lexer_language(names[i]) : LANG_UNKNOWN;
	if (t->language != LANG_UNKNOWN)
		return;
	const char *unknown = language && *language ? language : other && *other ? other : NULL;
	if (unknown)
		die(ST_INPUT, "%s:1:1: unknown language '%s': "
		    "only Python, R and Julia are supported", t->source.name, unknown);
	t->language = LANG_PYTHON;
}

void
xtemplate_load(struct template *t, const char *path)
{
	char *error = NULL;
	*t = (struct template){.source.name = path};
	xsource_read(&t->source, path, MAX_TEMPLATE_BYTES);
	if (t->source.n == 0)
		die(ST_INPUT, "%s:1:1: empty", path);
	t->source.root = json_parse_text(t->source.text, t->source.n, path, &error);
	if (!t->source.root)
		die(ST_INPUT, "%s", error);
	check_notebook(t);
	find_language(t);
	find_tagged(t);
	if (t->tagged != SIZE_MAX && is_code_cell(json_array_get(t->cells, t->tagged))) {
		t->code = cell_source(t->language, json_array_get(t->cells, t->tagged));
		placeholders_find(&t->placeholders, t->language, t->code);
	}
}

/* ---- preparing ---- */

static bool
is_valid_id(const char *id)
{
	size_t n = 0;
	while (id && (isalnum((unsigned char)id[n]) || id[n] == '-' || id[n] == '_'))
		n++;
	return n > 0 && n <= MAX_ID && !id[n];
}

/* An id that no cell has, the same in every run. */
static json_t *
new_id(json_t *ids, const char *stem, size_t number)
{
	for (;; number++) {
		char *id = number ? xasprintf("%s-%zu", stem, number) : xstrdup(stem);
		bool is_new = !json_object_get(ids, id);
		json_t *text = json_string(id);
		json_object_set_new(ids, id, json_null());
		free(id);
		if (is_new)
			return text;
		json_decref(text);
	}
}

/* Makes missing, malformed and repeated ids.  Returns all of them. */
static json_t *
complete_ids(json_t *cells)
{
	json_t *ids = json_object(), *cell;
	size_t i;
	json_array_foreach(cells, i, cell) {
		const char *id = member_text(cell, "id");
		if (!is_valid_id(id) || json_object_get(ids, id))
			json_object_set_new(cell, "id", json_null());
		else
			json_object_set_new(ids, id, json_null());
	}
	json_array_foreach(cells, i, cell)
		if (!member_text(cell, "id"))
			json_object_set_new(cell, "id", new_id(ids, "cell", i + 1));
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
		if (!is_code_cell(cell))
			continue;
		json_object_set_new(cell, "execution_count", json_null());
		json_object_set_new(cell, "outputs", json_array());
	}
}

/* The object of this name, made if there is none. */
static json_t *
member_object(json_t *object, const char *key)
{
	if (!json_is_object(json_object_get(object, key)))
		json_object_set_new(object, key, json_object());
	return json_object_get(object, key);
}

static void
set_kernel(const struct template *t, json_t *metadata, const char *kernel)
{
	static const char *const languages[] = {"python", "R", "julia"};
	json_t *spec = member_object(metadata, "kernelspec");
	const char *before = member_text(spec, "name");
	if (!kernel)
		kernel = t->language == LANG_PYTHON ? "python3" : before;
	if (!kernel)
		die(ST_INPUT, "%s:1:1: the notebook names no kernel: use --kernel", t->source.name);
	json_t *name = json_string(kernel);
	if (!name)
		die(ST_USAGE, "the name of the kernel is not UTF-8");
	if (!before || strcmp(before, kernel) != 0 || !member_text(spec, "display_name"))
		json_object_set(spec, "display_name", name);
	if (!json_string_length(json_object_get(spec, "language")))
		json_object_set_new(spec, "language", json_string(languages[t->language]));
	json_object_set_new(spec, "name", name);
}

static json_t *
make_slot(struct notebook_slot *slot)
{
	json_t *value = json_string("");
	slot->value = value;
	return value;
}

/* Injects as papermill does: a cell of assignments after the parameters cell, or at the top if
 * there is none, replaces any that an earlier tool has injected. */
static void
inject_cell(struct template *t, json_t *cells, json_t *ids)
{
	bool tagged = t->tagged != SIZE_MAX;
	size_t at = tagged ? t->tagged + 1 : 0;
	for (size_t i = json_array_size(cells); i-- > 0;)
		if (has_tag(json_array_get(cells, i), "injected-parameters")) {
			json_array_remove(cells, i);
			at = tagged ? at - (i <= t->tagged) : i;
		}
	json_t *cell = json_pack("{s:s, s:n, s:o, s:{s:[s]}, s:[], s:o}", "cell_type", "code",
	    "execution_count", "id", new_id(ids, "injected-parameters", 0), "metadata", "tags",
	    "injected-parameters", "outputs", "source", make_slot(&t->slots[SLOT_CODE]));
	json_array_insert_new(cells, at, cell);
}

/* Whether a placeholder outside of comments is for these parameters, or for unknown ones. */
static bool
has_placeholders(const struct placeholders *all, const json_t *params)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct placeholder *p = &all->list[i];
		bool known = json_object_get(params, p->param) != NULL;
		if (!placeholder_is_comment(p) && (known || !p->variable))
			return true;
	}
	return false;
}

/* papermill ignores further cells with the tag, too. */
static void
check_other_tagged(const struct template *t, const json_t *params)
{
	size_t i;
	json_t *cell;
	json_array_foreach(t->cells, i, cell) {
		if (!has_tag(cell, "parameters") || (i == t->tagged && t->code))
			continue;
		if (!is_code_cell(cell)) {
			warn("%s: cell %zu is tagged 'parameters' but is not a code cell%s",
			    t->source.name, i + 1, t->code ? ": its tag is ignored" : "");
			continue;
		}
		struct placeholders others;
		char *code = cell_source(t->language, cell);
		placeholders_find(&others, t->language, code);
		if (has_placeholders(&others, params))
			source_die_at(&t->source, t->cells, i, "%s is tagged 'parameters', as is "
			    "%s: only the first can have placeholders",
			    template_cell_name(t, i), template_cell_name(t, t->tagged));
		warn("%s: %s is tagged 'parameters', as is %s: the parameters are those of the "
		    "first", t->source.name, template_cell_name(t, i),
		    template_cell_name(t, t->tagged));
		free(code);
	}
}

/* Whether some code cell has a placeholder for one of the parameters. */
static bool
has_untagged_placeholders(const struct template *t, const json_t *params)
{
	size_t i;
	json_t *cell, *v;
	const char *param;
	bool found = false;
	json_array_foreach(t->cells, i, cell) {
		char *source = is_code_cell(cell) ? cell_source(t->language, cell) : NULL;
		json_object_foreach((json_t *)params, param, v) {
			char *text = xasprintf("{%s_value}", param);
			found = found || (source && strstr(source, text));
			free(text);
		}
		free(source);
	}
	return found;
}

/* A cell that an earlier tool has injected would override the placeholders. */
static void
check_injected(const struct template *t)
{
	size_t i;
	json_t *cell;
	json_array_foreach(t->cells, i, cell)
		if (has_tag(cell, "injected-parameters"))
			source_die_at(&t->source, t->cells, i, "%s is tagged 'injected-parameters' "
			    "and would override the placeholders of %s", template_cell_name(t, i),
			    template_cell_name(t, t->tagged));
}

void
xtemplate_prepare(struct template *t, const char *kernel, const json_t *params)
{
	json_t *root = json_deep_copy(t->source.root), *cells = json_object_get(root, "cells");
	bool fills = has_placeholders(&t->placeholders, params);
	check_other_tagged(t, params);
	t->injects = !fills && json_object_size(params) > 0;
	if (t->injects && !t->code && has_untagged_placeholders(t, params))
		die(ST_INPUT, "%s:1:1: no code cell is tagged 'parameters'", t->source.name);
	if (t->injects && t->tagged == SIZE_MAX)
		warn("%s: no code cell is tagged 'parameters': they are assigned in a cell of "
		    "their own at the top, and code that assigns them again overrides them",
		    t->source.name);
	clear_cells(cells);
	json_t *ids = complete_ids(cells), *metadata = member_object(root, "metadata");
	if (json_integer_value(json_object_get(root, "nbformat_minor")) < 5)
		json_object_set_new(root, "nbformat_minor", json_integer(5));
	set_kernel(t, metadata, kernel);
	json_object_set_new(metadata, "nbscope", make_slot(&t->slots[SLOT_METADATA]));
	if (fills) {
		json_t *cell = json_array_get(cells, t->tagged);
		check_injected(t);
		t->lines = json_is_array(json_object_get(cell, "source"));
		json_object_set_new(cell, "source", make_slot(&t->slots[SLOT_CODE]));
	} else if (t->injects) {
		inject_cell(t, cells, ids);
	}
	notebook_json_add(&t->text, root, 0, t->slots, MAX_SLOTS);
	buf_add(&t->text, "\n", 1);
	json_decref(ids);
	json_decref(root);
}
