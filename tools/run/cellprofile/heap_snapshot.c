/* heap_snapshot.c: what holds the objects of a page that came between two instants.
 * Each object is reached by a shortest way: from what keeps it by design, else from the page's
 * globals, else from the browser's own roots.  What came hangs on the first such object on its way,
 * and that on another one, its holder. */
#include "heap_snapshot.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/str.h"

enum { SNAPSHOT_MS = 300000, MAX_HOLDERS = 12, MAX_PATH = 12, MODEL_STEPS = 6, NONE = UINT32_MAX };
enum part { HEAD, NODES, BETWEEN, EDGES, AFTER, STRINGS, DONE };
enum phase { UNREACHED, BY_DESIGN, GLOBALS, BROWSER };

struct numbers {
	uint32_t *v;
	size_t n;
};
struct snapshot {
	enum part part;
	struct buf head, strings;
	struct numbers nodes, edges, names;	/* names: where each string begins */
	bool in_number, in_string, escaped;
	uint64_t number;
	/* Where the fields are, and the words of types. */
	size_t node_fields, edge_fields, type, name, id, size, count, edge_type, edge_name, to;
	json_t *node_types, *edge_types;
	/* Of each node. */
	uint32_t *first, *parent, *by, *top, *model;	/* first: its first edge; by: the edge to it */
	uint8_t *phase;
	struct heap_marks marks;
	uint32_t *queue, queued, reached, n_nodes;
};

/* ---- reading ------------------------------------------------------------------------------ */

static void
add_number(struct numbers *a, uint64_t number)
{
	if ((a->n & (a->n + 1)) == 0)
		a->v = xrealloc(a->v, (2 * a->n + 2) * sizeof *a->v);
	a->v[a->n++] = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

static size_t
field(const json_t *meta, const char *list, const char *name)
{
	const json_t *fields = json_object_get(meta, list), *word;
	size_t i;
	json_array_foreach(fields, i, word)
		if (str_same(json_string_value(word), name))
			return i;
	return 0;
}

static void
read_head(struct snapshot *s)
{
	buf_addf(&s->head, "]}");
	json_t *head = json_loads(s->head.p, 0, NULL);
	const json_t *meta = json_object_get(json_object_get(head, "snapshot"), "meta");
	s->node_fields = json_array_size(json_object_get(meta, "node_fields"));
	s->edge_fields = json_array_size(json_object_get(meta, "edge_fields"));
	s->type = field(meta, "node_fields", "type");
	s->name = field(meta, "node_fields", "name");
	s->id = field(meta, "node_fields", "id");
	s->size = field(meta, "node_fields", "self_size");
	s->count = field(meta, "node_fields", "edge_count");
	s->edge_type = field(meta, "edge_fields", "type");
	s->edge_name = field(meta, "edge_fields", "name_or_index");
	s->to = field(meta, "edge_fields", "to_node");
	s->node_types = json_incref(json_array_get(json_object_get(meta, "node_types"), s->type));
	s->edge_types = json_incref(json_array_get(json_object_get(meta, "edge_types"),
	    s->edge_type));
	json_decref(head);
}

/* Ends what is read as text when the next list begins. */
static void
add_text(struct snapshot *s, char c)
{
	static const char *const begins[] = {[HEAD] = "\"nodes\":[", [BETWEEN] = "\"edges\":[",
		[AFTER] = "\"strings\":["};
	const char *begin = begins[s->part];
	size_t n = strlen(begin);
	buf_add(&s->head, &c, 1);
	if (s->head.n < n || memcmp(s->head.p + s->head.n - n, begin, n) != 0)
		return;
	if (s->part == HEAD)
		read_head(s);
	s->head.n = 0;
	s->part++;
}

static void
add_digit(struct snapshot *s, char c)
{
	bool digit = c >= '0' && c <= '9';
	if (digit)
		s->number = s->number * 10 + (uint64_t)(c - '0');
	else if (s->in_number)
		add_number(s->part == NODES ? &s->nodes : &s->edges, s->number);
	if (!digit)
		s->number = 0;
	s->in_number = digit;
	s->part += c == ']';
}

static void
add_letter(struct snapshot *s, char c)
{
	if (!s->in_string) {
		s->in_string = c == '"';
		s->part += c == ']';
		if (s->in_string)
			add_number(&s->names, s->strings.n);
	} else if (c == '"' && !s->escaped) {
		s->in_string = false;
		buf_add(&s->strings, "", 1);
	} else {
		s->escaped = c == '\\' && !s->escaped;
		buf_add(&s->strings, &c, 1);
	}
}

static void
on_chunk(void *arg, const char *method, const json_t *params)
{
	struct snapshot *s = arg;
	const char *text = json_string_value(json_object_get(params, "chunk"));
	if (strcmp(method, "HeapProfiler.addHeapSnapshotChunk") != 0)
		return;
	for (; text && *text && s->part < DONE; text++)
		if (s->part == NODES || s->part == EDGES)
			add_digit(s, *text);
		else if (s->part == STRINGS)
			add_letter(s, *text);
		else
			add_text(s, *text);
}

static int
take_snapshot(struct snapshot *s, struct devtools *d, char **why)
{
	devtools_listen(d, on_chunk, s);
	json_t *result = devtools_call(d, "HeapProfiler.takeHeapSnapshot", NULL, SNAPSHOT_MS, why);
	devtools_listen(d, NULL, NULL);
	if (result && (s->part != DONE || !s->node_fields || !s->edge_fields))
		*why = xstrdup("the browser gave no heap snapshot");
	json_decref(result);
	s->n_nodes = s->node_fields ? (uint32_t)(s->nodes.n / s->node_fields) : 0;
	return *why ? -1 : 0;
}

static void
free_snapshot(struct snapshot *s)
{
	buf_free(&s->head);
	buf_free(&s->strings);
	json_decref(s->node_types);
	json_decref(s->edge_types);
	void *all[] = {s->nodes.v, s->edges.v, s->names.v, s->first, s->parent, s->by, s->top,
		s->model, s->phase, s->queue};
	for (size_t i = 0; i < COUNT(all); i++)
		free(all[i]);
}

uint32_t
heap_snapshot_mark(struct devtools *d, char **why)
{
	struct snapshot s = {0};
	uint32_t last = 0;
	if (take_snapshot(&s, d, why) == 0)
		for (size_t i = s.id; i < s.nodes.n; i += s.node_fields)
			last = s.nodes.v[i] > last ? s.nodes.v[i] : last;
	free_snapshot(&s);
	return last;
}

/* ---- the graph ---------------------------------------------------------------------------- */

static uint32_t
of_node(const struct snapshot *s, uint32_t node, size_t which)
{
	return s->nodes.v[node * s->node_fields + which];
}

static uint32_t
of_edge(const struct snapshot *s, uint32_t edge, size_t which)
{
	return s->edges.v[edge * s->edge_fields + which];
}

static uint32_t
edge_to(const struct snapshot *s, uint32_t edge)
{
	return of_edge(s, edge, s->to) / (uint32_t)s->node_fields;
}

static const char *
string_at(const struct snapshot *s, uint32_t i)
{
	return i < s->names.n ? s->strings.p + s->names.v[i] : "";
}

static const char *
node_name(const struct snapshot *s, uint32_t node)
{
	return string_at(s, of_node(s, node, s->name));
}

static bool
is_of_type(const json_t *words, uint32_t type, const char *word)
{
	return str_same(json_string_value(json_array_get(words, type)), word);
}

/* The name of an edge that is a variable or a property; NULL: of another kind. */
static const char *
edge_name(const struct snapshot *s, uint32_t edge)
{
	uint32_t type = of_edge(s, edge, s->edge_type);
	if (is_of_type(s->edge_types, type, "property") ||
	    is_of_type(s->edge_types, type, "context"))
		return string_at(s, of_edge(s, edge, s->edge_name));
	return NULL;
}

/* Of each object with the state of a widget: its model's name. */
static void
name_models(struct snapshot *s)
{
	uint32_t *state = xmalloc((s->n_nodes + 1) * sizeof *state);
	memset(state, 0xff, s->n_nodes * sizeof *state);
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t n = 0; n < s->n_nodes; n++)
			for (uint32_t e = s->first[n]; e < s->first[n + 1]; e++) {
				const char *name = edge_name(s, e);
				if (!name)
					continue;
				if (pass == 0 && strcmp(name, "_model_name") == 0)
					state[n] = of_node(s, edge_to(s, e), s->name);
				else if (pass == 1 && strcmp(name, "attributes") == 0)
					s->model[n] = state[edge_to(s, e)];
			}
	free(state);
}

static void
add_fields(struct snapshot *s)
{
	size_t bytes = (2 * (size_t)s->n_nodes + 1) * sizeof *s->first;
	uint32_t edge = 0, n_edges = (uint32_t)(s->edges.n / s->edge_fields);
	uint32_t **all[] = {&s->first, &s->parent, &s->by, &s->top, &s->model, &s->queue};
	for (size_t i = 0; i < COUNT(all); i++)
		memset(*all[i] = xmalloc(bytes), 0xff, bytes);
	memset(s->phase = xmalloc(bytes), UNREACHED, bytes);
	for (uint32_t n = 0; n < s->n_nodes; n++, edge = edge < n_edges ? edge : n_edges) {
		s->first[n] = edge;
		edge += of_node(s, n, s->count);
	}
	s->first[s->n_nodes] = edge < n_edges ? edge : n_edges;
}

/* "Window / http://127.0.0.1:8888" */
static bool
is_window(const char *name)
{
	return strncmp(name, "Window ", strlen("Window ")) == 0;
}

/* What the manager of widgets and the kernel's connection have as long as nobody closes it.  The
 * names of their classes are mangled, those of their members are not. */
static const struct { const char *member, *shown; } designs[] = {
	{"_models", "WidgetManager._models"}, {"_modelsSync", "WidgetManager._modelsSync"},
	{"_comms", "KernelConnection._comms"},
};

static const char *
design_of(const char *member)
{
	for (size_t i = 0; i < COUNT(designs); i++)
		if (str_same(member, designs[i].member))
			return designs[i].shown;
	return NULL;
}

/* Tables and lists are made again when they grow: what they have hangs on what has them. */
static bool
is_table(const struct snapshot *s, uint32_t node)
{
	uint32_t type = of_node(s, node, s->type);
	return is_of_type(s->node_types, type, "array");
}

/* What the browser makes for itself, such as compiled code. */
static bool
is_machinery(const struct snapshot *s, uint32_t node)
{
	static const char *const types[] = {"synthetic", "code", "hidden", "object shape"};
	bool is = false;
	for (size_t i = 0; i < COUNT(types); i++)
		is = is || is_of_type(s->node_types, of_node(s, node, s->type), types[i]);
	return is;
}

static void
add_reached(struct snapshot *s, uint32_t node, enum phase phase, uint32_t parent, uint32_t edge)
{
	s->phase[node] = (uint8_t)phase;
	s->parent[node] = parent;
	s->by[node] = edge;
	s->queue[s->queued++] = node;
}

/* From what was added last.  By design, not through what was there before. */
static void
reach(struct snapshot *s)
{
	for (uint32_t n; s->reached < s->queued; s->reached++) {
		n = s->queue[s->reached];
		uint32_t id = of_node(s, n, s->id);
		bool is_new = id > s->marks.first && id <= s->marks.last && !is_machinery(s, n);
		uint32_t up = s->parent[n], above = up == NONE ? NONE : s->top[up];
		bool hangs = above != NONE && !(above == up && is_table(s, up));
		s->top[n] = hangs ? above : is_new ? n : NONE;
		for (uint32_t e = s->first[n]; e < s->first[n + 1]; e++) {
			uint32_t to = edge_to(s, e);
			if (s->phase[to] != UNREACHED || is_of_type(s->edge_types,
			    of_edge(s, e, s->edge_type), "weak"))
				continue;
			if (s->phase[n] == BY_DESIGN && of_node(s, to, s->id) <= s->marks.first)
				continue;
			add_reached(s, to, s->phase[n], n, e);
		}
	}
}

/* What keeps by design can be reached once more, for what it had before. */
static void
reach_by_design(struct snapshot *s, const char *member)
{
	uint32_t begin = s->queued, end;
	for (uint32_t n = 0; n < s->n_nodes; n++)
		for (uint32_t e = s->first[n]; e < s->first[n + 1]; e++)
			if (s->phase[edge_to(s, e)] == UNREACHED &&
			    str_same(edge_name(s, e), member))
				add_reached(s, edge_to(s, e), BY_DESIGN, n, e);
	end = s->queued;
	reach(s);
	for (uint32_t i = begin; i < end; i++)
		s->phase[s->queue[i]] = UNREACHED;
}

static void
reach_all(struct snapshot *s)
{
	s->queued = s->reached = 0;
	for (size_t i = 0; i < COUNT(designs); i++)
		reach_by_design(s, designs[i].member);
	for (uint32_t n = 0; n < s->n_nodes; n++)
		if (is_window(node_name(s, n)))
			add_reached(s, n, GLOBALS, NONE, NONE);
	reach(s);
	add_reached(s, 0, BROWSER, NONE, NONE);
	reach(s);
}

/* ---- holders ------------------------------------------------------------------------------ */

/* "WidgetManager._models", "variable kept (closure)": the last names on the way to what a node
 * hangs on. */
static char *
holder_name(const struct snapshot *s, uint32_t node)
{
	node = s->parent[node];
	const char *owner = "", *name = NULL;
	for (int i = 0; i < MAX_PATH && node != NONE && s->parent[node] != NONE && !name; i++) {
		name = edge_name(s, s->by[node]);
		node = s->parent[node];
		owner = node_name(s, node);
	}
	uint32_t model = node == NONE ? NONE : s->model[node];
	if (design_of(name))
		return xstrdup(design_of(name));
	if (is_window(owner))
		owner = "window";
	if (!name)
		return xstrdup(*owner ? owner : "the browser");
	if (strncmp(owner, "system / Context", 16) == 0)
		return xasprintf("variable %s (closure)", name);
	return xasprintf("%s.%s", model != NONE ? string_at(s, model) : owner, name);
}

/* What a person knows of an object: the model that it belongs to, an element without its
 * attributes, a class. The caller's. */
static char *
object_name(const struct snapshot *s, uint32_t top, const uint32_t *near)
{
	const char *type = json_string_value(json_array_get(s->node_types, of_node(s, top,
	    s->type)));
	const char *name = near[top] != NONE ? string_at(s, near[top]) : node_name(s, top);
	const char *tag = strchr(name, '<');
	if (near[top] == NONE && type && (strstr(type, "string") || strstr(type, "number")))
		return xasprintf("(%s)", type);
	if (tag && strpbrk(tag, " >"))
		return xasprintf("%.*s>", (int)(strpbrk(tag, " >") - name), name);
	return xstrdup(*name ? name : "Object");
}

/* The model nearest below each top. */
static uint32_t *
find_near_models(const struct snapshot *s)
{
	size_t bytes = ((size_t)s->n_nodes + 1) * sizeof(uint32_t);
	uint32_t *near = xmalloc(bytes);
	memset(near, 0xff, bytes);
	for (uint32_t i = 0; i < s->queued; i++) {
		uint32_t n = s->queue[i], top = s->top[n], steps = 0;
		if (top == NONE || s->model[n] == NONE || near[top] != NONE)
			continue;
		for (uint32_t up = n; up != top && steps <= MODEL_STEPS; up = s->parent[up])
			steps++;
		if (steps <= MODEL_STEPS)
			near[top] = s->model[n];
	}
	return near;
}

static void
add_to(json_t *group, const char *member, json_int_t n)
{
	json_object_set_new(group, member,
	    json_integer(json_integer_value(json_object_get(group, member)) + n));
}

static json_t *
sum_groups(const struct snapshot *s)
{
	json_t *groups = json_object();
	uint32_t *near = find_near_models(s);
	for (uint32_t i = 0; i < s->queued; i++) {
		uint32_t n = s->queue[i], top = s->top[n];
		if (top == NONE || (of_node(s, n, s->size) == 0 && n != top))
			continue;
		char *holder = holder_name(s, top), *of = object_name(s, top, near);
		char *key = xasprintf("%d %s\n%.200s", s->phase[top], holder, of);
		json_t *group = json_object_get(groups, key);
		if (!group) {
			group = json_pack("{s:s, s:s, s:s, s:s, s:i, s:i}", "side", "page", "holder",
			    holder, "kind", s->phase[top] == BY_DESIGN ? "by design" :
			    s->phase[top] == BROWSER ? "browser" : "global", "of", of, "count", 0,
			    "bytes", 0);
			json_object_set_new(groups, key, group);
		}
		add_to(group, "count", n == top);
		add_to(group, "bytes", of_node(s, n, s->size));
		free(key);
		free(of);
		free(holder);
	}
	free(near);
	return groups;
}

static json_int_t
group_bytes(const json_t *group)
{
	return json_integer_value(json_object_get(group, "bytes"));
}

json_t *
heap_snapshot_holders(struct devtools *d, struct heap_marks marks, char **why)
{
	struct snapshot s = {.marks = marks};
	json_t *found = NULL;
	if (take_snapshot(&s, d, why) == 0) {
		const char *key;
		json_t *group, *groups;
		add_fields(&s);
		name_models(&s);
		reach_all(&s);
		groups = sum_groups(&s);
		found = json_array();
		json_object_foreach(groups, key, group) {
			size_t i = json_array_size(found);
			while (i > 0 && group_bytes(json_array_get(found, i - 1)) < group_bytes(group))
				i--;
			json_array_insert(found, i, group);
			json_array_remove(found, MAX_HOLDERS);
		}
		json_decref(groups);
	}
	free_snapshot(&s);
	return found;
}
