/* cell_outputs.c: a cell's outputs, as JupyterLab makes them of the kernel's messages. */
#include "cell_outputs.h"
#include "base/die.h"
#include "json/json_text.h"
#include "kernel/page_rules.h"
#include "record/apart_record.h"

/* ---- the text of a stream ---- */

static size_t
line_begin(const struct buf *text, size_t at)
{
	while (at > 0 && text->p[at - 1] != '\n')
		at--;
	return at;
}

static bool
continues_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Where the character at `at` ends. */
static size_t
character_end(const struct buf *text, size_t at)
{
	while (at < text->n && continues_character(text->p[++at]))
		;
	return at;
}

static void
replace(struct buf *text, size_t from, size_t to, const char *with, size_t n)
{
	struct buf rest = {0};
	if (to < text->n)
		buf_add(&rest, text->p + to, text->n - to);
	text->n = from;
	buf_add(text, with, n);
	buf_add(text, rest.p, rest.n);
	buf_free(&rest);
}

/* Text of one line, whose characters replace as many. */
static void
write_over(struct buf *text, size_t *at, const char *line, size_t n)
{
	size_t to = *at;
	for (size_t i = 0; i < n && to < text->n; i++)
		if (!continues_character(line[i]))
			to = character_end(text, to);
	replace(text, *at, to, line, n);
	*at += n;
}

/* JupyterLab also removes the character after the one that it removes, if there is one. */
static void
remove_before(struct buf *text, size_t *at)
{
	size_t from = *at;
	if (from == line_begin(text, from))
		return;
	do
		from--;
	while (continues_character(text->p[from]));
	replace(text, from, character_end(text, *at), "", 0);
	*at = from;
}

/* Appends `more` to a text whose next character goes to *at, in its last line.  A carriage return
 * moves to the begin of this line, whose characters the next ones then replace: a progress bar is
 * one line.  A backspace removes a character. */
static void
stream_text_add(struct buf *text, size_t *at, const char *more, size_t n)
{
	for (const char *p = more, *end = more + n; p < end; p++) {
		const char *stop = p;
		while (stop < end && *stop != '\b' && *stop != '\r' && *stop != '\n')
			stop++;
		write_over(text, at, p, (size_t)(stop - p));
		p = stop;
		if (p < end && *p == '\n') {
			buf_add(text, "\n", 1);
			*at = text->n;
		} else if (p < end && *p == '\r') {
			*at = line_begin(text, *at);
		} else if (p < end) {
			remove_before(text, at);
		}
	}
}

static bool
text_is(const json_t *object, const char *name, const char *text)
{
	const char *is = json_string_value(json_object_get(object, name));
	return is && strcmp(is, text) == 0;
}

bool
cell_outputs_is_type(const char *type)
{
	const json_t *word;
	size_t i;
	json_array_foreach(json_object_get(page_rules("outputs"), "types"), i, word)
		if (strcmp(json_string_value(word), type) == 0)
			return true;
	return false;
}

bool
cell_outputs_is_loss(const json_t *content, size_t bytes)
{
	const json_t *rules = page_rules("outputs"), *lost;
	const char *text = json_string_value(json_object_get(content, "text"));
	json_int_t n = (json_int_t)bytes;
	size_t i;
	if (!text || n <= json_integer_value(json_object_get(rules, "min_lost_bytes")) ||
	    n >= json_integer_value(json_object_get(rules, "max_lost_bytes")))
		return false;
	text += strspn(text, " \t\r\n");
	json_array_foreach(json_object_get(rules, "lost_texts"), i, lost)
		if (strncmp(text, json_string_value(lost), json_string_length(lost)) == 0)
			return true;
	return false;
}

/* ---- adding ------------------------------------------------------------------------------- */

static void
clear_all(struct cell_outputs *c)
{
	for (size_t i = 0; i < c->n; i++) {
		json_decref(c->v[i].value);
		buf_free(&c->v[i].text);
	}
	c->n = 0;
	c->clear_next = false;
}

static json_t *
output_of(const char *type, json_t *content)
{
	json_t *value = json_copy(content);
	bool shows = strcmp(type, "stream") != 0 && strcmp(type, "error") != 0;
	json_object_set_new(value, "output_type", json_string(type));
	if (shows && !json_object_get(value, "data"))
		json_object_set_new(value, "data", json_object());
	if (shows && !json_object_get(value, "metadata"))
		json_object_set_new(value, "metadata", json_object());
	return value;
}

static struct cell_output *
append_output(struct cell_outputs *c, const char *type, json_t *content)
{
	struct cell_output *o = XAPPEND(c->v, c->n);
	*o = (struct cell_output){.value = output_of(type, content)};
	return o;
}

static void
add_stream(struct cell_outputs *c, json_t *content)
{
	const char *name = json_string_value(json_object_get(content, "name"));
	const json_t *text = json_object_get(content, "text");
	struct cell_output *o = c->n ? &c->v[c->n - 1] : NULL;
	if (!name || !json_is_string(text))
		return;
	if (!o || !text_is(o->value, "output_type", "stream") || !text_is(o->value, "name", name)) {
		o = append_output(c, "stream", content);
		c->at = 0;
	}
	stream_text_add(&o->text, &c->at, json_string_value(text), json_string_length(text));
	o->sent_bytes += json_string_length(text);
}

void
cell_outputs_add(struct cell_outputs *c, const char *type, json_t *content, size_t bytes)
{
	bool clears = strcmp(type, "clear_output") == 0;
	if (clears && json_is_true(json_object_get(content, "wait"))) {
		c->clear_next = true;
		return;
	}
	if (clears || c->clear_next)
		clear_all(c);
	if (strcmp(type, "stream") == 0)
		add_stream(c, content);
	else if (!clears)
		append_output(c, type, content)->sent_bytes = bytes;
}

bool
cell_outputs_update(struct cell_outputs *c, const char *display_id, json_t *content)
{
	bool found = false;
	for (size_t i = 0; i < c->n; i++) {
		json_t *value = c->v[i].value, *transient = json_object_get(value, "transient");
		if (!text_is(transient, "display_id", display_id) ||
		    !text_is(value, "output_type", "display_data"))
			continue;
		c->v[i].value = output_of("display_data", content);
		json_decref(value);
		found = true;
	}
	return found;
}

const json_t *
cell_outputs_error(const struct cell_outputs *c)
{
	for (size_t i = c->n; i-- > 0; )
		if (text_is(c->v[i].value, "output_type", "error"))
			return c->v[i].value;
	return NULL;
}

json_t *
cell_outputs_list(const struct cell_outputs *c)
{
	json_t *list = json_array();
	for (size_t i = 0; i < c->n; i++) {
		const struct buf *text = &c->v[i].text;
		json_t *value = json_copy(c->v[i].value);
		json_object_del(value, "transient");
		if (text->p)
			json_object_set_new(value, "text", json_stringn(text->p, text->n));
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

static void
count_output(const struct cell_output *o, json_t *kinds, json_t *apart)
{
	const char *name = json_string_value(json_object_get(o->value, "name"));
	json_t *data = json_object_get(o->value, "data");
	if (text_is(o->value, "output_type", "stream"))
		add_kind(kinds, name, o->sent_bytes);
	else if (text_is(o->value, "output_type", "error"))
		add_kind(kinds, "error", o->sent_bytes);
	else
		count_data(kinds, data);
	json_array_append(apart, json_object_get(data, APART_RECORD_MIME));
}

void
cell_outputs_count(const struct cell_outputs *c, json_t *updates, json_t *seen)
{
	json_t *kinds = json_object(), *apart = json_array(), *data, *bytes;
	const char *key;
	double items = NAN, done = NAN;
	json_int_t all = 0;
	for (size_t i = 0; i < c->n; i++) {
		count_output(&c->v[i], kinds, apart);
		if (text_is(c->v[i].value, "name", "stdout"))
			count_items(&c->v[i].text, &items, &done);
	}
	json_object_foreach(updates, key, data)
		count_data(kinds, data);
	json_object_foreach(kinds, key, bytes)
		all += json_integer_value(bytes);
	json_object_set_new(seen, "apart", apart);
	json_object_set_new(seen, "outputs", json_pack("{s:I, s:I, s:o}", "count",
	    (json_int_t)c->n, "bytes", all, "by_kind", kinds));
	set_number(seen, "items", items);
	set_number(seen, "itemsDone", done);
}
