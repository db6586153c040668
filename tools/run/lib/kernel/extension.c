/* extension.c: nbscope's IPython extension in the kernel of a run (share/ipython).
 * Notebooks that people wrote for another kernel have lines with its magics.  A silent request
 * before the first cell loads the extension if the kernel lacks one that the extension has. */
#include "kernel/extension.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/installation.h"
#include "base/str.h"
#include "json/json_value.h"
#include "kernel/python_literal.h"
#include "notebook/run_options.h"

#define MIME "application/vnd.nbscope.extension+json"
#define NAME "nbscope"
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

enum { LOAD_MS = 60000 };

EMBED_STATIC(load_py, "share/ipython/load.py");
extern const char load_py[];

/* The magics that lines of cells begin with, as "%%name" or "%name", each once. */
static json_t *
line_magics(const struct notebook *nb)
{
	json_t *words = json_object();
	for (size_t i = 0; i < nb->n; i++)
		for (const char *s = nb->cells[i].source; *s; s += strcspn(s, "\n")) {
			s += strspn(s, " \t\r\n");
			size_t signs = strspn(s, "%");
			size_t n = strspn(s + signs, NAME_CHARACTERS);
			if (!signs || !n)
				continue;
			char *word = xasprintf("%.*s", (int)(signs + n), s);
			json_object_set_new(words, word, json_true());
			free(word);
		}
	return words;
}

/* The options of Score-P in the tags of cells, by the id and by the source of the cell. */
static json_t *
scorep_tags(const struct notebook *nb)
{
	json_t *all = json_object();
	for (size_t i = 0; i < nb->n; i++) {
		json_t *tags = notebook_scorep_tags_in(nb->cells[i].tags);
		if (json_array_size(tags)) {
			json_object_set(all, nb->cells[i].id, tags);
			json_object_set(all, nb->cells[i].source, tags);
		}
		json_decref(tags);
	}
	return all;
}

static bool
is_named(const struct notebook *nb)
{
	for (size_t i = 0; i < nb->n; i++)
		if (strstr(nb->cells[i].source, NAME))
			return true;
	return false;
}

/* The folder that contains the extension; NULL: it is not installed.  The caller's. */
static char *
extension_folder(void)
{
	char *path = installation_file("share/ipython/" NAME);
	if (path)
		path[strlen(path) - strlen("/" NAME)] = '\0';
	return path;
}

static json_t *
load_in_kernel(const struct kernel_access *driver, json_t *words, bool named, json_t *tags)
{
	char *folder = extension_folder(), *why = NULL;
	json_t *value = json_pack("{s:o, s:O, s:b, s:o}", "folder", json_value_text(folder),
	    "words", words, "named", named, "tags", tags);
	char *source = python_literal(load_py), *arguments = python_literal_value(value);
	char *expression = xasprintf("(lambda d, a: (exec(compile(%s, '<nbscope load>', 'exec'), "
	    "d), d['load'](**a))[-1])({'__name__': '_nbscope_load'}, "
	    "__import__('json').loads(%s))", source, arguments);
	json_t *answer = driver->evaluate(expression, MIME, LOAD_MS, &why);
	if (!json_is_object(answer)) {
		json_decref(answer);
		answer = json_pack("{s:[], s:b, s:s}", "magics", "loaded", 0, "reason",
		    why ? why : "the kernel's answer cannot be read");
	}
	json_decref(value);
	free(folder);
	free(source);
	free(arguments);
	free(expression);
	free(why);
	return answer;
}

/* Null: no cell needs the extension. */
void
extension_load(const struct kernel_access *driver, const struct notebook *nb)
{
	json_t *words = line_magics(nb), *answer = NULL;
	bool named = is_named(nb), asked = named || json_object_size(words) > 0;
	if (run_options.no_extension)
		answer = json_pack("{s:[], s:b, s:s}", "magics", "loaded", 0, "reason",
		    "--no-extension");
	else if (asked && (!nb->language || strstr(nb->language, "python")))
		answer = load_in_kernel(driver, words, named, scorep_tags(nb));
	const char *reason = json_string_value(json_object_get(answer, "reason"));
	bool loaded = json_is_true(json_object_get(answer, "loaded"));
	if (reason && !run_options.no_extension && json_object_size(words) > 0)
		warn("the IPython extension is not loaded: %s", reason);
	if (!loaded && !reason) {
		json_decref(answer);
		answer = NULL;
	}
	run_options.extension = answer;
	json_decref(words);
}
