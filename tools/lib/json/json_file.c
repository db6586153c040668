/* json_file.c: a file of settings, JSON or YAML by its name and content. */
#include "json/json_file.h"
#include "json/yaml.h"
#include "base/die.h"
#include "json/json_parse.h"

static void
check_strings(const struct source *s)
{
	size_t i = 0;
	const char *key;
	json_t *v;
	json_object_foreach(s->root, key, v) {
		if (source_has_nul(v))
			source_die_at(s, s->root, i, "a string in '%.80s' contains a NUL", key);
		i++;
	}
}

void
xjson_file_load(struct source *s, const char *path)
{
	const char *dot = strrchr(path, '.'), *ending = dot ? dot : "";
	*s = (struct source){.name = strcmp(path, "-") == 0 ? "stdin" : path};
	xsource_read(s, path, MAX_SOURCE_BYTES);
	if (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0) {
		xyaml_load(s);
		return;
	}
	char *error = NULL, first = s->text[strspn(s->text, " \t\r\n")];
	s->root = json_parse_text(s->text, s->n, s->name, &error);
	/* YAML in flow style may begin like JSON, so only the name .json or a brace means JSON. */
	if (!s->root && (!first || (strcmp(ending, ".json") != 0 && first != '{')))
		xyaml_load(s);
	else if (!s->root)
		die(ST_INPUT, "%s", error);
	free(error);
	check_strings(s);
}
