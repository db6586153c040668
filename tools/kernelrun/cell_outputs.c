/* cell_outputs.c: a cell's outputs, as JupyterLab makes them of the kernel's messages. */
#include "cell_outputs.h"
#include "base/die.h"
#include "json/json_text.h"
#include "record/apart_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A server that limits the message rate drops messages and inserts a short text of its own. */
#define LOST_TEXT "IOPub data rate exceeded", "IOPub message rate exceeded"

enum { MAX_LOST_BYTES = 2000 };

bool
cell_outputs_is_type(const char *type)
{
	static const char *const types[] = {"stream", "display_data", "execute_result", "error",
		"update_display_data", "clear_output"};
	for (size_t i = 0; i < COUNT(types); i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

static void
free_output(struct cell_output *o)
{
	json_decref(o->value);
	free(o->display_id);
	stream_text_free(&o->text);
}

static void
clear_all(struct cell_outputs *c)
{
	for (size_t i = 0; i < c->n; i++)
		free_output(&c->v[i]);
	c->n = 0;
	c->clear_next = false;
}

static json_t *
member_or(const json_t *content, const char *name, json_t *otherwise)
{
	json_t *value = json_object_get(content, name);
	if (!value)
		return otherwise;
	json_decref(otherwise);
	return json_incref(value);
}

/* ---- adding ------------------------------------------------------------------------------- */

static struct cell_output *
append_output(struct cell_outputs *c, json_t *value)
{
	c->v = xgrow(c->v, c->n, &c->cap, sizeof *c->v);
	c->v[c->n] = (struct cell_output){.value = value};
	return &c->v[c->n++];
}

static bool
is_stream(const struct cell_output *o, const char *name)
{
	const char *is = json_string_value(json_object_get(o->value, "name"));
	return is && strcmp(is, name) == 0;
}

static bool
is_about_loss(const char *text, size_t n)
{
	static const char *const texts[] = {LOST_TEXT};
	for (size_t i = 0; n < MAX_LOST_BYTES && i < COUNT(texts); i++)
		if (strncmp(text + strspn(text, " \n"), texts[i], strlen(texts[i])) == 0)
			return true;
	return false;
}

static void
add_stream(struct cell_outputs *c, const json_t *content)
{
	const char *name = json_string_value(json_object_get(content, "name"));
	const json_t *text = json_object_get(content, "text");
	const char *p = json_string_value(text);
	size_t n = json_string_length(text);
	struct cell_output *o = c->n ? &c->v[c->n - 1] : NULL;
	if (!name || !p)
		return;
	if (!o || !is_stream(o, name))
		o = append_output(c, json_pack("{s:s, s:s}", "output_type", "stream", "name",
		    name));
	c->lost = c->lost || is_about_loss(p, n);
	stream_text_add(&o->text, p, n);
	o->sent_bytes += n;
}

static json_t *
display_of(const json_t *content, const char *type)
{
	return json_pack("{s:s, s:o, s:o}", "output_type", type,
	    "data", member_or(content, "data", json_object()),
	    "metadata", member_or(content, "metadata", json_object()));
}

static void
add_display(struct cell_outputs *c, const char *type, const json_t *content)
{
	const json_t *transient = json_object_get(content, "transient");
	const char *id = json_string_value(json_object_get(transient, "display_id"));
	struct cell_output *o = append_output(c, display_of(content, type));
	o->display_id = id ? xstrdup(id) : NULL;
	if (strcmp(type, "execute_result") == 0)
		json_object_set_new(o->value, "execution_count",
		    member_or(content, "execution_count", json_null()));
}

void
cell_outputs_add(struct cell_outputs *c, const char *type, json_t *content, size_t bytes)
{
	if (strcmp(type, "clear_output") == 0) {
		if (json_is_true(json_object_get(content, "wait")))
			c->clear_next = true;
		else
			clear_all(c);
		return;
	}
	if (c->clear_next)
		clear_all(c);
	if (strcmp(type, "stream") == 0)
		add_stream(c, content);
	else if (strcmp(type, "error") == 0)
		append_output(c, json_pack("{s:s, s:o, s:o, s:o}", "output_type", "error",
		    "ename", member_or(content, "ename", json_string("")),
		    "evalue", member_or(content, "evalue", json_string("")),
		    "traceback", member_or(content, "traceback", json_array())))->sent_bytes =
		    bytes;
	else
		add_display(c, type, content);
}

bool
cell_outputs_update(struct cell_outputs *c, const char *display_id, json_t *content)
{
	bool found = false;
	for (size_t i = 0; i < c->n; i++) {
		struct cell_output *o = &c->v[i];
		if (!o->display_id || strcmp(o->display_id, display_id) != 0)
			continue;
		json_decref(o->value);
		o->value = display_of(content, "display_data");
		found = true;
	}
	return found;
}

void
cell_outputs_note_other(struct cell_outputs *c, const char *display_id, json_t *content)
{
	json_t *data = json_object_get(content, "data");
	if (!c->others)
		c->others = json_object();
	json_object_set(c->others, display_id, data ? data : json_null());
}

json_t *
cell_outputs_list(const struct cell_outputs *c)
{
	json_t *list = json_array();
	for (size_t i = 0; i < c->n; i++) {
		const struct cell_output *o = &c->v[i];
		json_t *value = json_copy(o->value);
		if (o->text.text.p)
			json_object_set_new(value, "text",
			    json_stringn(o->text.text.p, o->text.text.n));
		json_array_append_new(list, value);
	}
	return list;
}

/* ---- counting ----------------------------------------------------------------------------- */

static void
add_kind(json_t *kinds, const char *kind, size_t bytes)
{
	json_int_t before = json_integer_value(json_object_get(kinds, kind));
	json_object_set_new(kinds, kind, json_integer(before + (json_int_t)bytes));
}

static size_t
value_bytes(const json_t *value)
{
	if (json_is_string(value))
		return json_string_length(value);
	char *text = json_text_of(value);
	size_t n = strlen(text);
	free(text);
	return n;
}

static void
count_data(json_t *kinds, json_t *data)
{
	const char *mime;
	json_t *value;
	json_object_foreach(data, mime, value)
		add_kind(kinds, mime, value_bytes(value));
}

/* Adds a member of a line {"type": "items", "items": N, "done": M}. */
static void
add_items(double *sum, const json_t *line, const char *name)
{
	const json_t *value = json_object_get(line, name);
	if (json_is_number(value) && json_number_value(value) >= 0)
		*sum = (isnan(*sum) ? 0 : *sum) + json_number_value(value);
}

static void
count_items(const struct buf *text, double *items, double *done)
{
	const char *end = text->p + text->n;
	for (const char *p = text->p; p && p < end; ) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((newline ? newline : end) - p);
		json_t *line = *p == '{' ? json_loadb(p, n, 0, NULL) : NULL;
		const char *type = json_string_value(json_object_get(line, "type"));
		if (type && strcmp(type, "items") == 0) {
			add_items(items, line, "items");
			add_items(done, line, "done");
		}
		json_decref(line);
		p = newline ? newline + 1 : end;
	}
}

static void
set_number(json_t *seen, const char *name, double value)
{
	json_t *number = value == floor(value) ? json_integer((json_int_t)value) :
	    json_real(value);
	json_object_set_new(seen, name, isnan(value) ? json_null() : number);
}

void
cell_outputs_count(const struct cell_outputs *c, json_t *seen)
{
	json_t *kinds = json_object(), *apart = json_array(), *data, *bytes;
	const char *key;
	double items = NAN, done = NAN;
	json_int_t all = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct cell_output *o = &c->v[i];
		const char *type = json_string_value(json_object_get(o->value, "output_type"));
		const char *name = json_string_value(json_object_get(o->value, "name"));
		if (strcmp(type, "stream") == 0)
			add_kind(kinds, name, o->sent_bytes);
		else if (strcmp(type, "error") == 0)
			add_kind(kinds, "error", o->sent_bytes);
		else {
			data = json_object_get(o->value, "data");
			count_data(kinds, data);
			json_array_append(apart, json_object_get(data, APART_RECORD_MIME));
		}
		if (is_stream(o, "stdout"))
			count_items(&o->text.text, &items, &done);
	}
	json_object_foreach(c->others, key, data)
		count_data(kinds, data);
	json_object_foreach(kinds, key, bytes)
		all += json_integer_value(bytes);
	json_object_set_new(seen, "apart", apart);
	json_object_set_new(seen, "outputs", json_pack("{s:I, s:I, s:o}", "count",
	    (json_int_t)c->n, "bytes", all, "by_kind", kinds));
	set_number(seen, "items", items);
	set_number(seen, "itemsDone", done);
}
