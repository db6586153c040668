/* executed_notebook.c: a notebook with the outputs of its cells, as JupyterLab saves it. */
#include "executed_notebook.h"
#include "base/die.h"
#include "base/random_hex.h"

#include <stdlib.h>

enum { ID_DIGITS = 8 };

static void
set_kernelspec(json_t *metadata, struct server_files *f)
{
	json_t *all = lab_call(f->lab, "GET", "api/kernelspecs", NULL, NULL);
	json_t *entry = json_object_get(json_object_get(all, "kernelspecs"), f->kernel);
	json_t *spec = json_object_get(entry, "spec");
	json_t *name = json_object_get(spec, "display_name");
	json_t *language = json_object_get(spec, "language");
	if (name && language)
		json_object_set_new(metadata, "kernelspec", json_pack("{s:O, s:O, s:s}",
		    "display_name", name, "language", language, "name", f->kernel));
	json_decref(all);
}

static json_t *
new_cell(const json_t *notebook, const json_t *source)
{
	char id[ID_DIGITS + 1];
	json_t *cell = json_pack("{s:s, s:n, s:{}, s:[], s:O?}", "cell_type", "code",
	    "execution_count", "metadata", "outputs", "source", source);
	xrandom_hex(id, ID_DIGITS);
	if (json_integer_value(json_object_get(notebook, "nbformat_minor")) >= 5)
		json_object_set_new(cell, "id", json_string(id));
	return cell;
}

/* What %load or %recall puts into the cell or behind it. */
static void
set_next_input(json_t *notebook, size_t position, const struct kernel_cell_result *result)
{
	json_t *cells = json_object_get(notebook, "cells");
	json_t *text = json_object_get(result->next_input, "text");
	if (json_is_true(json_object_get(result->next_input, "replace")))
		json_object_set(json_array_get(cells, position), "source", text);
	else if (text)
		json_array_insert_new(cells, position + 1, new_cell(notebook, text));
}

/* From the last cell to the first, so that positions stay valid. */
json_t *
executed_notebook(const struct kernel_cells *r)
{
	const struct notebook *nb = r->notebook;
	json_t *copy = json_deep_copy(nb->json);
	json_t *metadata = json_object_get(copy, "metadata");
	json_t *language = json_object_get(r->client.info, "language_info");
	if (!copy)
		die(ST_SYSTEM, "out of memory");
	if (!metadata)
		json_object_set_new(copy, "metadata", metadata = json_object());
	set_kernelspec(metadata, r->client.files);
	if (language)
		json_object_set(metadata, "language_info", language);
	for (size_t i = nb->n; i-- > 0; ) {
		const struct kernel_cell_result *result = &r->results[i];
		size_t position = nb->cells[i].position;
		json_t *cell = json_array_get(json_object_get(copy, "cells"), position);
		if (!result->execution_count)
			continue;
		json_object_set(cell, "execution_count", result->execution_count);
		json_object_set_new(cell, "outputs", cell_outputs_list(&result->outputs));
		if (result->next_input)
			set_next_input(copy, position, result);
	}
	return copy;
}
