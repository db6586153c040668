/* grid.c: reads a parameter file into a grid. */
#include "grid.h"
#include "combination_name.h"
#include "range.h"
#include "base/die.h"
#include "json/json_text.h"
#include "base/str.h"

enum { MAX_PARAMS = 1000 };

/* ---- names of parameters ---- */

static const char suffix[] = "_value";
enum { EXCLUDE, INCLUDE, LISTS };
static const char *const lists[] = {"exclude", "include"};

static bool
is_param_key(const char *key)
{
	return strcmp(key, "include") != 0 && strcmp(key, "exclude") != 0 &&
	    strncmp(key, "x-", 2) != 0;
}

static bool
all_have_suffix(json_t *object)
{
	const char *key;
	json_t *v;
	size_t names = 0, tail = strlen(suffix);
	json_object_foreach(object, key, v) {
		for (const char *p = key; is_param_key(key) && (p == key || *p); names++) {
			size_t n = strcspn(p, ", ");
			if (n <= tail || strncmp(p + n - tail, suffix, tail) != 0)
				return false;
			p += n + strspn(p + n, ", ");
		}
	}
	return names > 0;
}

/* Some files name each parameter as its placeholder, {name_value}. */
static bool
all_names_have_suffix(json_t *root)
{
	bool all = all_have_suffix(root);
	for (size_t l = 0; l < LISTS; l++) {
		json_t *entry;
		size_t i;
		json_array_foreach(json_object_get(root, lists[l]), i, entry)
			all = all && all_have_suffix(entry);
	}
	return all;
}

static char *
param_name(const struct grid *g, const char *key, size_t n)
{
	return xasprintf("%.*s", (int)(g->drops_suffix ? n - strlen(suffix) : n), key);
}

size_t
grid_find_param(const struct grid *g, const char *name)
{
	json_t *number = json_object_get(g->numbers, name);
	return number ? (size_t)json_integer_value(number) : g->n_params;
}

/* in, member: the position for messages. */
static void
add_param(struct grid *g, struct grid_param p, const json_t *in, size_t member)
{
	size_t n = str_identifier(p.name);
	if (!n || p.name[n])
		source_die_at(g->source, in, member,
		    "'%.80s' is not a parameter name: use letters, digits and _ only", p.name);
	if (grid_find_param(g, p.name) < g->n_params)
		source_die_at(g->source, in, member, "duplicate parameter '%s'", p.name);
	if (g->n_params == MAX_PARAMS)
		source_die_at(g->source, in, member, "more than %d parameters", MAX_PARAMS);
	json_object_set_new(g->numbers, p.name, json_integer((json_int_t)g->n_params));
	g->params[g->n_params++] = p;
}

/* The parameters of one key: "a", or "a, b" of a zipped group. */
static void
add_axis(struct grid *g, const char *key, json_t *value, size_t member)
{
	struct grid_axis *a = &g->axes[g->n_axes];
	const json_t *root = g->source->root;
	*a = (struct grid_axis){.value = value, .member = member, .first_param = g->n_params};
	for (const char *p = key;; p++) {
		p += strspn(p, " ");
		size_t n = strcspn(p, ", ");
		const char *after = p + n + strspn(p + n, " ");
		if (*after && *after != ',')
			source_die_at(g->source, root, member, "the key '%.80s' has a blank within "
			    "a name: use letters, digits and _; the names of a zipped group are "
			    "separated by commas", key);
		char *name = param_name(g, p, n);
		add_param(g, (struct grid_param){name, g->n_axes, a->n_params++}, root, member);
		p = after;
		if (!*p)
			break;
	}
	g->n_axes++;
}

/* ---- texts of values ---- */

struct texts {
	struct buf json, name;
	bool plain;
};

/* Whether the segment has two meanings: if combinations differ in their parameters, "-ab1" may be a
 * = "b1" or ab = 1. */
static bool
is_ambiguous(const struct grid *g, size_t param, const char *segment)
{
	for (size_t i = 0; g->mixed && i < g->n_params; i++) {
		const char *other = g->params[i].name;
		if (i != param && strncmp(segment, other, strlen(other)) == 0)
			return true;
	}
	return false;
}

static void
add_json(struct buf *b, const struct grid *g, size_t param, const json_t *v)
{
	buf_addf(b, "%s\"%s\":", b->n ? "," : "", g->params[param].name);
	json_text_add(b, v);
}

static void
add_texts(struct texts *t, const struct grid *g, size_t param, const json_t *v)
{
	size_t segment = t->name.n + 1;
	add_json(&t->json, g, param, v);
	buf_addf(&t->name, "-%s", g->params[param].name);
	t->plain &= combination_name_add_value(&t->name, v);
	t->plain &= !is_ambiguous(g, param, t->name.p + segment);
}

static struct grid_choice
make_choice(struct texts *t)
{
	struct grid_choice c = {.json_n = t->json.n, .name_n = t->name.n, .plain = t->plain};
	c.json = xstrdup(t->json.p);
	c.name = xstrdup(t->name.p);
	buf_free(&t->json);
	buf_free(&t->name);
	return c;
}

/* The object that stands for all equal values of a parameter, with `add` the given one if there
 * is none yet; else NULL. */
static const json_t *
shared_value(const struct grid *g, size_t param, json_t *v, bool add)
{
	struct buf text = {0};
	add_json(&text, g, param, v);
	json_t *found = json_object_get(g->seen, text.p);
	if (!found && add)
		json_object_set(g->seen, text.p, found = v);
	buf_free(&text);
	return found;
}

/* ---- axes ---- */

static void
add_choice(const struct grid *g, struct grid_axis *a, const json_t *list, const json_t **values)
{
	size_t i = a->n_choices, n = a->n_params;
	json_t *v = json_array_get(list, i);
	if (n > 1 && (!json_is_array(v) || json_array_size(v) != n))
		source_die_at(g->source, list, i,
		    "a value of this zipped group must be a list of %zu values", n);
	struct texts t = {.plain = true};
	for (size_t k = 0; k < n; k++)
		add_texts(&t, g, a->first_param + k, n > 1 ? json_array_get(v, k) : v);
	if (json_object_get(g->seen, t.json.p))
		source_die_at(g->source, list, i, "duplicate value %.80s", json_text_of(v));
	json_object_set(g->seen, t.json.p, v);
	for (size_t k = 0; k < n; k++) {
		json_t *one = n > 1 ? json_array_get(v, k) : v;
		values[k] = shared_value(g, a->first_param + k, one, true);
	}
	a->choices[i] = make_choice(&t);
	a->choices[i].values = values;
	a->n_choices++;
}

static void
fill_axis(const struct grid *g, struct grid_axis *a)
{
	const json_t *root = g->source->root;
	const char *name = g->params[a->first_param].name;
	json_t *list = a->value;
	if (json_is_object(list) && a->n_params == 1)
		list = xrange_expand(g->source, list, name, a->member);
	else if (!json_is_array(list) && a->n_params == 1)
		list = json_pack("[O]", list);
	if (!json_is_array(list))
		source_die_at(g->source, root, a->member, "a zipped group must be a list of lists");
	size_t n = json_array_size(list);
	if (n == 0)
		source_die_at(g->source, root, a->member, "'%s' has no values", name);
	const json_t **values = xmalloc(n * a->n_params * sizeof(json_t *));
	a->choices = xmalloc(n * sizeof *a->choices);
	for (size_t i = 0; i < n; i++)
		add_choice(g, a, list, values + i * a->n_params);
}

/* ---- include and exclude ---- */

/* Checks a list of entries, and notes the parameters that only include has. */
static void
declare_entries(struct grid *g, size_t number, size_t member)
{
	const char *word = lists[number], *key;
	json_t *root = g->source->root, *list = json_object_get(root, word), *entry, *v;
	size_t i;
	bool exclude = number == EXCLUDE;
	if (list && !json_is_array(list))
		source_die_at(g->source, root, member, "%s must be a list of objects", word);
	json_array_foreach(list, i, entry) {
		size_t k = 0, asked = 0;
		if (!json_is_object(entry) || json_object_size(entry) == 0)
			source_die_at(g->source, list, i,
			    "an entry of %s must be an object with at least one parameter", word);
		for (size_t j = 0; j < i && !exclude; j++)
			if (json_equal(json_array_get(list, j), entry))
				source_die_at(g->source, list, i, "duplicate entry");
		json_object_foreach(entry, key, v) {
			char *name = param_name(g, key, strlen(key));
			size_t param = grid_find_param(g, name);
			if (exclude && param >= g->n_matrix)
				source_die_at(g->source, entry, k,
				    "exclude: unknown parameter '%.80s'", name);
			if (param == g->n_params)
				add_param(g, (struct grid_param){name, g->n_axes, 0}, entry, k);
			asked += param < g->n_matrix;
			k++;
		}
		g->mixed |= !exclude && (asked < g->n_matrix || asked < k);
		g->n_entries++;
	}
}

static int
by_param(const void *a, const void *b)
{
	const struct grid_member *x = a, *y = b;
	return (x->param > y->param) - (x->param < y->param);
}

static struct grid_entry
read_entry(const struct grid *g, json_t *object, bool exclude, size_t number)
{
	struct grid_entry e = {.exclude = exclude};
	struct texts all = {.plain = true};
	const char *key;
	json_t *v;
	e.members = xmalloc(json_object_size(object) * sizeof *e.members);
	json_object_foreach(object, key, v) {
		char *name = param_name(g, key, strlen(key));
		struct grid_member m = {.param = grid_find_param(g, name), .value = v};
		struct texts one = {.plain = true};
		free(name);
		if (m.param < g->n_matrix) {
			m.match = shared_value(g, m.param, v, false);
			if (exclude && !m.match)
				warn("%s: exclude: entry %zu has an unknown value of '%s'",
				    g->source->name, number, g->params[m.param].name);
			if (g->params[m.param].axis > e.last_axis)
				e.last_axis = g->params[m.param].axis;
		} else {
			add_texts(&one, g, m.param, v);
			m.choice = make_choice(&one);
		}
		e.members[e.n_members++] = m;
	}
	qsort(e.members, e.n_members, sizeof *e.members, by_param);
	for (size_t i = 0; i < e.n_members; i++)
		add_texts(&all, g, e.members[i].param, e.members[i].value);
	e.choice = make_choice(&all);
	return e;
}

static void
read_entries(struct grid *g)
{
	g->entries = xmalloc((g->n_entries + 1) * sizeof *g->entries);
	g->n_entries = 0;
	for (size_t l = 0; l < LISTS; l++) {
		json_t *entry;
		size_t i;
		json_array_foreach(json_object_get(g->source->root, lists[l]), i, entry)
			g->entries[g->n_entries++] = read_entry(g, entry, l == EXCLUDE, i + 1);
	}
}

void
xgrid_read(struct grid *g, const struct source *source)
{
	const char *key;
	json_t *root = source->root, *value;
	size_t member = 0, list_member[LISTS] = {0};
	if (!json_is_object(root))
		die(ST_INPUT, "%s:1:1: not an object of parameters", source->name);
	*g = (struct grid){.source = source, .drops_suffix = all_names_have_suffix(root),
	    .numbers = json_object(), .seen = json_object()};
	g->params = xmalloc(MAX_PARAMS * sizeof *g->params);
	g->axes = xmalloc((json_object_size(root) + 1) * sizeof *g->axes);
	json_object_foreach(root, key, value) {
		if (is_param_key(key))
			add_axis(g, key, value, member);
		for (size_t l = 0; l < LISTS; l++)
			if (strcmp(key, lists[l]) == 0)
				list_member[l] = member;
		member++;
	}
	g->n_matrix = g->n_params;
	for (size_t l = 0; l < LISTS; l++)
		declare_entries(g, l, list_member[l]);
	for (size_t i = 0; i < g->n_axes; i++)
		fill_axis(g, &g->axes[i]);
	read_entries(g);
}
