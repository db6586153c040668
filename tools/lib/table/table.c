/* table.c: the columns that are kept, and their values. */
#include "table/table.h"
#include "base/die.h"
#include "base/num.h"
#include "table/column_unit.h"
#include "table/column_words.h"
#include "table/table_bad.h"
#include "table/table_memory.h"
#include "table/table_numbers.h"
#include "table/table_rows.h"
#include "table/table_sizes.h"
#include "table/table_words.h"

/* ---- columns ---------------------------------------------------------------------- */

/* "-1" of "column=-1", or of all columns. */
static void
set_missing_words(struct column *c, const struct table_spec *spec)
{
	size_t n = strlen(c->name);
	for (size_t i = 0; spec && spec->missing && spec->missing[i]; i++) {
		const char *text = spec->missing[i], *eq = strrchr(text, '=');
		if (eq && ((size_t)(eq - text) != n || strncmp(text, c->name, n) != 0))
			continue;
		c->missing = xrealloc(c->missing, (c->n_missing + 1) * sizeof *c->missing);
		c->missing[c->n_missing++] = eq ? eq + 1 : text;
	}
}

/* The first column of a name is found by it. */
static void
index_column(struct table *t, size_t i)
{
	const char *name = t->columns[i]->name;
	if (!t->by_name)
		t->by_name = json_object();
	if (!json_object_get(t->by_name, name))
		json_object_set_new_nocheck(t->by_name, name, json_integer((json_int_t)i));
}

/* Makes room for the rows that there are. */
static void
keep_column(struct table *t, struct column *c, enum keep keep)
{
	c->keep = keep;
	if (t->cap) {
		table_rows_grow(c, t->cap);
		table_rows_clear(c, 0, t->cleared);
	}
}

static struct column *
add_column(struct table *t, const char *name, size_t n, enum keep keep)
{
	struct column *c = xmalloc(sizeof *c);
	*c = (struct column){.name = xasprintf("%.*s", (int)n, name),
	    .is_word = keep == KEEP_WORD};
	c->unit = column_unit_named(c->name);
	c->measures = c->unit.quantity ? c->unit.quantity : column_measures(c->name);
	set_missing_words(c, t->spec);
	keep_column(t, c, keep);
	t->columns = xrealloc(t->columns, (t->n_columns + 1) * sizeof(struct column *));
	t->columns[t->n_columns++] = c;
	index_column(t, t->n_columns - 1);
	return c;
}

static struct column *
find_column(const struct table *t, const char *name, size_t n)
{
	const json_t *at = json_object_getn(t->by_name, name, n);
	return at ? t->columns[json_integer_value(at)] : NULL;
}

struct column *
table_column(const struct table *t, const char *name)
{
	return find_column(t, name, strlen(name));
}

struct column *
table_cores(const struct table *t)
{
	for (size_t i = 0; i < t->n_columns; i++)
		for (const char *const *name = column_names_of_cores; *name; name++)
			if (strcasecmp(t->columns[i]->name, *name) == 0 &&
			    table_has_numbers(t, t->columns[i]))
				return t->columns[i];
	return NULL;
}

struct column *
xtable_column(const struct table *t, const char *name, bool numbers)
{
	struct column *c = table_column(t, name);
	if (!c)
		die(ST_USAGE, "no column '%s'", name);
	if (numbers && c->is_word)
		die(ST_USAGE, "column '%s' does not hold numbers", name);
	return c;
}

struct column *
table_take(struct table *t, const char *name, size_t n)
{
	const struct table_alias *a = t->spec->aliases;
	table_sizes_note(t, name, n);
	for (; a && a->name; a++)
		if (strlen(a->name) == n && strncmp(a->name, name, n) == 0)
			break;
	if (a && a->name) {
		name = a->column;
		n = strlen(name);
	}
	struct column *c = find_column(t, name, n);
	if (!c && t->spec->others != KEEP_NOT)
		c = add_column(t, name, n, t->spec->others);
	if (c && c->optional && c->keep == KEEP_NOT)
		keep_column(t, c, KEEP_NUMBER);
	return c && c->keep != KEEP_NOT ? c : NULL;
}

struct column *
table_add_numbers(struct table *t, const char *name)
{
	return add_column(t, name, strlen(name), KEEP_NUMBER);
}

struct column *
table_add_words(struct table *t, const char *name)
{
	return add_column(t, name, strlen(name), KEEP_WORD);
}

void
table_set_word(struct column *c, size_t row, const char *word)
{
	c->code[row] = word ? table_word_code(c, word, strlen(word)) : NO_WORD;
}

const char *
table_word(const struct column *c, size_t row)
{
	return c->is_word && c->code[row] != NO_WORD ? c->words[c->code[row]] : NULL;
}

bool
table_has_numbers(const struct table *t, const struct column *c)
{
	for (size_t row = 0; !c->is_word && row < t->n_rows; row++)
		if (!isnan(c->number[row]))
			return true;
	return false;
}

const char *
table_text_in(const struct column *c, size_t row, char room[40])
{
	if (c->is_word || isnan(c->number[row]))
		return table_word(c, row);
	num_text(room, c->number[row]);
	return room;
}

char *
table_text(const struct column *c, size_t row)
{
	char room[40];
	const char *text = table_text_in(c, row, room);
	return text ? xstrdup(text) : NULL;
}

/* ---- begin and end ----------------------------------------------------------------------- */

const struct table_file *
table_file_of(const struct table *t, size_t row)
{
	size_t lo = 0, hi = t->n_files;
	while (hi - lo > 1) {
		size_t middle = lo + (hi - lo) / 2;
		if (t->files[middle].first_row <= row)
			lo = middle;
		else
			hi = middle;
	}
	return &t->files[lo];
}

char *
table_example_text(const struct table *t, const struct table_example *e)
{
	if (!e->text)
		return xstrdup("");
	const struct table_file *f = table_file_of(t, e->row);
	if (e->line)
		return xasprintf("'%s' (%s:%lu)", e->text, f->path, e->line);
	return xasprintf("'%s' (%s, row %zu)", e->text, f->path, e->row - f->first_row + 1);
}

static void
free_column(struct column *c)
{
	free(c->name);
	table_memory_free(c->number);
	table_memory_free(c->code);
	free(c->words);	/* the texts live as long as the process */
	free(c->slots);
	free(c->missing);
	for (size_t i = 0; i < N_REMARKS; i++)
		free(c->remarks[i].text);
	free(c);
}

/* Columns that turned out not to be numbers. */
static void
drop_columns(struct table *t)
{
	size_t n = 0;
	t->left_out = xmalloc((t->n_columns + 1) * sizeof(struct column *));
	for (size_t i = 0; i < t->n_columns; i++) {
		if (t->columns[i]->optional && !t->columns[i]->met)
			free_column(t->columns[i]);
		else if (t->columns[i]->keep == KEEP_NOT)
			t->left_out[t->n_left_out++] = t->columns[i];
		else
			t->columns[n++] = t->columns[i];
	}
	t->n_columns = n;
	json_object_clear(t->by_name);
	for (size_t i = 0; i < n; i++)
		index_column(t, i);
}

static void
check_wanted(const struct table *t)
{
	for (size_t i = 0; i < t->spec->n_want; i++) {
		const struct column *c = table_column(t, t->spec->want[i].name);
		if (c && (c->met || c->optional || t->n_rows == 0))
			continue;
		die(ST_INPUT, "no column '%s' in '%s'%s", t->spec->want[i].name, t->n_files
		    ? t->files[0].path : "", t->n_files > 1 ? " and the files after it" : "");
	}
}

void
xtable_begin(struct table *t, const struct table_spec *spec)
{
	*t = (struct table){.spec = spec};
	for (size_t i = 0; i < spec->n_want; i++) {
		const struct table_want *w = &spec->want[i];
		bool optional = w->keep == KEEP_IF_MET;
		if (!table_column(t, w->name))
			add_column(t, w->name, strlen(w->name), optional ? KEEP_NOT :
			    w->keep)->optional = optional;
	}
}

void
xtable_end(struct table *t)
{
	check_wanted(t);
	table_bad_end(t);
	drop_columns(t);
	/* A word that is added later makes them again. */
	for (size_t i = 0; i < t->n_columns; i++) {
		free(t->columns[i]->slots);
		t->columns[i]->slots = NULL;
		t->columns[i]->n_slots = 0;
	}
	t->spec = NULL;
}

void
table_free(struct table *t)
{
	for (size_t i = 0; i < t->n_columns; i++)
		free_column(t->columns[i]);
	for (size_t i = 0; i < t->n_left_out; i++)
		free_column(t->left_out[i]);
	free(t->left_out);
	for (size_t i = 0; i < t->n_files; i++)
		free(t->files[i].path);
	free(t->columns);
	json_decref(t->by_name);
	free(t->files);
	free(t->type);
	*t = (struct table){0};
}
