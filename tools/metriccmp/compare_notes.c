/* abnotes.c: what is said of a comparison above and below its tables. */
#include "compare_table.h"

#include <stdlib.h>

#include "text/text.h"
#include "text/unit.h"

enum { MOST_DIFFERENCES = 20, MOST_FAILURES = 20 };

static void
add_differences(struct buf *b, const struct ab *ab, const char *begin)
{
	size_t shown = 0;
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < ab->differences; i++) {
			const struct ab_difference *d = &ab->difference[i];
			/* What is not meant comes first. */
			if (d->meant != (pass == 1) || shown++ >= MOST_DIFFERENCES)
				continue;
			buf_addf(b, "%s%s: ", begin, d->meant ? "differs, and may" : "differs");
			text_show(b, d->what, 60);
			buf_addf(b, ": ");
			text_show(b, d->base, 80);
			buf_addf(b, " | ");
			text_show(b, d->label_value, 80);
			ab_end_line(b);
		}
	if (shown > MOST_DIFFERENCES)
		buf_addf(b, "%sand %zu more\n", begin, shown - MOST_DIFFERENCES);
}

static void
add_failures(struct buf *b, const struct ab *ab, const char *begin)
{
	for (size_t i = 0; i < ab->failures && i < MOST_FAILURES; i++) {
		const struct ab_failure *f = &ab->failure[i];
		char *name = ab_cell_name(f->cell);
		buf_addf(b, "%sdid not complete: ", begin);
		text_show(b, name, 2 * NAME_COLUMNS);
		buf_addf(b, ": in %zu of %zu runs of ", f->base_failed, f->base_runs);
		text_show(b, ab->m->label[ab->base].name, NAME_COLUMNS);
		buf_addf(b, ", %zu of %zu of ", f->failed, f->runs);
		text_show(b, ab->m->label[f->label].name, NAME_COLUMNS);
		ab_end_line(b);
		free(name);
	}
	if (ab->failures > MOST_FAILURES)
		buf_addf(b, "%sand %zu more\n", begin, ab->failures - MOST_FAILURES);
}

/* A machine is not the same an hour later. */
static void
add_turns(struct buf *b, const struct ab *ab, const char *begin)
{
	for (size_t i = 0; i < ab->turns_n; i++) {
		const struct ab_turns *t = &ab->turns[i];
		const char *label = ab->m->label[t->label].name, *base = ab->m->label[ab->base].name;
		if (!t->told)
			continue;
		buf_addf(b, "%s", begin);
		if (t->apart_s > 0) {
			buf_addf(b, "not by turns: the last run of ");
			text_show(b, t->before ? label : base, NAME_COLUMNS);
			buf_addf(b, " began ");
			unit_print(b, t->apart_s, &(struct unit){"s", OF_TIME, 1}, false);
			buf_addf(b, " before the first of ");
			text_show(b, t->before ? base : label, NAME_COLUMNS);
			buf_addf(b, "; what else the machine did may be taken for a change (make ab)\n");
		} else {
			buf_addf(b, "by turns, ");
			text_show(b, json_string_value(json_object_get(t->order, "a")), NAME_COLUMNS);
			buf_addf(b, " (A) and ");
			text_show(b, json_string_value(json_object_get(t->order, "b")), NAME_COLUMNS);
			buf_addf(b, " (B): ");
			text_show(b, json_string_value(json_object_get(t->order, "order")), 40);
			buf_addf(b, ", seed %" JSON_INTEGER_FORMAT "\n", json_integer_value(json_object_get(t->order, "seed")));
		}
	}
}

/* The honest statement about what the correction leaves room for. */
static void
add_notes(struct buf *b, const struct ab *ab, const struct ab_settings *s, const char *begin)
{
	const struct compared *c = &ab->sum;
	if (c->family && c->alone < c->family) {
		buf_addf(b, "%s%zu of %zu tests could not be flagged%s, whatever their values: %zu against %zu runs have no p below %.2g, and one of %zu tests wants %.2g",
		    begin, c->family - c->alone, c->family, c->together > 1 ? " alone" : "", c->least_m, c->least_n, c->least_p, c->family, s->how.alpha / (double)c->family);
		if (c->together > 1)
			buf_addf(b, "; %zu would have to change at once", c->together);
		buf_addf(b, "\n");
	}
	if (ab->only_base || ab->only_label)
		buf_addf(b, "%scells of one label alone: %zu of the base's, %zu of the others'\n", begin, ab->only_base, ab->only_label);
}

void
ab_notes_before(struct buf *b, const struct ab *ab, const char *begin)
{
	add_differences(b, ab, begin);
	add_failures(b, ab, begin);
}

void
ab_notes_after(struct buf *b, const struct ab *ab, const struct ab_settings *s, const char *begin)
{
	add_notes(b, ab, s, begin);
	add_turns(b, ab, begin);
}
