/* cell_files.c: the files under whose names the kernel compiles the code of cells.
 * IPython derives them from the source; a magic such as %%capture runs the rest of its cell as
 * another source, and %%time under a name that is the same for all cells. */
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
	bool timed;	/* %%time compiles it, too */
} *files;
static size_t n_files;
static char *folder;	/* of the notebook, with a slash at its end */

/* Adds a cell's source, and what follows each of its magics, as IPython compiles them. */
static void
add_sources(json_t *sources, const struct notebook_cell *c)
{
	const char *text = c->source, *line = NULL, *body = text;
	long left_out = (long)c->first_line - 1;
	while (body) {
		for (; text < body; text++)
			left_out += *text == '\n';
		bool ends = line == NULL || (*text && text[strlen(text) - 1] == '\n');
		*XAPPEND(files, n_files) = (struct cell_file){NULL, c->script ?
			xstrdup(c->script) : xasprintf("<cell %zu>", c->index), c->index, left_out,
			line && strncmp(line, "%%time", strcspn(line, " \t\n")) == 0};
		json_array_append_new(sources, json_sprintf(ends ? "%s" : "%s\n", text));
		line = text + strspn(text, " \t\n");
		body = strncmp(line, "%%", 2) == 0 ? strchr(line, '\n') : NULL;
		body += body != NULL;
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
		add_sources(sources, &nb->cells[i]);
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
	for (size_t i = 0; i < n_files; i++) {
		const json_t *found = json_array_get(json_array_get(answer, 1), i);
		const char *name = json_string_value(json_array_get(found, 0));
		files[i].name = name && *name ? xstrdup(name) : NULL;
		files[i].left_out += (long)json_integer_value(json_array_get(found, 1));
	}
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
	bool timed = strncmp(file, "<timed ", strlen("<timed ")) == 0;
	for (size_t i = 0; i < n_files; i++) {
		const struct cell_file *f = &files[i];
		bool is_current = f->index == current;
		if (timed ? f->timed && is_current : f->name && strlen(f->name) == n &&
		    memcmp(f->name, file, n) == 0 && (!found || is_current))
			found = f;
	}
	*left_out = found ? found->left_out : 0;
	return found ? found->shown : NULL;
}
