/* source.c: the positions of values in a JSON or YAML file, for messages.
 * jansson reports none, so once a message is due the text is walked in parallel with the tree;
 * yaml.c notes positions while it builds the tree.
 */
#include "json/source.h"
#include "base/die.h"
#include "base/file.h"
#include "json/json_parse.h"

#include <errno.h>
#include <stdio.h>

void
xsource_read(struct source *s, const char *path, size_t limit)
{
	s->text = file_read(path, limit, &s->n);
	if (!s->text && errno == EFBIG)
		die(ST_INPUT, "%s:1:1: longer than %zu bytes", s->name, limit);
	if (!s->text)
		die(ST_SYSTEM, "cannot open '%s':", path);
	size_t mark = json_parse_mark(s->text, s->n);
	memmove(s->text, s->text + mark, (s->n -= mark) + 1);
}

bool
source_has_nul(json_t *v)
{
	size_t i;
	const char *key;
	json_t *item;
	if (json_is_string(v))
		return strlen(json_string_value(v)) != json_string_length(v);
	json_array_foreach(v, i, item)
		if (source_has_nul(item))
			return true;
	json_object_foreach(v, key, item)
		if (source_has_nul(item))
			return true;
	return false;
}

void
source_add_mark(struct source *s, const json_t *in, size_t member, size_t line, size_t column)
{
	*XAPPEND(s->marks, s->n_marks) = (struct source_mark){in, member, line, column};
}

/* ---- the walk in parallel with the tree ---- */

struct cursor {
	const char *p;
	size_t line, column;
};

static void
step_cursor(struct cursor *c)
{
	if (*c->p == '\n')
		c->line++, c->column = 1;
	else if (((unsigned char)*c->p & 0xc0) != 0x80)
		c->column++;
	c->p++;
}

static void
skip_bytes(struct cursor *c, const char *set)
{
	while (*c->p && strchr(set, *c->p))
		step_cursor(c);
}

static void
skip_string(struct cursor *c)
{
	step_cursor(c);
	while (*c->p != '"') {
		if (*c->p == '\\')
			step_cursor(c);
		step_cursor(c);
	}
	step_cursor(c);
}

/* Notes the positions in the value at the cursor, and moves past it. */
static void
mark_members(struct source *s, struct cursor *c, json_t *v)
{
	void *it = json_object_iter(v);
	size_t n = json_is_object(v) ? json_object_size(v) : json_array_size(v);
	if (json_is_object(v) || json_is_array(v)) {
		step_cursor(c);
		for (size_t i = 0; i < n; i++) {
			skip_bytes(c, ", \t\r\n");
			source_add_mark(s, v, i, c->line, c->column);
			if (it) {
				skip_string(c);
				skip_bytes(c, ": \t\r\n");
			}
			mark_members(s, c, it ? json_object_iter_value(it) : json_array_get(v, i));
			it = it ? json_object_iter_next(v, it) : NULL;
		}
		skip_bytes(c, " \t\r\n");
		step_cursor(c);
	} else if (*c->p == '"') {
		skip_string(c);
	} else {
		while (*c->p && !strchr(",]} \t\r\n", *c->p))
			step_cursor(c);
	}
}

/* ---- messages ---- */

void
source_vdie(const struct source *s, size_t line, size_t column, const char *fmt, va_list ap)
{
	char *text = xvasprintf(fmt, ap);
	die(ST_INPUT, "%s:%zu:%zu: %s", s->name, line, column, text);
}

void
source_die_at(const struct source *s, const json_t *in, size_t member, const char *fmt, ...)
{
	struct source found = *s;
	struct cursor c = {found.text, 1, 1};
	if (!found.n_marks && found.root) {
		skip_bytes(&c, " \t\r\n");
		mark_members(&found, &c, found.root);
	}
	struct source_mark at = {.line = 1, .column = 1};
	for (size_t i = 0; i < found.n_marks && !at.in; i++)
		if (found.marks[i].in == in && found.marks[i].member == member)
			at = found.marks[i];
	va_list ap;
	va_start(ap, fmt);
	source_vdie(s, at.line, at.column, fmt, ap);
}

void
source_die_at_byte(const struct source *s, size_t offset, const char *reason)
{
	struct cursor c = {s->text, 1, 1};
	while (c.p < s->text + offset && c.p < s->text + s->n)
		step_cursor(&c);
	die(ST_INPUT, "%s:%zu:%zu: %s", s->name, c.line, c.column, reason);
}
