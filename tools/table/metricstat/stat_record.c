/* stat_record.c: statistics of groups, and the largest rows, as records. */
#include "stat_record.h"
#include "stats/exact_sum.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_value.h"
#include "json/member.h"
#include "table/column_unit.h"
#include "table/statistic.h"
#include "table/table_memory.h"

/* Sets the member to the text, which it frees; NULL: to null. */
static void
set_text(json_t *object, const char *key, char *text)
{
	json_object_set_new(object, key, text ? json_string(text) : json_null());
	free(text);
}

json_t *
stat_record_group(const struct stat_table *s, size_t group)
{
	json_t *key = json_object();
	for (size_t i = 0; i < s->n_by; i++)
		set_text(key, s->by[i]->name, group < s->g.n ? table_group_key(&s->g, group, i) :
		    NULL);
	return key;
}

json_t *
stat_record_row_key(const struct stat_table *s, size_t row, const struct list *shown)
{
	json_t *key = json_object();
	for (size_t i = 0; i < s->n_by; i++)
		set_text(key, s->by[i]->name, table_text(s->by[i], row));
	for (size_t i = 0; i < shown->n; i++)
		set_text(key, shown->v[i], table_text(table_column(&s->t, shown->v[i]), row));
	return key;
}

json_t *
stat_record_unit(const struct column *c)
{
	struct unit u = column_unit(c->name);
	return *u.symbol ? json_string(u.symbol) : json_null();
}

static void
add_group(struct buf *b, const struct stat_table *s, size_t group)
{
	char room[40];
	member_raw(b, "\"group\":{");
	for (size_t i = 0; i < s->n_by; i++)
		member_string(b, s->by[i]->name, group < s->g.n ?
		    table_text_in(s->by[i], s->g.rows[s->g.first[group]], room) : NULL);
	member_end(b);
	member_raw(b, ",");
}

static void
add_percentiles(struct buf *b, const struct stat_table *s, const struct stat_figure *f)
{
	const struct wanted *w = &s->wanted[f->column];
	member_raw(b, "\"percentiles\":{");
	for (size_t i = 0; i < w->n; i++) {
		char name[24];
		stat_percentile_name(name, w->p[i]);
		member_real(b, name, s->of[f->column]->is_word ? (double)NAN :
		    f->percentiles[i]);
	}
	member_end(b);
	member_raw(b, ",");
}

static void
add_statistic(struct buf *b, const struct stat_table *s, const struct stat_figure *f,
    enum statistic i)
{
	double x = statistic_value(f, i);
	if (statistics[i].kind == CELL_COUNT)
		member_number(b, statistics[i].member, x, true);
	else
		member_real(b, statistics[i].member, s->of[f->column]->is_word ? (double)NAN : x);
}

/* What all records of a column have. */
struct column_part {
	struct buf text;	/* its name and unit */
	bool adds_up, is_ratio;
};

static const struct column_part *
parts_of(const struct stat_table *s)
{
	static struct column_part *parts;
	const double *below;
	double scale;
	if (parts)
		return parts;
	parts = xmalloc(s->n_of * sizeof *parts);
	for (size_t i = 0; i < s->n_of; i++) {
		const char *name = s->of[i]->name;
		struct unit unit = column_unit(name);
		parts[i] = (struct column_part){.adds_up = column_adds_up(name),
		    .is_ratio = derive_parts(name, &below, &scale) != NULL};
		member_string(&parts[i].text, "column", name);
		member_string(&parts[i].text, "unit", *unit.symbol ? unit.symbol : NULL);
	}
	return parts;
}

void
stat_record_figure(struct buf *b, const struct stat_table *s, const struct stat_figure *f)
{
	const struct column_part *part = &parts_of(s)[f->column];
	member_raw(b, "{\"type\":\"stat\",");
	add_group(b, s, f->group);
	member_raw(b, f->group == s->g.n ? "\"total\":true," : "\"total\":false,");
	buf_add(b, part->text.p, part->text.n);
	for (enum statistic i = 0; i < STATISTICS; i++)
		if (i >= STAT_SUM && i <= STAT_CUMULATED && !part->adds_up)
			member_real(b, statistics[i].member, (double)NAN);
		else if (statistics[i].member && !statistics[i].if_asked)
			add_statistic(b, s, f, i);
	add_percentiles(b, s, f);
	member_string(b, "percentile_method", quantile_name(s->method));
	if (s->unique)
		add_statistic(b, s, f, STAT_UNIQUE);
	if (part->is_ratio)
		add_statistic(b, s, f, STAT_RATIO);
	if (s->rule.kind != NO_RULE) {
		member_string(b, "outlier_rule", s->rule.text);
		member_real(b, "outlier_below", f->low);
		member_real(b, "outlier_above", f->high);
		add_statistic(b, s, f, STAT_OUTLIERS);
	}
	member_end(b);
}

/* ---- the largest rows ------------------------------------------------------------ */

bool
stat_record_is_source(const struct column *c)
{
	return strcmp(c->name, c->is_word ? TABLE_SOURCE_FILE : TABLE_SOURCE_ROW) == 0;
}

void
stat_record_set_row(json_t *r, const struct table *t, size_t row)
{
	const struct table_file *f = table_file_of(t, row);
	const char *path = f->path;
	size_t number = row - f->first_row + 1;
	for (size_t i = 0; i < t->n_columns; i++) {
		const struct column *c = t->columns[i];
		if (!stat_record_is_source(c))
			continue;
		if (!c->is_word)
			number = c->number[row] >= 1 ? (size_t)c->number[row] : number;
		else if (table_word(c, row))
			path = table_word(c, row);
	}
	json_object_set_new(r, "file", json_string(path));
	json_object_set_new(r, "row", json_integer((json_int_t)number));
}

/* The `most` largest rows of the chosen groups, in order, those that equal the last after them, and
 * the sum of all, NaN if one is negative; returns how many.  The caller frees them. */
static size_t
find_largest(const struct stat_table *s, const struct column *c, size_t most, struct num_at **top,
    double *total)
{
	size_t n = 0, kept = 0;
	struct exact sum = {0};
	double *v = table_memory_resize(NULL, (s->g.first[s->g.n] + 1) * sizeof *v);
	double least = -(double)INFINITY, smallest = 0;
	for (size_t g = 0; g < s->g.n; g++)
		for (size_t k = s->g.first[g]; stat_is_chosen(s, g) && k < s->g.first[g + 1]; k++) {
			double x = c->number[s->g.rows[k]];
			if (isnan(x))
				continue;
			exact_add(&sum, x);
			smallest = fmin(smallest, x);
			v[n++] = x;
		}
	/* That of rank n - most, from 1 on. */
	double p = ((double)n - (double)most - 0.5) / ((double)n - 1);
	if (n > most)
		quantile_many(v, n, &p, 1, Q_LOWER, &least);
	for (size_t i = 0; i < n; i++)
		kept += v[i] >= least;
	table_memory_free(v);
	struct num_at *to = *top = xmalloc((kept + 1) * sizeof *to);
	for (size_t g = 0; g < s->g.n; g++)
		for (size_t k = s->g.first[g]; stat_is_chosen(s, g) && k < s->g.first[g + 1]; k++)
			if (c->number[s->g.rows[k]] >= least)
				*to++ = (struct num_at){c->number[s->g.rows[k]], s->g.rows[k]};
	qsort(*top, kept, sizeof **top, num_descending);
	*total = smallest < 0 ? (double)NAN : exact_value(&sum);
	return n < most ? n : most;
}

static void
add_largest(const struct stat_table *s, size_t column, size_t from, size_t most,
    const struct list *shown, json_t *all)
{
	const struct column *c = s->of[column];
	struct num_at *top;
	double total;
	size_t n = find_largest(s, c, most, &top, &total);
	struct exact so_far = {0};
	bool shares = total > 0 && column_adds_up(c->name);
	for (size_t i = 0; i < n; i++) {
		exact_add(&so_far, top[i].x);
		if (i + 1 < from)
			continue;
		double share = shares ? 100 * (top[i].x / total) : (double)NAN;
		double cumulated = shares ? 100 * (exact_value(&so_far) / total) : (double)NAN;
		json_t *r = json_pack("{s:s, s:s, s:o, s:i, s:o, s:f, s:o, s:o}", "type", "largest",
		    "column", c->name, "unit", stat_record_unit(c), "rank", (int)i + 1,
		    "of", stat_record_row_key(s, top[i].at, shown), "value", top[i].x,
		    "share_pct", json_value_real(share),
		    "cumulated_share_pct", json_value_real(cumulated));
		stat_record_set_row(r, &s->t, top[i].at);
		json_array_append_new(all, r);
	}
	free(top);
}

json_t *
stat_record_largest(const struct stat_table *s, size_t from, size_t n, const struct list *shown)
{
	json_t *all = json_array();
	for (size_t column = 0; column < s->n_of; column++)
		add_largest(s, column, from, n, shown, all);
	return all;
}
