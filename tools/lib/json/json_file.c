/* load.c: a parameter file, JSON or YAML by its name and content. */
#include "generate.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void
xload_source(struct source *s, const char *path)
{
	*s = (struct source){.name = strcmp(path, "-") == 0 ? "stdin" : path};
	s->text = read_file(path, SOURCE_LIMIT_BYTES, &s->n);
	if (!s->text && errno == EFBIG)
		die(ST_INPUT, "%s:1:1: longer than %d bytes", s->name, SOURCE_LIMIT_BYTES);
	if (!s->text)
		die(ST_SYSTEM, "cannot open '%s':", path);
	if (s->n >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0)
		memmove(s->text, s->text + 3, (s->n -= 3) + 1);
	size_t blank = strspn(s->text, " \t\r\n");
	if (blank == s->n)
		die(ST_INPUT, "%s:1:1: empty: a use case without parameters is written {}", s->name);
	if (text_ends(path, ".yaml") || text_ends(path, ".yml")) {
		xload_yaml(s);
		return;
	}
	char *error = NULL;
	s->root = parse_json(s->text, s->n, s->name, &error);
	/* Flow YAML may begin like JSON, so only .json and braces say JSON. */
	if (!s->root && !text_ends(path, ".json") && s->text[blank] != '{')
		xload_yaml(s);
	else if (!s->root)
		die(ST_INPUT, "%s", error);
	free(error);
	size_t i = 0;
	const char *key;
	json_t *v;
	json_object_foreach(s->root, key, v) {
		if (has_nul(v))
			die_at(s, s->root, i, "'%.80s' has a string with a NUL in it", key);
		i++;
	}
}
