/* scan.c: splits records into their members without building a tree.
 *
 * Where scan_reader.c finds something wrong or rare, jansson is asked: its result and its
 * message are used.
 */
#include "json/scan.h"
#include "base/die.h"
#include "json/json_parse.h"
#include "json/scan_reader.h"

#include <fcntl.h>
#include <unistd.h>

/* Whether the line is an object; `sure`: a record, and jansson need not be asked. */
static bool
split_line(struct scan *s, const char *line, size_t len, bool *sure)
{
	bool rare = false, good = scan_reader_object(s, line, &rare) == line + len;
	struct span type = good ? scan_get(s, "type") : (struct span){0};
	*sure = good && !rare && (s->lenient || (type.p && *type.p == '"'));
	return good;
}

bool
scan_record(struct scan *s, const char *line, size_t len)
{
	bool sure, good = split_line(s, line, len, &sure);
	json_error_t e;
	json_t *record = good && !sure ? json_parse_strict(line, len, &e) : NULL;
	bool typed = json_is_string(json_object_get(record, "type"));
	json_decref(record);
	return sure || typed;
}

void
xscan_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	bool sure, good = split_line(s, line, len, &sure);
	if (sure)
		return;
	json_decref(s->lenient ? xlines_parse_object(in, line, len) : xlines_parse(in, line, len));
	if (!good)
		die(ST_INPUT, "%s:%lu:1: cannot parse", in->name, in->number);
}

static void
xscan_file(const char *path, struct scan *s, scan_handler *handle)
{
	bool from_stdin = strcmp(path, "-") == 0;
	struct lines in = {.fd = from_stdin ? 0 : open(path, O_RDONLY | O_CLOEXEC),
	    .name = from_stdin ? "stdin" : path};
	if (in.fd < 0)
		die(ST_SYSTEM, "cannot open '%s':", path);
	size_t len;
	for (char *line; (line = xlines_next(&in, &len)); ) {
		xscan_record(s, &in, line, len);
		handle(s, &in, line, len);
	}
	if (!from_stdin)
		close(in.fd);
	buf_free(&in.buf);
}

void
xscan_files(char **list, scan_handler *handle)
{
	struct scan s = {0};
	if (!*list)
		xscan_file("-", &s, handle);
	for (; *list; list++)
		xscan_file(*list, &s, handle);
	free(s.m);
}

void
scan_members(struct scan *s, struct span object)
{
	bool rare;
	s->n = s->next = 0;
	if (object.p && *object.p == '{')
		scan_reader_object(s, object.p, &rare);
}

/* Compares the key without its escapes, if it has any. */
static bool
is_escaped_key(struct span key, const char *name)
{
	char *text = memchr(key.p, '\\', key.n) ?
	    span_string((struct span){key.p - 1, key.n + 2}) : NULL;
	bool is = text && strcmp(text, name) == 0;
	free(text);
	return is;
}

struct span
scan_get(struct scan *s, const char *key)
{
	size_t n = strlen(key);
	for (size_t tried = 0; tried < s->n; tried++) {
		if (s->next >= s->n)
			s->next = 0;
		const struct member *m = &s->m[s->next++];
		if (m->key.n == n && memcmp(m->key.p, key, n) == 0)
			return m->value;
	}
	for (size_t i = 0; s->escaped && i < s->n; i++)
		if (is_escaped_key(s->m[i].key, key))
			return s->m[i].value;
	return (struct span){0};
}

bool
scan_type_is(struct scan *s, const char *type)
{
	s->next = 0;
	return span_is_word(scan_get(s, "type"), type);
}

char *
scan_string(struct scan *s, const char *key)
{
	return span_string(scan_get(s, key));
}

json_t *
scan_json(const struct scan *s)
{
	json_t *object = json_object();
	for (size_t i = 0; i < s->n; i++) {
		char *key = xasprintf("%.*s", (int)s->m[i].key.n, s->m[i].key.p);
		json_object_set_new(object, key, span_json(s->m[i].value));
		free(key);
	}
	return object;
}
