/* profile_below.c: own lines as sampled, and what they call of others. */
#include "profile_below.h"
#include "base/die.h"
#include "json/json_value.h"
#include "profile/profile_place.h"
#include "profile/profile_record.h"

static void
fold_callee(struct profile_below *b, const json_t *row)
{
	const char *file = json_string_value(json_array_get(row, 0));
	const char *function = json_string_value(json_array_get(row, 1));
	size_t i = 0;
	if (!file || !function)
		return;
	while (i < b->n_callees && !(strcmp(b->callees[i].file, file) == 0 &&
	    strcmp(b->callees[i].function, function) == 0))
		i++;
	if (i == b->n_callees)
		*XAPPEND(b->callees, b->n_callees) =
		    (struct profile_callee){xstrdup(file), xstrdup(function), 0};
	b->callees[i].time_s += json_number_value(json_array_get(row, 2));
}

void
xprofile_below_fold(struct profile_cell *c, struct scan *s, const struct lines *in,
    const struct profile_fold *f)
{
	(void)f;
	const char *type = "profile_below";
	json_t *list = span_json(scan_get(s, "below")), *row;
	size_t k;
	bool threads = span_is(scan_get(s, "threads"), "true");
	struct profile_below new = {.file = xprofile_record_text(s, in, type, "file"),
		.function = xprofile_record_text(s, in, type, "function"),
		.source = scan_string(s, "source"), .threads = threads,
		.first_line = profile_record_line(s, "first_line"),
		.line = profile_record_line(s, "line")};
	size_t i = xjson_value_index(c->by_key, xasprintf("b%d%s\n%ld\n%ld\n%s", threads, new.file,
	    new.first_line, new.line, new.function), c->n_below);
	if (i == c->n_below) {
		*XAPPEND(c->below, c->n_below) = new;
	} else {
		free(new.file);
		free(new.function);
		free(new.source);
	}
	struct profile_below *b = &c->below[i];
	b->uncounted |= span_is(scan_get(s, "uncounted"), "true");
	b->time_s += profile_record_amount(s, "time_s");
	b->inner_s += profile_record_amount(s, "inner_s");
	b->leaf_s += profile_record_amount(s, "leaf_s");
	json_array_foreach(list, k, row)
		fold_callee(b, row);
	json_decref(list);
}

const struct profile_callee *
profile_below_innermost(const struct profile_below *b)
{
	const struct profile_callee *best = NULL;
	enum profile_owner of_best = OWNER_STANDARD;
	for (size_t i = 0; i < b->n_callees; i++) {
		const struct profile_callee *k = &b->callees[i];
		enum profile_owner owner = profile_place_owner(k->file);
		if (k->time_s < b->time_s / 2 || *k->file == '<' ||
		    (owner != OWNER_PACKAGE && owner != OWNER_STANDARD))
			continue;
		if (!best || (owner == OWNER_PACKAGE && of_best == OWNER_STANDARD) ||
		    (owner == of_best && k->time_s <= best->time_s)) {
			best = k;
			of_best = owner;
		}
	}
	return best;
}
