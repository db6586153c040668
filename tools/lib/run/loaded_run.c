/* loaded_run.c: a run held in memory. */
#include "run/loaded_run.h"
#include "base/die.h"
#include "json/json_parse.h"
#include "json/json_value.h"
#include "text/source_line.h"

void
loaded_run_clear(struct loaded_run *r)
{
	for (size_t i = 0; i < r->n; i++) {
		json_decref(r->cells[i].record);
		free(r->cells[i].source);
		free(r->cells[i].reason);
	}
	free(r->cells);
	free(r->turns);
	free(r->name);
	free(r->notebook);
	free(r->label);
	json_decref(r->record);
	*r = (struct loaded_run){.t = NAN, .status = "incomplete"};
}

/* NULL, or a copy of `otherwise`, if it is no text. */
static char *
text_of(const json_t *record, const char *key, const char *otherwise)
{
	const json_t *text = json_object_get(record, key);
	if (json_is_string(text))
		return json_parse_string(text);
	return otherwise ? xstrdup(otherwise) : NULL;
}

static char *
reason_of(const json_t *record)
{
	char *name = text_of(record, "error_name", NULL);
	if (!name)
		return text_of(record, "reason", NULL);
	char *value = text_of(record, "error_value", NULL);
	if (!value)
		return name;
	char *reason = xasprintf("%s: %s", name, value);
	free(name);
	free(value);
	return reason;
}

static void
append_cell(struct loaded_run *r, const struct run_cell *cell, json_t *record)
{
	struct run_cell *c = XAPPEND(r->cells, r->n);
	*c = *cell;
	c->record = record;
	c->source = text_of(record, "source", "");
	c->reason = reason_of(record);
}

static void
begin_held(struct loaded_run *r, const struct run_reader *reader, json_t *record)
{
	loaded_run_clear(r);
	r->record = record;
	r->name = text_of(record, "name", "?");
	r->notebook = text_of(record, "notebook", r->name);
	r->label = text_of(record, "label", "?");
	r->t = reader->t;
	double repetition = json_value_real_at(record, "repetition");
	r->repetition = repetition >= 1 && repetition <= 1e9 ? (long)repetition : 1;
}

enum run_record
loaded_run_read(struct loaded_run *r, struct run_reader *reader, struct scan *s,
    const struct lines *in, const char *line, size_t len)
{
	enum run_record kind = run_read(reader, s);
	if (kind == RUN_BEGIN)
		begin_held(r, reader, xlines_parse(in, line, len));
	else if (kind == RUN_CELL)
		append_cell(r, &reader->cell, xlines_parse(in, line, len));
	else if (kind == RUN_END)
		r->status = cell_status_word(reader->end.status);
	return kind;
}

void
xloaded_run_index(const struct run_cell *c, const struct lines *in)
{
	if (!c->index)
		die(ST_INPUT, "%s:%lu:1: a cell without cell_index", in->name, in->number);
}

/* ---- which cell a time belongs to ---------------------------------------------------- */

struct held_turn {
	const struct run_cell *cell;
	double until_t;	/* the latest end of the cells up to this one */
};

static int
by_turn(const void *pa, const void *pb)
{
	const struct held_turn *a = pa, *b = pb;
	if (a->cell->turn_t != b->cell->turn_t)
		return a->cell->turn_t < b->cell->turn_t ? -1 : 1;
	return (a->cell > b->cell) - (a->cell < b->cell);
}

static void
order_cells(struct loaded_run *r)
{
	r->turns = xmalloc((r->n + 1) * sizeof *r->turns);
	for (size_t i = 0; i < r->n; i++)
		if (isfinite(r->cells[i].turn_t) && isfinite(r->cells[i].end_t))
			r->turns[r->n_turns++].cell = &r->cells[i];
	qsort(r->turns, r->n_turns, sizeof *r->turns, by_turn);
	double until_t = -INFINITY;
	for (size_t i = 0; i < r->n_turns; i++)
		r->turns[i].until_t = until_t = fmax(until_t, r->turns[i].cell->end_t);
}

const struct run_cell *
loaded_run_cell_at(struct loaded_run *r, double t)
{
	if (!r->turns)
		order_cells(r);
	size_t from = 0, to = r->n_turns;	/* turns[from - 1] begins by t, turns[to] later */
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (r->turns[middle].cell->turn_t <= t)
			from = middle + 1;
		else
			to = middle;
	}
	for (; from > 0 && r->turns[from - 1].until_t >= t; from--)
		if (run_cell_has(r->turns[from - 1].cell, t))
			return r->turns[from - 1].cell;
	return NULL;
}

const char *
loaded_run_line(const struct run_cell *c)
{
	enum { MAX_BYTES = 4096 };
	static char *line;
	free(line);
	line = source_line(c->source, MAX_BYTES);
	return line;
}
