/* cell_files.c: the files under whose names the kernel compiles the code of cells.
 * IPython derives them from the source. */
#include "cell_files.h"
#include "base/die.h"
#include "hook/hook_driver.h"
#include "kernel/python_literal.h"

enum { NAMES_MS = 60000 };

static struct cell_file {
	char *name;
	char *shown;	/* "<cell 2>", or the script that the cell is a part of */
	size_t index;
	long left_out;
} *files;
static size_t n_files;
static char *folder;	/* of the notebook, with a slash at its end */

static void
add_files(const json_t *cells, const struct notebook *nb)
{
	files = xmalloc((nb->n + 1) * sizeof *files);
	for (size_t i = 0; i < nb->n; i++) {
		const json_t *cell = json_array_get(cells, i);
		const char *name = json_string_value(json_array_get(cell, 0));
		const struct notebook_cell *c = &nb->cells[i];
		json_int_t empty = json_integer_value(json_array_get(cell, 1));
		if (name && *name)
			files[n_files++] = (struct cell_file){xstrdup(name), c->script ?
				xstrdup(c->script) : xasprintf("<cell %zu>", c->index), c->index,
				(long)empty + (long)c->first_line - 1};
	}
}

const char *
cell_files_name(const char *file)
{
	size_t n = strlen(folder);
	bool in_it = n && strncmp(file, folder, n) == 0;
	bool installed = strstr(file, "/site-packages/") || strstr(file, "/dist-packages/") ||
	    strstr(file, "/lib/python");
	return in_it && !installed ? file + n : file;
}

/* IPython removes empty lines before a cell's first line. */
void
cell_files_open(const struct notebook *nb)
{
	json_t *sources = json_array(), *answer = NULL;
	char *why = NULL;
	for (size_t i = 0; i < nb->n; i++)
		json_array_append_new(sources, json_string(nb->cells[i].source));
	char *literal = python_literal_value(sources);
	char *expression = xasprintf("(lambda m, f: type('Names', (), {'_repr_mimebundle_': "
	    "lambda self, include=None, exclude=None: {'" HOOK_MIME "': "
	    "m('json').dumps([m('os').path.join(m('os').getcwd(), ''), [[f(s, s, 0), "
	    "next((n for n, l in enumerate(s.split('\\n')) if l.strip()), 0)] "
	    "for s in m('json').loads(%s)]]), 'text/plain': ''}})())"
	    "(__import__, __import__('IPython').get_ipython().compile.get_code_name)", literal);
	json_t *data = hook_driver_evaluate(expression, NAMES_MS, &why);
	if (data)
		answer = json_loads(json_string_value(data), 0, NULL);
	const char *where = json_string_value(json_array_get(answer, 0));
	folder = xstrdup(where ? where : "");
	add_files(json_array_get(answer, 1), nb);
	if (why)
		warn("the names of cells in stacks are unknown: %s", why);
	json_decref(answer);
	json_decref(data);
	json_decref(sources);
	free(why);
	free(expression);
	free(literal);
}

const char *
cell_files_cell(const char *file, size_t n, size_t current, long *left_out)
{
	const struct cell_file *found = NULL;
	for (size_t i = 0; i < n_files; i++)
		if (strlen(files[i].name) == n && memcmp(files[i].name, file, n) == 0 &&
		    (!found || files[i].index == current))
			found = &files[i];
	*left_out = found ? found->left_out : 0;
	return found ? found->shown : NULL;
}
