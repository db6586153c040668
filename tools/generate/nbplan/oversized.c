/* oversized.c: the combinations that need more memory than there is, counted for each value of the
 * parameters that the need depends on. */
#include "oversized.h"
#include "base/die.h"

enum { MAX_LISTED = 8 };

struct oversized_value {
	size_t param;
	char *text;
	bool fits;	/* some combination with this value does */
	struct oversized_row skipped;
};

void
oversized_start(struct oversized *o, const struct expr *need, double limit)
{
	*o = (struct oversized){.need = need, .limit = limit, .all = {.low = INFINITY},
		.numbers = json_object()};
}

static void
add_to_row(struct oversized_row *row, size_t n, double low, double high)
{
	row->n += n;
	row->low = fmin(row->low, low);
	row->high = fmax(row->high, high);
}

static struct oversized_value *
add_value(struct oversized *o, size_t param, struct span v)
{
	char *key = xasprintf("%zu=%.*s", param, (int)v.n, v.p);
	json_t *number = json_object_get(o->numbers, key);
	if (!number) {
		number = json_integer((json_int_t)o->n_values);
		*XAPPEND(o->values, o->n_values) = (struct oversized_value){.param = param,
			.text = xasprintf("%.*s", (int)v.n, v.p), .skipped = {.low = INFINITY}};
		json_object_set_new(o->numbers, key, number);
	}
	free(key);
	return &o->values[json_integer_value(number)];
}

void
oversized_add(struct oversized *o, struct scan *params, double bytes, bool skipped)
{
	bool fits = bytes <= o->limit;
	o->any_fits |= fits;
	if (skipped)
		add_to_row(&o->all, 1, bytes, bytes);
	for (size_t i = 0; i < o->need->n_params; i++) {
		struct oversized_value *v = add_value(o, i,
		    scan_get(params, o->need->params[i].name));
		v->fits |= fits;
		if (skipped)
			add_to_row(&v->skipped, 1, bytes, bytes);
	}
}

/* ---- the table ---- */

/* The skipped combinations with a value of this parameter with which nothing fits, or with
 * another one.  Each combination has one value of it, so none is counted twice. */
static struct oversized_row
param_row(const struct oversized *o, size_t param, bool fits)
{
	struct oversized_row row = {.low = INFINITY};
	struct buf what = {0};
	size_t n = 0;
	buf_addf(&what, "%s=", o->need->params[param].name);
	for (size_t i = 0; i < o->n_values; i++) {
		const struct oversized_value *v = &o->values[i];
		if (v->param != param || v->fits != fits || !v->skipped.n)
			continue;
		add_to_row(&row, v->skipped.n, v->skipped.low, v->skipped.high);
		if (n++ < MAX_LISTED)
			buf_addf(&what, "%s%s", n > 1 ? "," : "", v->text);
	}
	if (n > MAX_LISTED)
		buf_addf(&what, ",... (%zu values)", n);
	row.what = what.p;
	return row;
}

static char *
values_together(const struct expr *need)
{
	struct buf b = {0};
	for (size_t i = 0; i < need->n_params; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", need->params[i].name);
	buf_addf(&b, " together");
	return b.p;
}

size_t
oversized_table(const struct oversized *o, struct oversized_row rows[OVERSIZED_ROWS])
{
	size_t n = 0, explains = 0;
	rows[0] = o->all;
	if (!o->all.n)
		return 0;
	if (!o->any_fits) {
		rows[0].what = xstrdup("every combination");
		return 1;
	}
	rows[0].n = 0;
	for (size_t i = 0; i < o->need->n_params; i++) {
		struct oversized_row row = param_row(o, i, false);
		bool more = row.n > rows[0].n;
		free(more ? rows[0].what : row.what);
		rows[0] = more ? row : rows[0];
		explains = more ? i : explains;
		n |= more;
	}
	rows[n] = param_row(o, explains, true);
	free(rows[n].what);
	rows[n].what = values_together(o->need);
	return n + (rows[n].n > 0);
}
