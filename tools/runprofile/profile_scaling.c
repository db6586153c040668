/* profile_scaling.c: how the time and the hits of lines and functions grow with parameters. */
#include "profile_scaling.h"
#include "base/die.h"
#include "json/json_value.h"
#include "profile_item.h"
#include "stats/scaling.h"
#include "stats/scaling_words.h"
#include "text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 200 };
#define MIN_SHARE 0.01	/* of the longest line or function of the cell */

struct scaled_item {
	struct profile_item item;
	double time_s;
};
static bool as_records;
static struct scaled_item *items;
static size_t n_items, cap_items, n_fits;

/* The parameters that are numbers above 0 in all of the runs, and vary. */
struct scaled_params {
	const char *name[SCALING_MAX_PARAMS];
	size_t levels[SCALING_MAX_PARAMS];
	size_t n;
};

static double
param_of_run(const struct profile_fold *f, size_t run, const char *name)
{
	const json_t *v = json_object_get(f->read[run].params, name);
	double x = json_is_number(v) ? json_number_value(v) : (double)NAN;
	return x > 0 ? x : (double)NAN;
}

/* 0: it is not a number everywhere. */
static size_t
levels_of_param(const struct profile_fold *f, const struct profile_values *values,
    const char *name)
{
	size_t levels = 0;
	for (size_t i = 0; i < values->n; i++) {
		double x = param_of_run(f, values->v[i].run, name);
		bool seen = false;
		if (isnan(x))
			return 0;
		for (size_t k = 0; k < i && !seen; k++)
			seen = !(fabs(param_of_run(f, values->v[k].run, name) - x) > 0);
		levels += !seen;
	}
	return levels;
}

static struct scaled_params
params_of_values(const struct profile_fold *f, const struct profile_values *values)
{
	struct scaled_params p = {.n = 0};
	const char *name;
	json_t *v;
	if (values->n)
		json_object_foreach(f->read[values->v[0].run].params, name, v) {
			size_t levels = levels_of_param(f, values, name);
			if (levels > 1 && p.n < SCALING_MAX_PARAMS) {
				p.levels[p.n] = levels;
				p.name[p.n++] = name;
			}
		}
	return p;
}

/* Whether two runs differ only in the parameters that are fitted. */
static bool
has_same_others(const struct profile_fold *f, const struct profile_values *values, size_t i,
    size_t other, const struct scaled_params *p)
{
	json_t *a = json_copy(f->read[values->v[other].run].params);
	json_t *b = json_copy(f->read[values->v[i].run].params);
	for (size_t k = 0; k < p->n; k++) {
		json_object_del(a, p->name[k]);
		json_object_del(b, p->name[k]);
	}
	bool same = json_equal(a, b);
	json_decref(a);
	json_decref(b);
	return same;
}

/* A run of the largest group in which the other parameters are the same. */
static size_t
common_run(const struct profile_fold *f, const struct profile_values *values,
    const struct scaled_params *p)
{
	size_t common = 0, most = 0;
	for (size_t i = 0; i < values->n; i++) {
		size_t same = 0;
		for (size_t k = i; k < values->n; k++)
			same += has_same_others(f, values, k, i, p);
		if (same > most) {
			most = same;
			common = i;
		}
	}
	return common;
}

static char *
law_word(const struct scaled_params *p, const struct scaling *law, size_t j)
{
	return law->fits_badly ? xstrdup("no simple law") :
	    scaling_word(p->levels[j], law->k[j], law->low[j], law->high[j]);
}

/* "; time quadratic in n (1.91 to 2.05)" */
static void
add_law_text(struct buf *b, const struct scaled_params *p, const struct scaling *law, bool counts)
{
	for (size_t j = 0; j < p->n; j++) {
		char *word = law_word(p, law, j);
		char *interval = scaling_interval(law->low[j], law->high[j]);
		buf_addf(b, "; %s %s in %s (%s)", counts ? "count" : "time", word, p->name[j],
		    interval);
		free(word);
		free(interval);
	}
}

static void
write_law(const struct profile_item *i, const struct scaled_params *p, const struct scaling *law,
    bool counts)
{
	for (size_t j = 0; j < p->n; j++) {
		char *word = law_word(p, law, j);
		profile_item_write(i, "profile_scaling", json_pack(
		    "{s:s, s:s, s:f, s:o, s:o, s:s, s:I, s:I}",
		    "quantity", counts ? "count" : "time_s", "param", p->name[j],
		    "exponent", law->k[j], "exponent_low", json_value_real(law->low[j]),
		    "exponent_high", json_value_real(law->high[j]), "word", word,
		    "points", (json_int_t)law->points, "levels", (json_int_t)p->levels[j]));
		free(word);
	}
}

/* Of times or of counts; as text to b. */
static void
put_law(struct buf *b, const struct profile_fold *f, const struct profile_item *item,
    const struct scaled_params *p, bool counts)
{
	const struct profile_values *values = item->values;
	double *x[SCALING_MAX_PARAMS], *y = xmalloc((values->n + 1) * sizeof *y);
	struct scaling law;
	size_t n = 0, common = common_run(f, values, p);
	for (size_t j = 0; j < p->n; j++)
		x[j] = xmalloc((values->n + 1) * sizeof *x[j]);
	for (size_t i = 0; i < values->n; i++) {
		const struct profile_value *v = &values->v[i];
		double value = counts ? v->count : v->time_s;
		if (!(value > 0) || !has_same_others(f, values, i, common, p))
			continue;
		for (size_t j = 0; j < p->n; j++)
			x[j][n] = param_of_run(f, v->run, p->name[j]);
		y[n++] = value;
	}
	if (scaling_fit(&law, x, p->n, y, n)) {
		n_fits++;
		if (as_records)
			write_law(item, p, &law, counts);
		else
			add_law_text(b, p, &law, counts);
	}
	for (size_t j = 0; j < p->n; j++)
		free(x[j]);
	free(y);
}

static void
put_item(const struct profile_fold *f, const struct profile_item *item)
{
	struct scaled_params p = params_of_values(f, item->values);
	struct buf b = {0}, shown = {0};
	profile_item_text(&b, item);
	size_t before = b.n;
	put_law(&b, f, item, &p, false);
	put_law(&b, f, item, &p, true);
	if (b.n > before) {
		buf_addf(&b, "; %zu run%s", item->values->n, text_plural(item->values->n));
		text_show(&shown, b.p, COLUMNS);
		text_put_trimmed(&shown);
	}
	buf_free(&shown);
	buf_free(&b);
}

static void
append_item(struct profile_item item, double time_s)
{
	items = xgrow(items, n_items, &cap_items, sizeof *items);
	items[n_items++] = (struct scaled_item){item, time_s};
}

static int
by_item_time(const void *pa, const void *pb)
{
	const struct scaled_item *a = pa, *b = pb;
	if (a->item.is_line != b->item.is_line)
		return a->item.is_line ? -1 : 1;
	if (a->time_s < b->time_s || a->time_s > b->time_s)
		return a->time_s < b->time_s ? 1 : -1;
	int order = strcmp(a->item.file, b->item.file);
	order = order ? order : (a->item.line > b->item.line) - (a->item.line < b->item.line);
	return order ? order : strcmp(a->item.function, b->item.function);
}

static void
gather_items(const struct profile_cell *c)
{
	for (size_t i = 0; i < c->n_codes; i++)
		for (size_t k = 0; k < c->codes[i].n_lines; k++) {
			const struct profile_line *l = &c->codes[i].lines[k];
			if (l->time_s > 0)
				append_item(profile_item_line(c, &c->codes[i], l), l->time_s);
		}
	for (size_t i = 0; i < c->n_functions; i++) {
		const struct profile_function *f = &c->functions[i];
		if (f->own_s > 0)
			append_item(profile_item_function(c, f), f->own_s);
	}
}

static void
put_cell_scaling(const struct profile_fold *f, const struct profile_cell *c, size_t top)
{
	n_items = 0;
	gather_items(c);
	if (n_items)
		qsort(items, n_items, sizeof *items, by_item_time);
	for (size_t i = 0, shown = 0; i < n_items; i++) {
		bool first = i == 0 || items[i].item.is_line != items[i - 1].item.is_line;
		shown = first ? 0 : shown;
		const struct scaled_item *longest = &items[i - shown];
		if (shown < top && items[i].time_s >= MIN_SHARE * longest->time_s)
			put_item(f, &items[i].item);
		shown++;
	}
}

void
xprofile_scaling_put(const struct profile_fold *f, size_t top, bool records)
{
	as_records = records;
	for (size_t i = 0; i < f->n; i++)
		put_cell_scaling(f, &f->cells[i], top);
	if (!n_fits)
		die(ST_UNKNOWN, "cannot tell: no parameter has two values above 0, or there are "
		    "too few runs");
}
