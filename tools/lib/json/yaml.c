/* yaml.c: one YAML document to a JSON value, by the 1.2 core schema: `no` is a string and 012 is
 * twelve.  The merge key << of YAML 1.1 is supported, since many files use it.  What JSON cannot
 * represent (NaN, dates, keys that are not strings) is refused by name.  An alias is charged with
 * the size of its anchor's value, so an alias bomb fails before it costs memory.
 */
#include "json/yaml.h"
#include "base/die.h"

#include <errno.h>
#include <yaml.h>

enum { MAX_ANCHORS = 10000 };	/* they are searched linearly */

struct anchor {
	char *name;
	json_t *value;	/* NULL while it is being built */
	size_t size;
};
struct yaml_reader {
	struct source *source;
	yaml_parser_t parser;
	yaml_event_t event;
	yaml_mark_t at;	/* what messages refer to: the event, if nothing else is set */
	struct anchor *anchors;
	size_t n_anchors, size, depth;
};

static json_t *build_value(struct yaml_reader *);

_Noreturn static void
die_in_yaml(const struct yaml_reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	source_vdie(r->source, r->at.line + 1, r->at.column + 1, fmt, ap);
}

static void
next_event(struct yaml_reader *r)
{
	yaml_parser_t *p = &r->parser;
	yaml_event_delete(&r->event);
	if (yaml_parser_parse(p, &r->event)) {
		r->at = r->event.start_mark;
		return;
	}
	if (p->error == YAML_MEMORY_ERROR)
		die(ST_SYSTEM, "out of memory");
	if (p->error == YAML_READER_ERROR)
		source_die_at_byte(r->source, p->problem_offset, p->problem);
	r->at = p->problem_mark;
	die_in_yaml(r, "%s%s%s", p->context ? p->context : "", p->context ? ": " : "", p->problem);
}

/* What has been built, aliases expanded, has the same limit as the file itself. */
static void
add_size(struct yaml_reader *r, size_t more)
{
	r->size += more;
	if (r->size > MAX_SOURCE_BYTES)
		die_in_yaml(r, "more than %d bytes with its aliases expanded", MAX_SOURCE_BYTES);
}

/* ---- scalars ---- */

/* An integer, or NULL. */
static json_t *
integer_value(struct yaml_reader *r, const char *s)
{
	static const struct { const char *prefix, *digits; int base; } forms[] = {
		{"0o", "01234567", 8}, {"0x", "0123456789abcdefABCDEF", 16}, {"", "0123456789", 10},
		{"-", "0123456789", 10}, {"+", "0123456789", 10},
	};
	for (size_t i = 0; i < COUNT(forms); i++) {
		const char *digits = s + strlen(forms[i].prefix);
		if (strncmp(s, forms[i].prefix, (size_t)(digits - s)) != 0 || !*digits ||
		    digits[strspn(digits, forms[i].digits)])
			continue;
		errno = 0;
		long long v = strtoll(forms[i].base == 10 ? s : digits, NULL, forms[i].base);
		if (errno)
			die_in_yaml(r, "the integer %.40s does not fit 64 bits", s);
		return json_integer(v);
	}
	return NULL;
}

static json_t *
real_value(struct yaml_reader *r, const char *s)
{
	char *end;
	double v = strtod(s, &end);
	if (s[strspn(s, "+-.0123456789eE")] || end == s || *end)
		return NULL;
	if (!isfinite(v))
		die_in_yaml(r, "the number %.40s is too large", s);
	return json_real(v);
}

/* A plain scalar, or NULL where the core schema reads a string. */
static json_t *
core_value(struct yaml_reader *r, const char *s)
{
	static const struct { const char *word; json_t *(*make)(void); } words[] = {
		{"", json_null}, {"~", json_null}, {"null", json_null}, {"Null", json_null},
		{"NULL", json_null}, {"true", json_true}, {"True", json_true}, {"TRUE", json_true},
		{"false", json_false}, {"False", json_false}, {"FALSE", json_false},
		{".nan", NULL}, {".NaN", NULL}, {".NAN", NULL}, {".inf", NULL}, {".Inf", NULL},
		{".INF", NULL}, {"-.inf", NULL}, {"-.Inf", NULL}, {"-.INF", NULL}, {"+.inf", NULL},
		{"+.Inf", NULL}, {"+.INF", NULL},
	};
	for (size_t i = 0; i < COUNT(words); i++) {
		if (strcmp(s, words[i].word) != 0)
			continue;
		if (!words[i].make)
			die_in_yaml(r, "%s cannot be written in JSON", s);
		return words[i].make();
	}
	json_t *v = integer_value(r, s);
	return v ? v : real_value(r, s);
}

/* The part after the colon of one of YAML's own tags; NULL if there is no tag. */
static const char *
core_tag(struct yaml_reader *r, const yaml_char_t *tag)
{
	static const char prefix[] = "tag:yaml.org,2002:";
	const char *t = (const char *)tag;
	if (!t)
		return NULL;
	if (strcmp(t, "!") == 0)
		return "";
	if (strncmp(t, prefix, strlen(prefix)) != 0)
		die_in_yaml(r, "unknown tag %.80s", t);
	return t + strlen(prefix);
}

static json_t *
string_value(struct yaml_reader *r)
{
	const char *s = (const char *)r->event.data.scalar.value;
	size_t n = r->event.data.scalar.length;
	if (strlen(s) != n)
		die_in_yaml(r, "a string contains a NUL");
	json_t *v = json_stringn(s, n);
	if (!v)
		die_in_yaml(r, "a string is not UTF-8");
	return v;
}

static json_t *
scalar_value(struct yaml_reader *r)
{
	static const char *const tags[] = {
		[JSON_NULL] = "null", [JSON_TRUE] = "bool", [JSON_FALSE] = "bool",
		[JSON_INTEGER] = "int", [JSON_REAL] = "float",
	};
	const char *s = (const char *)r->event.data.scalar.value;
	const char *tag = core_tag(r, r->event.data.scalar.tag);
	bool plain = r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	add_size(r, 1 + r->event.data.scalar.length);
	if (tag ? !*tag || strcmp(tag, "str") == 0 : !plain)
		return string_value(r);
	json_t *v = core_value(r, s);
	if (!tag)
		return v ? v : string_value(r);
	if (json_is_integer(v) && strcmp(tag, "float") == 0) {
		json_int_t whole = json_integer_value(v);
		json_decref(v);
		v = json_real((double)whole);
	}
	if (!v || strcmp(tag, tags[json_typeof(v)]) != 0)
		die_in_yaml(r, "'%.40s' is not a valid !!%.40s", s, tag);
	return v;
}

/* ---- collections ---- */

/* Notes the position of a container's member: of its key, or of the value itself. */
static void
mark_member(const struct yaml_reader *r, const json_t *in, size_t member)
{
	source_add_mark(r->source, in, member, r->at.line + 1, r->at.column + 1);
}

static json_t *
sequence_value(struct yaml_reader *r)
{
	json_t *list = json_array();
	for (next_event(r); r->event.type != YAML_SEQUENCE_END_EVENT; next_event(r)) {
		mark_member(r, list, json_array_size(list));
		json_array_append_new(list, build_value(r));
	}
	return list;
}

/* Adds the members of `from` that `into` does not have yet.  A mapping's own members override
 * merged ones, before or after them. */
static void
merge_mapping(struct yaml_reader *r, json_t *into, json_t *from)
{
	const char *key;
	json_t *item;
	if (!json_is_object(from))
		die_in_yaml(r, "<< can merge mappings only");
	json_object_foreach(from, key, item) {
		if (json_object_get(into, key))
			continue;
		add_size(r, 1 + strlen(key));
		mark_member(r, into, json_object_size(into));
		json_object_set(into, key, item);
	}
}

static void
merge_mappings(struct yaml_reader *r, json_t *into, json_t *from)
{
	size_t i;
	json_t *item;
	json_array_foreach(from, i, item)
		merge_mapping(r, into, item);
	if (!json_is_array(from))
		merge_mapping(r, into, from);
	json_decref(from);
}

static bool
is_merge_key(const yaml_event_t *e)
{
	return e->type == YAML_SCALAR_EVENT && e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	    !e->data.scalar.tag && strcmp((const char *)e->data.scalar.value, "<<") == 0;
}

static json_t *
mapping_value(struct yaml_reader *r)
{
	json_t *map = json_object(), *own = json_object();
	for (next_event(r); r->event.type != YAML_MAPPING_END_EVENT; next_event(r)) {
		yaml_mark_t at = r->event.start_mark;
		bool merges = is_merge_key(&r->event);
		json_t *k = build_value(r);
		const char *key = json_string_value(k);
		r->at = at;
		if (!key)
			die_in_yaml(r, "a key must be a string: put it in quotes");
		if (json_object_get(own, key))
			die_in_yaml(r, "duplicate key '%.80s'", key);
		json_object_set_new(own, key, json_null());
		next_event(r);
		json_t *v = build_value(r);
		r->at = at;
		if (merges) {
			merge_mappings(r, map, v);
		} else {
			if (!json_object_get(map, key))
				mark_member(r, map, json_object_size(map));
			json_object_set_new(map, key, v);
		}
		json_decref(k);
	}
	json_decref(own);
	return map;
}

static json_t *
alias_value(struct yaml_reader *r)
{
	const char *name = (const char *)r->event.data.alias.anchor;
	size_t i = r->n_anchors;
	while (i > 0 && strcmp(r->anchors[i - 1].name, name) != 0)
		i--;
	if (i == 0)
		die_in_yaml(r, "the alias *%.80s has no anchor before it", name);
	struct anchor *a = &r->anchors[i - 1];
	if (!a->value)
		die_in_yaml(r, "the alias *%.80s is part of its own value", name);
	add_size(r, a->size);
	return json_incref(a->value);
}

static json_t *
collection_value(struct yaml_reader *r, bool list)
{
	const yaml_event_t *e = &r->event;
	const char *tag = core_tag(r,
	    list ? e->data.sequence_start.tag : e->data.mapping_start.tag);
	if (tag && *tag && strcmp(tag, list ? "seq" : "map") != 0)
		die_in_yaml(r, "unknown tag !!%.40s for a %s", tag, list ? "list" : "mapping");
	if (++r->depth > MAX_SOURCE_DEPTH)
		die_in_yaml(r, "nested deeper than %d", MAX_SOURCE_DEPTH);
	add_size(r, 1);
	json_t *v = list ? sequence_value(r) : mapping_value(r);
	r->depth--;
	return v;
}

/* The value that begins with the current event. */
static json_t *
build_value(struct yaml_reader *r)
{
	const yaml_event_t *e = &r->event;
	bool scalar = e->type == YAML_SCALAR_EVENT, list = e->type == YAML_SEQUENCE_START_EVENT;
	if (e->type == YAML_ALIAS_EVENT)
		return alias_value(r);
	const yaml_char_t *anchor = scalar ? e->data.scalar.anchor :
	    list ? e->data.sequence_start.anchor : e->data.mapping_start.anchor;
	bool anchored = anchor != NULL;
	size_t slot = r->n_anchors, before = r->size;
	if (slot == MAX_ANCHORS && anchored)
		die_in_yaml(r, "more than %d anchors", MAX_ANCHORS);
	if (anchored) {
		r->anchors = xrealloc(r->anchors, (slot + 1) * sizeof *r->anchors);
		r->anchors[r->n_anchors++] = (struct anchor){.name = xstrdup((const char *)anchor)};
	}
	json_t *v = scalar ? scalar_value(r) : collection_value(r, list);
	if (anchored) {
		r->anchors[slot].value = json_incref(v);	/* keys are freed */
		r->anchors[slot].size = r->size - before;
	}
	return v;
}

void
xyaml_load(struct source *s)
{
	struct yaml_reader r = {.source = s};
	if (!yaml_parser_initialize(&r.parser))
		die(ST_SYSTEM, "out of memory");
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)s->text, s->n);
	next_event(&r);	/* the stream's start */
	next_event(&r);
	if (r.event.type == YAML_STREAM_END_EVENT)
		die(ST_INPUT, "%s:1:1: empty file (write {} for an empty object)", s->name);
	next_event(&r);
	s->root = build_value(&r);
	next_event(&r);	/* the document's end */
	next_event(&r);
	if (r.event.type != YAML_STREAM_END_EVENT)
		die_in_yaml(&r, "a second document begins here: only one is supported");
	yaml_event_delete(&r.event);
	yaml_parser_delete(&r.parser);
	for (size_t i = 0; i < r.n_anchors; i++) {
		free(r.anchors[i].name);
		json_decref(r.anchors[i].value);
	}
	free(r.anchors);
}
