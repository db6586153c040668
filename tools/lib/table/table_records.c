/* table_records.c: records, one JSON object per line, as rows of a table. */
#include "table/table_records.h"
#include "base/buf.h"
#include "base/die.h"
#include "json/json_text.h"
#include "json/lines.h"
#include "json/scan.h"

#include <stdio.h>

enum { MAX_NESTED = 8, NAME_BYTES = 512 };

struct records {
	struct table *t;
	struct lines *in;
	bool any;	/* the record has a wanted column */
	char name[NAME_BYTES];
};

/* A list as metrics2csv writes it: words separated by commas. */
static void
put_list(struct records *r, struct column *c, struct span v)
{
	struct buf quoted = {0};
	json_t *list = span_json(v), *item;
	size_t i;
	json_array_foreach(list, i, item) {
		char *text = json_is_string(item) ? xstrdup(json_string_value(item))
		    : json_text_of(item);
		buf_addf(&quoted, "%s%s", i ? "," : "", text);
		free(text);
	}
	table_put(r->t, c, quoted.n ? quoted.p : "", quoted.n);
	buf_free(&quoted);
	json_decref(list);
}

static void
put_value(struct records *r, struct column *c, struct span v)
{
	struct table *t = r->t;
	c->met = true;
	if (span_null(v))
		return;
	if (*v.p == '"') {
		char *text = span_string(v);
		table_put(t, c, text, strlen(text));
		free(text);
	} else if (*v.p == '[') {
		put_list(r, c, v);
	} else if (c->keep == KEEP_NUMBER && (*v.p == 't' || *v.p == 'f')) {
		table_put_number(t, c, *v.p == 't');
	} else {
		table_put(t, c, v.p, v.n);
	}
}

/* True if members of the object of this name are columns of the table. */
static bool
wants_members(const struct table *t, const char *name, size_t n)
{
	if (t->spec->others != KEEP_NOT || strcmp(name, "params") == 0)
		return true;
	for (size_t i = 0; i < t->n_columns; i++)
		if (strncmp(t->columns[i]->name, name, n) == 0 && t->columns[i]->name[n] == '.')
			return true;
	for (const struct table_alias *a = t->spec->aliases; a && a->name; a++)
		if (strncmp(a->name, name, n) == 0 && a->name[n] == '.')
			return true;
	return false;
}

static void
put_members(struct records *r, struct scan *s, size_t prefix, int depth)
{
	bool params = prefix == strlen("params.") && strncmp(r->name, "params.", prefix) == 0;
	for (size_t i = 0; i < s->n; i++) {
		struct member m = s->m[i];
		int n = snprintf(r->name + prefix, sizeof r->name - prefix, "%.*s", (int)m.key.n,
		    m.key.p);
		size_t end = prefix + (size_t)n;
		if (n < 0 || end + 2 > sizeof r->name)
			continue;
		if (*m.value.p == '{' && depth < MAX_NESTED) {
			struct scan inner = {0};
			if (!wants_members(r->t, r->name, end))
				continue;
			memcpy(r->name + end, ".", 2);
			scan_members(&inner, m.value);
			put_members(r, &inner, end + 1, depth + 1);
			free(inner.m);
			continue;
		}
		char param[NAME_BYTES + 8];
		snprintf(param, sizeof param, "%s_param", r->name + prefix);
		const char *name = params ? param : r->name;
		struct column *c = table_take(r->t, name, strlen(name));
		if (!c)
			continue;
		put_value(r, c, m.value);
		r->any |= !(depth == 0 && strcmp(name, "type") == 0);
	}
}

static bool
wants_type(const struct table *t)
{
	for (size_t i = 0; i < t->spec->n_want; i++)
		if (strcmp(t->spec->want[i].name, "type") == 0)
			return true;
	return false;
}

/* A file of nbscope's metrics is read as its cells: notebooks are their sums, and interactions have
 * a table of their own. */
static bool
is_beside_cells(struct table *t, struct scan *s)
{
	if (t->spec->type || !t->type || strcmp(t->type, "cell_metrics") != 0 || wants_type(t) ||
	    (!scan_type_is(s, "notebook_metrics") && !scan_type_is(s, "interaction_metrics")))
		return false;
	t->skipped += scan_type_is(s, "notebook_metrics");
	return true;
}

/* Records of two types must not be counted together. */
static void
check_type(struct records *r, struct scan *s)
{
	struct table *t = r->t;
	s->next = 0;
	struct span type = scan_get(s, "type");
	if (wants_type(t))
		return;
	if (!t->type)
		t->type = span_string(type);
	if (t->type && !scan_type_is(s, t->type))
		die(ST_INPUT, "%s:%lu:1: records of type '%s' and '%.*s' have these "
		    "columns: choose with --type", r->in->name,
		    r->in->number, t->type, (int)(type.n - 2), type.p + 1);
}

/* Clears a row that does not count. */
static void
clear_row(struct table *t)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		struct column *c = t->columns[i];
		if (c->is_word)
			c->code[t->n_rows] = NO_WORD;
		else if (c->number)
			c->number[t->n_rows] = NAN;
	}
}

void
xtable_records_read(struct table *t, struct table_input *in, const struct path_values *values)
{
	struct lines lines = {.fd = in->fd, .name = in->name, .buf = {.p = in->p, .n = in->n,
	    .cap = in->cap}, .pos = in->at,
		.eof = in->eof};
	struct records r = {.t = t, .in = &lines};
	struct scan s = {.lenient = true};
	size_t len;
	t->line = &lines.number;
	for (char *line; (line = xlines_next(&lines, &len)); ) {
		xscan_record(&s, &lines, line, len);
		if ((t->spec->type && !scan_type_is(&s, t->spec->type)) || is_beside_cells(t, &s))
			continue;
		table_row(t);
		r.any = false;
		put_members(&r, &s, 0, 0);
		if (!r.any) {
			clear_row(t);
			continue;
		}
		if (!t->spec->type)
			check_type(&r, &s);
		table_put_path(t, values);
		table_row_done(t);
	}
	t->line = NULL;
	free(s.m);
	in->p = lines.buf.p;	/* it may have moved */
	in->cap = lines.buf.cap;
}

void
table_records_row(struct table *t, const char *text, size_t n, const struct path_values *values)
{
	struct records r = {.t = t};
	struct scan s = {0};
	scan_members(&s, (struct span){text, n});
	table_row(t);
	put_members(&r, &s, 0, 0);
	table_put_path(t, values);
	table_row_done(t);
	free(s.m);
}
