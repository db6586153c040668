/* profile_item.c: a line or a function of a cell, as text and as the beginning of a record. */
#include "profile_item.h"
#include "base/die.h"
#include "json/json_value.h"
#include "profile/profile_text.h"

struct profile_item
profile_item_line(const struct profile_cell *c, const struct profile_code *code,
    const struct profile_line *l)
{
	return (struct profile_item){c, true, code->file, code->function, l->line, &l->values};
}

struct profile_item
profile_item_function(const struct profile_cell *c, const struct profile_function *f)
{
	return (struct profile_item){c, false, f->file, f->function, f->line, &f->values};
}

void
profile_item_text(struct buf *b, const struct profile_item *i)
{
	profile_text_cell(b, i->cell);
	buf_addf(b, ": %s ", i->is_line ? "line" : "function");
	profile_text_place(b, i->file, i->line, i->function);
}

void
profile_item_write(const struct profile_item *i, const char *type, json_t *members)
{
	json_t *r = json_pack("{s:s, s:s?, s:o, s:b, s:s, s:s, s:o, s:s?}", "type", type,
	    "usecase", i->cell->usecase, "cell_index",
	    i->cell->index ? json_integer(i->cell->index) : json_null(), "page", i->cell->page,
	    "of", i->is_line ? "line" : "function", "file", i->file,
	    "line", i->line ? json_integer(i->line) : json_null(), "function", i->function);
	if (!r || !members || json_object_update_new(r, members) != 0)
		die(ST_SYSTEM, "out of memory");
	xlines_write(r);
	json_decref(r);
}
