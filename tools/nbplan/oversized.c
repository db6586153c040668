/* oversized.c: the combinations that need more memory than there is, by parameter values.
 * Combinations with the same values of the parameters that the need depends on are one set: there
 * are few sets even if there are many combinations.
 */
#include "oversized.h"
#include "base/die.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 1 << 16, MAX_LISTED = 8 };

struct oversized_set {
	char *values;	/* "3 1000 " */
	double need;
	size_t skipped;
	bool listed;
};

void
oversized_start(struct oversized *o, const struct expr *need, double limit)
{
	*o = (struct oversized){.need = need, .limit = limit, .all = {.low = INFINITY}};
	o->numbers = json_object();
	o->fitting = json_object();
}

/* "side=1000": the value of a parameter in a set. */
static char *
value_text(const struct oversized *o, const char *values, size_t param)
{
	for (size_t i = 0; i < param; i++)
		values = strchr(values, ' ') + 1;
	return xasprintf("%s=%.*s", o->need->params[param].name, (int)strcspn(values, " "), values);
}

static void
add_to_row(struct oversized_row *row, double bytes, size_t n)
{
	row->n += n;
	row->low = fmin(row->low, bytes);
	row->high = fmax(row->high, bytes);
}

static void
add_set(struct oversized *o, double bytes)
{
	const char *values = o->text.p;
	o->sets = xgrow(o->sets, o->n_sets, &o->cap, sizeof *o->sets);
	json_object_set_new(o->numbers, values, json_integer((json_int_t)o->n_sets));
	o->sets[o->n_sets++] = (struct oversized_set){.values = xstrdup(values), .need = bytes};
	for (size_t i = 0; i < o->need->n_params && bytes <= o->limit; i++) {
		char *text = value_text(o, values, i);
		json_object_set_new(o->fitting, text, json_null());
		free(text);
	}
}

void
oversized_add(struct oversized *o, struct scan *params, double bytes, bool skipped)
{
	if (skipped)
		add_to_row(&o->all, bytes, 1);
	if (o->too_many)
		return;
	o->text.n = 0;
	buf_add(&o->text, "", 0);
	for (size_t i = 0; i < o->need->n_params; i++) {
		struct span v = scan_get(params, o->need->params[i].name);
		buf_add(&o->text, v.p, v.n);
		buf_add(&o->text, " ", 1);
	}
	json_t *number = json_object_get(o->numbers, o->text.p);
	o->too_many = !number && o->n_sets == MAX_SETS;
	if (o->too_many)
		return;
	if (!number)
		add_set(o, bytes);
	o->sets[number ? (size_t)json_integer_value(number) : o->n_sets - 1].skipped += skipped;
}

/* ---- the table ---- */

static void
list_set(struct oversized_row *row, struct oversized_set *s)
{
	add_to_row(row, s->need, s->skipped);
	s->listed = true;
}

/* The values of a parameter with which nothing fits. */
static struct oversized_row
param_row(struct oversized *o, size_t param)
{
	struct oversized_row row = {.low = INFINITY};
	struct buf what = {0};
	json_t *seen = json_object();
	size_t name = strlen(o->need->params[param].name) + strlen("="), n;
	for (size_t i = 0; i < o->n_sets; i++) {
		struct oversized_set *s = &o->sets[i];
		if (!s->skipped || s->listed)
			continue;
		char *text = value_text(o, s->values, param);
		if (!json_object_get(o->fitting, text)) {
			list_set(&row, s);
			n = json_object_size(seen);
			if (n < MAX_LISTED && !json_object_get(seen, text))
				buf_addf(&what, "%s%s", n ? "," : "", n ? text + name : text);
			json_object_set_new(seen, text, json_null());
		}
		free(text);
	}
	n = json_object_size(seen);
	if (n > MAX_LISTED)
		buf_addf(&what, ",... (%zu values)", n);
	row.what = what.p;
	json_decref(seen);
	return row;
}

static struct oversized_row
set_row(const struct oversized *o, struct oversized_set *s)
{
	struct oversized_row row = {.low = INFINITY};
	struct buf what = {0};
	for (size_t i = 0; i < o->need->n_params; i++) {
		char *text = value_text(o, s->values, i);
		buf_addf(&what, "%s%s", i ? " " : "", text);
		free(text);
	}
	list_set(&row, s);
	row.what = what.p;
	return row;
}

/* All sets that are left, if there are many. */
static struct oversized_row
rest_row(const struct oversized *o, size_t n)
{
	struct oversized_row row = {.low = INFINITY};
	struct buf what = {0};
	buf_addf(&what, "%zu sets of values of", n);
	for (size_t i = 0; i < o->need->n_params; i++)
		buf_addf(&what, "%s %s", i ? "," : "", o->need->params[i].name);
	for (size_t i = 0; i < o->n_sets; i++)
		if (o->sets[i].skipped && !o->sets[i].listed)
			list_set(&row, &o->sets[i]);
	row.what = what.p;
	return row;
}

static int
larger_first(const void *a, const void *b)
{
	const struct oversized_row *x = a, *y = b;
	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return (x->low < y->low) - (x->low > y->low);
}

size_t
oversized_table(struct oversized *o, struct oversized_row **table)
{
	struct oversized_row *rows = xmalloc((o->need->n_params + MAX_LISTED + 1) * sizeof *rows);
	size_t n = 0, left = 0;
	bool any_fits = json_object_size(o->fitting) > 0;
	*table = rows;
	if (o->all.n && (o->too_many || !any_fits)) {
		rows[n] = o->all;
		rows[n++].what = o->too_many ? xasprintf("more than %d sets of values", MAX_SETS) :
		    xstrdup("every combination");
		return n;
	}
	for (size_t i = 0; i < o->need->n_params; i++) {
		rows[n] = param_row(o, i);
		n += rows[n].n > 0;
	}
	for (size_t i = 0; i < o->n_sets; i++)
		left += o->sets[i].skipped && !o->sets[i].listed;
	if (left > MAX_LISTED)
		rows[n++] = rest_row(o, left);
	for (size_t i = 0; i < o->n_sets; i++)
		if (o->sets[i].skipped && !o->sets[i].listed)
			rows[n++] = set_row(o, &o->sets[i]);
	qsort(rows, n, sizeof *rows, larger_first);
	return n;
}
