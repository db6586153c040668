/* params.c: what a parameter file says: a list of values a parameter, zipped
 * groups ("a, b": [[1, 2], ...]), ranges, include and exclude.  Every value's
 * text is made here, once, so that a combination is a few copies.
 */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

enum { PARAMS = 1000 };

/* ---- the texts of a row ---- */

/* Where combinations differ in their parameters, "-ab1" may be a = "b1" or
 * ab = 1. */
static bool
two_readings(const struct space *s, const char *param, const char *segment)
{
	const char *other;
	json_t *number;
	if (!s->mixed)
		return false;
	json_object_foreach(s->params, other, number)
		if (strcmp(other, param) != 0 && strncmp(segment, other, strlen(other)) == 0)
			return true;
	return false;
}

struct row
make_row(const struct space *s, json_t *values)
{
	struct row r = {.plain = true, .values = json_incref(values)};
	struct buf json = {0}, name = {0};
	const char *key;
	json_t *v;
	json_object_foreach(values, key, v) {
		buf_addf(&json, "%s\"%s\":", json.n ? "," : "", key);
		dump_json(&json, v);
		size_t at = name.n + 1;
		buf_addf(&name, "-%s", key);
		r.plain &= add_name_value(&name, v);
		r.plain &= !two_readings(s, key, name.p + at);
	}
	if (!json.p) {
		buf_add(&json, "", 0);
		buf_add(&name, "", 0);
	}
	r.json = json.p, r.json_n = json.n;
	r.name = name.p, r.name_n = name.n;
	return r;
}

/* ---- axes ---- */

static void
add_param(struct space *s, const char *name, const json_t *in, size_t member)
{
	if (!is_identifier(name, strlen(name)))
		die_at(s->source, in, member, "'%.80s' is not a parameter's name: letters, digits and _ only", name);
	if (json_object_get(s->params, name))
		die_at(s->source, in, member, "the parameter '%s' is named twice", name);
	if (s->n_params == PARAMS)
		die_at(s->source, in, member, "more than %d parameters", PARAMS);
	json_object_set_new(s->params, name, json_integer((json_int_t)s->n_params++));
}

/* "a, b" to a list of names. */
static json_t *
zipped_names(struct space *s, const char *key, const json_t *in, size_t member)
{
	json_t *names = json_array();
	for (const char *p = key;;) {
		p += strspn(p, " ");
		size_t n = strcspn(p, ", ");
		json_t *name = json_stringn(p, n);
		add_param(s, json_string_value(name), in, member);
		json_array_append_new(names, name);
		p += n;
		p += strspn(p, " ");
		if (!*p)
			return names;
		if (*p++ != ',')
			die_at(s->source, in, member, "names of a zipped group are separated by commas");
	}
}

static void
add_row(struct space *s, struct axis *a, json_t *names, const json_t *list, size_t i)
{
	json_t *v = json_array_get(list, i), *values = json_object();
	if (a->n_params == 1) {
		json_object_set(values, json_string_value(json_array_get(names, 0)), v);
	} else {
		if (!json_is_array(v) || json_array_size(v) != a->n_params)
			die_at(s->source, list, i, "one value of a zipped group is a list of %zu values", a->n_params);
		for (size_t k = 0; k < a->n_params; k++)
			json_object_set(values, json_string_value(json_array_get(names, k)), json_array_get(v, k));
	}
	struct row r = make_row(s, values);
	json_decref(values);
	if (json_object_get(a->index, r.json))
		die_at(s->source, list, i, "the value %.80s stands twice", json_text(v));
	json_object_set_new(a->index, r.json, json_integer((json_int_t)a->n_rows));
	a->rows[a->n_rows++] = r;
}

static void
fill_axis(struct space *s, struct axis *a, json_t *names, json_t *value, size_t member)
{
	const char *first = json_string_value(json_array_get(names, 0));
	json_t *list = json_incref(value);
	if (json_is_object(value) && a->n_params == 1)
		list = xexpand_range(s->source, value, first, s->source->root, member);
	else if (!json_is_array(value) && a->n_params == 1)
		list = json_pack("[O]", value);
	if (!json_is_array(list))
		die_at(s->source, s->source->root, member, "a zipped group wants a list of lists");
	size_t n = json_array_size(list);
	if (n == 0)
		die_at(s->source, s->source->root, member, "'%s' has no value", first);
	a->rows = xmalloc(n * sizeof *a->rows);
	a->index = json_object();
	for (size_t i = 0; i < n; i++)
		add_row(s, a, names, list, i);
	json_decref(list);
}

/* ---- include and exclude ---- */

static void
add_patterns(struct space *s, const char *word, bool exclude)
{
	json_t *list = json_object_get(s->source->root, word), *entry, *v;
	const char *key;
	size_t i, at = 0;
	if (!list)
		return;
	json_object_foreach(s->source->root, key, v) {
		if (v == list)
			break;
		at++;
	}
	if (!json_is_array(list))
		die_at(s->source, s->source->root, at, "%s is a list of objects", word);
	s->patterns = xrealloc(s->patterns, (s->n_patterns + json_array_size(list)) * sizeof *s->patterns);
	json_array_foreach(list, i, entry) {
		struct pattern p = {list, i, exclude, json_object(), json_object(), NULL};
		size_t k = 0;
		if (!json_is_object(entry) || json_object_size(entry) == 0)
			die_at(s->source, list, i, "an entry of %s is an object with one parameter or more", word);
		for (size_t j = 0; j < i && !exclude; j++)
			if (json_equal(json_array_get(list, j), entry))
				die_at(s->source, list, i, "this entry stands twice");
		json_object_foreach(entry, key, v) {
			json_t *number = json_object_get(s->params, key);
			bool matrix = number && (size_t)json_integer_value(number) < s->n_matrix;
			if (!matrix && exclude)
				die_at(s->source, entry, k, "exclude: there is no parameter '%.80s'", key);
			if (!number)
				add_param(s, key, entry, k);
			json_object_set(matrix ? p.wants : p.gives, key, v);
			k++;
		}
		if (!exclude && json_object_size(p.wants) < s->n_matrix)
			s->mixed = true;
		s->mixed |= json_object_size(p.gives) > 0;
		s->patterns[s->n_patterns++] = p;
	}
}

/* The texts of what include adds can be made once all names are known. */
static void
make_extras(struct space *s)
{
	for (size_t i = 0; i < s->n_patterns; i++) {
		struct pattern *p = &s->patterns[i];
		const char *key;
		json_t *v;
		if (json_object_size(p->gives) == 0)
			continue;
		size_t n = s->n_params - s->n_matrix;
		p->extra = xmalloc(n * sizeof *p->extra);
		memset(p->extra, 0, n * sizeof *p->extra);
		json_object_foreach(p->gives, key, v) {
			json_t *one = json_pack("{sO}", key, v);
			json_int_t number = json_integer_value(json_object_get(s->params, key));
			p->extra[(size_t)number - s->n_matrix] = make_row(s, one);
			json_decref(one);
		}
	}
}

/* ---- names with _value at their end ---- */

static bool
is_other(const char *key)
{
	return strcmp(key, "include") == 0 || strcmp(key, "exclude") == 0 || strncmp(key, "x-", 2) == 0;
}

static const char suffix[] = "_value";

/* "a_value, b_value": "a, b"; NULL if a name there does not end so. */
static char *
without_suffix(const char *key)
{
	size_t tail = sizeof suffix - 1;
	struct buf b = {0};
	for (const char *p = key;;) {
		size_t n = strcspn(p, ", "), gap = strspn(p + n, ", ");
		if (n <= tail || strncmp(p + n - tail, suffix, tail) != 0) {
			buf_free(&b);
			return NULL;
		}
		buf_add(&b, p, n - tail);
		buf_add(&b, p + n, gap);
		p += n + gap;
		if (!*p)
			return b.p;
	}
}

/* Whether all names of the object end so, and there is one. */
static bool
all_suffixed(json_t *object)
{
	const char *key;
	json_t *v;
	size_t n = 0;
	json_object_foreach(object, key, v) {
		char *name = is_other(key) ? NULL : without_suffix(key);
		if (!name && !is_other(key))
			return false;
		n += name != NULL;
		free(name);
	}
	return n > 0;
}

/* The same object with other keys in the same order: marks hold. */
static void
drop_suffix(json_t *object)
{
	json_t *all = json_copy(object), *v;
	const char *key;
	if (!all || json_object_clear(object) != 0)
		die(ST_SYSTEM, "out of memory");
	json_object_foreach(all, key, v) {
		char *name = is_other(key) ? NULL : without_suffix(key);
		if (json_object_set(object, name ? name : key, v) != 0)
			die(ST_SYSTEM, "out of memory");
		free(name);
	}
	json_decref(all);
}

/* Some people name parameters as their placeholders: where every name ends in
 * "_value", names are what stands before it. */
static void
shorten_names(json_t *root)
{
	static const char *const lists[] = {"exclude", "include"};
	bool all = all_suffixed(root);
	for (int go = 0; go < 2 && all; go++) {
		for (size_t l = 0; l < COUNT(lists); l++) {
			json_t *entry;
			size_t i;
			json_array_foreach(json_object_get(root, lists[l]), i, entry) {
				if (go)
					drop_suffix(entry);
				else
					all &= all_suffixed(entry);
			}
		}
	}
	if (all)
		drop_suffix(root);
}

void
xread_space(struct space *s, const struct source *source)
{
	const char *key;
	json_t *value;
	size_t i = 0, n = 0;
	*s = (struct space){.source = source, .params = json_object()};
	if (!json_is_object(source->root))
		die(ST_INPUT, "%s:1:1: not an object of parameters", source->name);
	shorten_names(source->root);
	json_t **names = xmalloc((json_object_size(source->root) + 1) * sizeof(json_t *));
	json_object_foreach(source->root, key, value) {
		bool other = is_other(key);
		names[i] = other ? NULL : zipped_names(s, key, source->root, i);
		n += !other;
		i++;
	}
	s->n_matrix = s->n_params;
	add_patterns(s, "exclude", true);
	add_patterns(s, "include", false);
	s->axes = xmalloc((n + 1) * sizeof *s->axes);
	i = 0;
	json_object_foreach(source->root, key, value) {
		if (names[i]) {
			struct axis *a = &s->axes[s->n_axes++];
			*a = (struct axis){.n_params = json_array_size(names[i])};
			fill_axis(s, a, names[i], value, i);
		}
		json_decref(names[i]);
		i++;
	}
	free(names);
	make_extras(s);
}
