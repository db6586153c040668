/* cell_files.c: the files under whose names the kernel compiles the code of cells.
 * IPython derives them from the source. */
#include "cell_files.h"
#include "base/die.h"
#include "driver.h"
#include "kernel/python_literal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_MS = 60000 };

static struct cell_file {
	char *name;
	char *shown;	/* "<cell 2>", or the script that the cell is a part of */
	size_t index;
	long left_out;
} *files;
static size_t n_files;
static char folder[PATH_MAX];	/* of the notebook, with a slash at its end */

/* IPython removes empty lines before a cell's first line. */
static long
empty_lines(const char *source)
{
	long n = 0;
	for (const char *line = source, *end; *(end = line + strcspn(line, "\n")); line = end + 1) {
		if (line + strspn(line, " \t\r") < end)
			return n;
		n++;
	}
	return n;
}

static void
add_files(const json_t *names, const struct notebook *nb)
{
	files = xmalloc((nb->n + 1) * sizeof *files);
	for (size_t i = 0; i < nb->n; i++) {
		const char *name = json_string_value(json_array_get(names, i));
		const struct notebook_cell *c = &nb->cells[i];
		if (name && *name)
			files[n_files++] = (struct cell_file){xstrdup(name), c->script ?
				xstrdup(c->script) : xasprintf("<cell %zu>", c->index), c->index,
				empty_lines(c->source) + (long)c->first_line - 1};
	}
}

static void
find_folder(pid_t kernel)
{
	char path[40];
	snprintf(path, sizeof path, "/proc/%ld/cwd", (long)kernel);
	ssize_t n = readlink(path, folder, sizeof folder - 2);
	snprintf(folder + (n > 0 ? n : 0), 2, n > 0 ? "/" : "");
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

void
cell_files_open(const struct notebook *nb, pid_t kernel)
{
	json_t *sources = json_array();
	char *why = NULL;
	for (size_t i = 0; i < nb->n; i++)
		json_array_append_new(sources, json_string(nb->cells[i].source));
	char *literal = python_literal_value(sources);
	char *expression = xasprintf("(lambda m, f: type('Names', (), {'_repr_mimebundle_': "
	    "lambda self, include=None, exclude=None: {'" DRIVER_MIME "': "
	    "m('json').dumps([f(s, s, 0) for s in m('json').loads(%s)]), 'text/plain': ''}})())"
	    "(__import__, __import__('IPython').get_ipython().compile.get_code_name)", literal);
	json_t *data = driver_evaluate(expression, NAMES_MS, &why);
	find_folder(kernel);
	json_t *names = data ? json_loads(json_string_value(data), 0, NULL) : NULL;
	add_files(names, nb);
	if (why)
		warn("the names of cells in stacks are unknown: %s", why);
	json_decref(names);
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
