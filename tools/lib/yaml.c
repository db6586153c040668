/* yaml.c: one YAML document to a JSON value, by the 1.2 core schema: `no` is a
 * string and 012 is twelve.  The merge key << of 1.1 is kept, since people
 * write it.  What JSON cannot carry (NaN, a date, keys that are no strings) is
 * refused by name, and an alias costs what it stands for, so a bomb is cheap.
 */
#include "generate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { ANCHORS = 10000 };	/* they are looked up one by one */

struct anchor {
	char *name;
	json_t *value;	/* NULL while it is being built */
	size_t weight;
};
struct reader {
	struct source *source;
	yaml_parser_t parser;
	yaml_event_t event;
	struct anchor *anchors;
	size_t n_anchors, weight, depth;
};

static json_t *build(struct reader *);

_Noreturn static void
fault(struct reader *r, yaml_mark_t at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text;
	if (vasprintf(&text, fmt, ap) < 0)
		die(ST_SYSTEM, "out of memory");
	va_end(ap);
	die(ST_INPUT, "%s:%zu:%zu: %s", r->source->name, at.line + 1, at.column + 1, text);
}

static void
next(struct reader *r)
{
	yaml_event_delete(&r->event);
	if (yaml_parser_parse(&r->parser, &r->event))
		return;
	yaml_parser_t *p = &r->parser;
	if (p->error == YAML_MEMORY_ERROR)
		die(ST_SYSTEM, "out of memory");
	if (p->error == YAML_READER_ERROR)
		die_at_byte(r->source, p->problem_offset, p->problem);
	fault(r, p->problem_mark, "%s%s%s", p->context ? p->context : "", p->context ? ": " : "", p->problem);
}

/* What is built so far, aliases expanded, is bounded as the file itself is. */
static void
weigh(struct reader *r, size_t more)
{
	r->weight += more;
	if (r->weight > SOURCE_LIMIT_BYTES)
		fault(r, r->event.start_mark, "more than %d bytes with its aliases expanded", SOURCE_LIMIT_BYTES);
}

/* ---- scalars ---- */

static bool
one_of(const char *s, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(s, *words) == 0)
			return true;
	return false;
}

static const char *
digits(const char *p)
{
	return p + strspn(p, "0123456789");
}

static bool
is_float(const char *s)
{
	const char *p = s + (*s == '-' || *s == '+'), *whole = digits(p), *end = whole;
	bool some = whole > p;
	if (*end == '.') {
		end = digits(end + 1);
		some |= end > whole + 1;
	}
	if (some && (*end == 'e' || *end == 'E')) {
		const char *e = end + 1 + (end[1] == '-' || end[1] == '+');
		end = digits(e);
		some = end > e;
	}
	return some && !*end;
}

/* The base of an integer, 0 if it is none. */
static int
int_base(const char *s)
{
	if (strncmp(s, "0o", 2) == 0 && s[2] && !s[2 + strspn(s + 2, "01234567")])
		return 8;
	if (strncmp(s, "0x", 2) == 0 && s[2] && !s[2 + strspn(s + 2, "0123456789abcdefABCDEF")])
		return 16;
	s += *s == '-' || *s == '+';
	return *s && !*digits(s) ? 10 : 0;
}

static json_t *
integer(struct reader *r, const char *s, int base)
{
	errno = 0;
	long long v = strtoll(base == 10 ? s : s + 2, NULL, base);
	if (errno)
		fault(r, r->event.start_mark, "the integer %.40s does not fit 64 bits", s);
	return json_integer(v);
}

/* A plain scalar, or NULL if the core schema reads a string there. */
static json_t *
resolve(struct reader *r, const char *s)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
	static const char *const trues[] = {"true", "True", "TRUE", NULL};
	static const char *const falses[] = {"false", "False", "FALSE", NULL};
	static const char *const infs[] = {".inf", ".Inf", ".INF", NULL};
	static const char *const nans[] = {".nan", ".NaN", ".NAN", NULL};
	if (one_of(s, nulls))
		return json_null();
	if (one_of(s, trues))
		return json_true();
	if (one_of(s, falses))
		return json_false();
	if (one_of(s, nans) || one_of(s + (*s == '-' || *s == '+'), infs))
		fault(r, r->event.start_mark, "%s is not a number that can be written in JSON", s);
	int base = int_base(s);
	if (base)
		return integer(r, s, base);
	if (!is_float(s))
		return NULL;
	double v = strtod(s, NULL);
	if (!isfinite(v))
		fault(r, r->event.start_mark, "the number %.40s is too large", s);
	return json_real(v);
}

/* The part of a tag of YAML's own after the colon; NULL if there is no tag. */
static const char *
core_tag(struct reader *r, const yaml_char_t *tag)
{
	static const char prefix[] = "tag:yaml.org,2002:";
	if (!tag)
		return NULL;
	const char *t = (const char *)tag;
	if (strcmp(t, "!") == 0)
		return "";
	if (strncmp(t, prefix, strlen(prefix)) != 0)
		fault(r, r->event.start_mark, "the tag %.80s is not known", t);
	return t + strlen(prefix);
}

/* Whether a value of this type is what the tag asks for. */
static bool
fits(const char *tag, const json_t *v)
{
	switch (json_typeof(v)) {
	case JSON_NULL: return strcmp(tag, "null") == 0;
	case JSON_TRUE:
	case JSON_FALSE: return strcmp(tag, "bool") == 0;
	case JSON_INTEGER: return strcmp(tag, "int") == 0 || strcmp(tag, "float") == 0;
	case JSON_REAL: return strcmp(tag, "float") == 0;
	default: return false;
	}
}

static json_t *
text_value(struct reader *r)
{
	const char *s = (const char *)r->event.data.scalar.value;
	size_t n = r->event.data.scalar.length;
	if (strlen(s) != n)
		fault(r, r->event.start_mark, "a string with a NUL in it");
	json_t *v = json_stringn(s, n);
	if (!v)
		fault(r, r->event.start_mark, "a string that is not UTF-8");
	return v;
}

static json_t *
scalar(struct reader *r)
{
	const char *s = (const char *)r->event.data.scalar.value;
	const char *tag = core_tag(r, r->event.data.scalar.tag);
	bool plain = r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	weigh(r, 1 + r->event.data.scalar.length);
	if (tag ? !*tag || strcmp(tag, "str") == 0 : !plain)
		return text_value(r);
	json_t *v = resolve(r, s);
	if (!tag)
		return v ? v : text_value(r);
	if (!v || !fits(tag, v))
		fault(r, r->event.start_mark, "'%.40s' cannot be a !!%.40s", s, tag);
	if (json_is_integer(v) && strcmp(tag, "float") == 0) {
		json_int_t whole = json_integer_value(v);
		json_decref(v);
		v = json_real((double)whole);
	}
	return v;
}

/* ---- collections ---- */

/* Notes where a container's member stands: its key, or the value itself. */
static void
note(struct reader *r, const json_t *in, size_t member, yaml_mark_t at)
{
	add_mark(r->source, in, member, at.line + 1, at.column + 1);
}

static json_t *
sequence(struct reader *r)
{
	json_t *list = json_array();
	for (next(r); r->event.type != YAML_SEQUENCE_END_EVENT; next(r)) {
		note(r, list, json_array_size(list), r->event.start_mark);
		json_array_append_new(list, build(r));
	}
	return list;
}

/* Members of `from` that `into` does not have yet.  What stands in the mapping
 * itself wins over what is merged, wherever it stands. */
static void
merge(struct reader *r, json_t *into, json_t *from, yaml_mark_t at)
{
	const char *key;
	json_t *item;
	size_t i;
	if (json_is_array(from)) {
		json_array_foreach(from, i, item) {
			if (!json_is_object(item))
				fault(r, at, "<< merges mappings only");
			merge(r, into, item, at);
		}
		return;
	}
	if (!json_is_object(from))
		fault(r, at, "<< merges mappings only");
	json_object_foreach(from, key, item) {
		if (json_object_get(into, key))
			continue;
		weigh(r, 1 + strlen(key));
		note(r, into, json_object_size(into), at);
		json_object_set(into, key, item);
	}
}

static json_t *
mapping(struct reader *r)
{
	json_t *map = json_object(), *own = json_object();
	for (next(r); r->event.type != YAML_MAPPING_END_EVENT; next(r)) {
		yaml_mark_t at = r->event.start_mark;
		bool plain = r->event.type == YAML_SCALAR_EVENT &&
		    r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !r->event.data.scalar.tag;
		json_t *k = build(r);
		const char *key = json_string_value(k);
		if (!key)
			fault(r, at, "a key that is not a string: put it in quotes");
		if (json_object_get(own, key))
			fault(r, at, "duplicate key '%.80s'", key);
		json_object_set_new(own, key, json_null());
		next(r);
		json_t *v = build(r);
		if (plain && strcmp(key, "<<") == 0) {
			merge(r, map, v, at);
			json_decref(v);
		} else {
			if (!json_object_get(map, key))
				note(r, map, json_object_size(map), at);
			json_object_set_new(map, key, v);
		}
		json_decref(k);
	}
	json_decref(own);
	return map;
}

static json_t *
alias(struct reader *r)
{
	const char *name = (const char *)r->event.data.alias.anchor;
	for (size_t i = r->n_anchors; i-- > 0;) {
		struct anchor *a = &r->anchors[i];
		if (strcmp(a->name, name) != 0)
			continue;
		if (!a->value)
			fault(r, r->event.start_mark, "the alias *%.80s stands within what it names", name);
		weigh(r, a->weight);
		return json_incref(a->value);
	}
	fault(r, r->event.start_mark, "the alias *%.80s has no anchor before it", name);
}

static json_t *
collection(struct reader *r, bool list)
{
	const char *tag = core_tag(r, list ? r->event.data.sequence_start.tag : r->event.data.mapping_start.tag);
	yaml_mark_t at = r->event.start_mark;
	if (tag && *tag && strcmp(tag, list ? "seq" : "map") != 0)
		fault(r, at, "the tag !!%.40s is not known for a %s", tag, list ? "list" : "mapping");
	if (++r->depth > SOURCE_LIMIT_DEPTH)
		fault(r, at, "nested deeper than %d", SOURCE_LIMIT_DEPTH);
	weigh(r, 1);
	json_t *v = list ? sequence(r) : mapping(r);
	r->depth--;
	return v;
}

/* The value that begins with the current event. */
static json_t *
build(struct reader *r)
{
	yaml_event_type_t type = r->event.type;
	if (type == YAML_ALIAS_EVENT)
		return alias(r);
	bool list = type == YAML_SEQUENCE_START_EVENT;
	const yaml_char_t *name = type == YAML_SCALAR_EVENT ? r->event.data.scalar.anchor :
	    list ? r->event.data.sequence_start.anchor : r->event.data.mapping_start.anchor;
	size_t slot = r->n_anchors, before = r->weight;
	if (name) {
		if (slot == ANCHORS)
			fault(r, r->event.start_mark, "more than %d anchors", ANCHORS);
		r->anchors = xrealloc(r->anchors, (slot + 1) * sizeof *r->anchors);
		r->anchors[slot] = (struct anchor){.name = xstrdup((const char *)name)};
		r->n_anchors++;
	}
	bool anchored = name != NULL;
	json_t *v = type == YAML_SCALAR_EVENT ? scalar(r) : collection(r, list);
	if (anchored) {
		r->anchors[slot].value = json_incref(v);	/* a key's is gone before its alias comes */
		r->anchors[slot].weight = r->weight - before;
	}
	return v;
}

void
xload_yaml(struct source *s)
{
	struct reader r = {.source = s};
	if (!yaml_parser_initialize(&r.parser))
		die(ST_SYSTEM, "out of memory");
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)s->text, s->n);
	next(&r);	/* the stream's start */
	next(&r);
	if (r.event.type == YAML_STREAM_END_EVENT)
		die(ST_INPUT, "%s:1:1: empty: a use case without parameters is written {}", s->name);
	next(&r);
	s->root = build(&r);
	next(&r);	/* the document's end */
	next(&r);
	if (r.event.type != YAML_STREAM_END_EVENT)
		fault(&r, r.event.start_mark, "a second document");
	yaml_event_delete(&r.event);
	yaml_parser_delete(&r.parser);
	for (size_t i = 0; i < r.n_anchors; i++) {
		free(r.anchors[i].name);
		json_decref(r.anchors[i].value);
	}
	free(r.anchors);
}
