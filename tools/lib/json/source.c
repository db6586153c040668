/* source.c: where the values of a JSON or YAML file stand, for messages.
 * jansson tells no positions, so a text that it has accepted is walked beside
 * the tree; yaml.c notes them while it builds.
 */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

bool
is_identifier(const char *s, size_t n)
{
	if (n == 0 || (*s >= '0' && *s <= '9'))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!(s[i] == '_' || (s[i] >= '0' && s[i] <= '9') ||
		    (s[i] >= 'A' && s[i] <= 'Z') || (s[i] >= 'a' && s[i] <= 'z')))
			return false;
	return true;
}

bool
has_nul(const json_t *v)
{
	size_t i;
	const char *key;
	json_t *item;
	if (json_is_string(v))
		return strlen(json_string_value(v)) != json_string_length(v);
	json_array_foreach(v, i, item)
		if (has_nul(item))
			return true;
	json_object_foreach((json_t *)(uintptr_t)v, key, item)
		if (has_nul(item))
			return true;
	return false;
}

void
add_mark(struct source *s, const json_t *in, size_t member, size_t line, size_t column)
{
	if ((s->n_marks & (s->n_marks - 1)) == 0)
		s->marks = xrealloc(s->marks, (s->n_marks ? 2 * s->n_marks : 1) * sizeof *s->marks);
	s->marks[s->n_marks++] = (struct mark){in, member, line, column};
}

void
die_at_byte(const struct source *s, size_t offset, const char *reason)
{
	size_t line = 1, column = 1;
	for (size_t i = 0; i < offset && i < s->n; i++) {
		if (s->text[i] == '\n')
			line++, column = 1;
		else if (((unsigned char)s->text[i] & 0xc0) != 0x80)
			column++;
	}
	die(ST_INPUT, "%s:%zu:%zu: %s", s->name, line, column, reason);
}

/* ---- the walk beside the tree ---- */

struct cursor {
	const char *p;
	size_t line, column;
};

static void
step(struct cursor *c)
{
	if (*c->p == '\n')
		c->line++, c->column = 1;
	else if (((unsigned char)*c->p & 0xc0) != 0x80)
		c->column++;
	c->p++;
}

static void
skip(struct cursor *c, const char *set)
{
	while (*c->p && strchr(set, *c->p))
		step(c);
}

static void
skip_string(struct cursor *c)
{
	step(c);
	while (*c->p != '"') {
		if (*c->p == '\\')
			step(c);
		step(c);
	}
	step(c);
}

static void
walk(struct source *s, struct cursor *c, const json_t *v)
{
	bool object = json_is_object(v);
	if (object || json_is_array(v)) {
		size_t n = object ? json_object_size(v) : json_array_size(v);
		void *it = object ? json_object_iter((json_t *)(uintptr_t)v) : NULL;
		step(c);
		for (size_t i = 0; i < n; i++) {
			skip(c, ", \t\r\n");
			add_mark(s, v, i, c->line, c->column);
			if (object) {
				skip_string(c);
				skip(c, ": \t\r\n");
			}
			walk(s, c, object ? json_object_iter_value(it) : json_array_get(v, i));
			if (object)
				it = json_object_iter_next((json_t *)(uintptr_t)v, it);
		}
		skip(c, " \t\r\n");
		step(c);
	} else if (*c->p == '"') {
		skip_string(c);
	} else {
		while (*c->p && !strchr(",]} \t\r\n", *c->p))
			step(c);
	}
}

void
die_at(const struct source *s, const json_t *in, size_t member, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text;
	if (vasprintf(&text, fmt, ap) < 0)
		die(ST_SYSTEM, "out of memory");
	va_end(ap);
	struct source found = *s;
	if (!found.n_marks && found.root) {
		struct cursor c = {found.text, 1, 1};
		skip(&c, " \t\r\n");
		walk(&found, &c, found.root);
	}
	size_t i = 0;
	while (i < found.n_marks && (found.marks[i].in != in || found.marks[i].member != member))
		i++;
	if (i == found.n_marks)
		die(ST_INPUT, "%s:1:1: %s", s->name, text);
	die(ST_INPUT, "%s:%zu:%zu: %s", s->name, found.marks[i].line, found.marks[i].column, text);
}
