/* profile_change.c: which functions and lines changed against other profile runs. */
#include "profile_change.h"
#include "base/die.h"
#include "json/json_value.h"
#include "profile/profile_place.h"
#include "profile_text.h"
#include "stats/sample.h"
#include "stats/two_samples.h"
#include "text/text.h"
#include "text/unit.h"

enum { COLUMNS = 200 };
#define MIN_SHARE 0.01	/* of the longest function or line of the cell */
#define FLOOR_S 0.001	/* smaller shifts are never flagged */

/* One function or line of a cell in the runs of one notebook, in the base and now; its test has
 * the same index.  It borrows everything. */
struct changed_item {
	const char *notebook;
	const struct profile_cell *cell;
	bool is_line;
	const char *file, *function;
	long line;
	const struct profile_values *values;	/* now */
};
static struct changed_item *items;
static struct test *tests;
static size_t n_items, n_tests;
static const struct profile_fold *base_fold, *now_fold;

static double *
values_of_notebook(const struct profile_fold *f, const struct profile_values *values,
    const char *notebook, size_t *n)
{
	double *v = xmalloc((values->n + 1) * sizeof *v);
	*n = 0;
	for (size_t i = 0; i < values->n; i++) {
		const char *name = f->read[values->v[i].run].name;
		if (name && strcmp(name, notebook) == 0)
			v[(*n)++] = values->v[i].time_s;
	}
	*n = sample_sort(v, *n);
	return v;
}

static void
append_change(struct changed_item now, const struct profile_values *base)
{
	struct test t = {.floor = FLOOR_S, .gate = true};
	double *x = values_of_notebook(base_fold, base, now.notebook, &t.m);
	double *y = values_of_notebook(now_fold, now.values, now.notebook, &t.n);
	if (!t.m || !t.n) {
		free(x);
		free(y);
		return;
	}
	t.x = x;
	t.y = y;
	*XAPPEND(items, n_items) = now;
	*XAPPEND(tests, n_tests) = t;
}

/* ---- what is in both ----------------------------------------------------------------- */

/* Without the folders above the last `names` names. */
static const char *
last_names(const char *path, int names)
{
	const char *p = path + strlen(path);
	while (p > path && (p[-1] != '/' || --names > 0))
		p--;
	return p;
}

/* Each version has an environment, or a checkout, in a folder of its own. */
static bool
is_same_file(const char *a, const char *b)
{
	bool checkouts = !profile_place_is_installed(a) && !profile_place_is_installed(b);
	if (strcmp(profile_place_short(a), profile_place_short(b)) == 0)
		return true;
	return *a == '/' && *b == '/' &&
	    strcmp(last_names(a, checkouts ? 1 : 2), last_names(b, checkouts ? 1 : 2)) == 0;
}

static void
match_functions(const char *notebook, const struct profile_cell *a, const struct profile_cell *b)
{
	double longest_s = 0;
	for (size_t i = 0; i < b->n_functions; i++)
		longest_s = fmax(longest_s, b->functions[i].own_s);
	for (size_t i = 0; i < b->n_functions; i++) {
		const struct profile_function *f = &b->functions[i];
		for (size_t k = 0; k < a->n_functions && f->own_s >= MIN_SHARE * longest_s; k++) {
			const struct profile_function *g = &a->functions[k];
			/* Its line may have moved. */
			if (strcmp(f->function, g->function) == 0 && is_same_file(f->file, g->file))
				append_change((struct changed_item){notebook, b, false, f->file,
				    f->function, f->line, &f->values}, &g->values);
		}
	}
}

/* Lines are matched by their text: a line may have moved. */
static const struct profile_line *
same_line(const struct profile_code *of, const struct profile_line *l)
{
	const struct profile_line *nearest = NULL;
	for (size_t i = 0; i < of->n_lines; i++) {
		const struct profile_line *k = &of->lines[i];
		if (k->source && l->source && strcmp(k->source, l->source) == 0 &&
		    (!nearest || labs(k->line - l->line) < labs(nearest->line - l->line)))
			nearest = k;
	}
	return nearest;
}

static void
match_lines(const char *notebook, const struct profile_cell *c, const struct profile_code *a,
    const struct profile_code *b)
{
	for (size_t i = 0; i < b->n_lines; i++) {
		const struct profile_line *l = &b->lines[i], *k = same_line(a, l);
		if (k && l->time_s > 0 && l->time_s >= MIN_SHARE * b->time_s)
			append_change((struct changed_item){notebook, c, true, b->file,
			    b->function, l->line, &l->values}, &k->values);
	}
}

static void
match_codes(const char *notebook, const struct profile_cell *a, const struct profile_cell *b)
{
	for (size_t i = 0; i < b->n_codes; i++)
		for (size_t k = 0; k < a->n_codes; k++)
			if (is_same_file(a->codes[k].file, b->codes[i].file) &&
			    strcmp(a->codes[k].function, b->codes[i].function) == 0)
				match_lines(notebook, b, &a->codes[k], &b->codes[i]);
}

static bool
is_same_cell(const struct profile_cell *a, const struct profile_cell *b)
{
	return a->index == b->index && a->gesture == b->gesture && a->page == b->page &&
	    !a->processes == !b->processes &&
	    strcmp(a->usecase ? a->usecase : "", b->usecase ? b->usecase : "") == 0;
}

static void
match_cells(const char *notebook)
{
	for (size_t i = 0; i < now_fold->n; i++)
		for (size_t k = 0; k < base_fold->n; k++)
			if (is_same_cell(&base_fold->cells[k], &now_fold->cells[i])) {
				match_functions(notebook, &base_fold->cells[k],
				    &now_fold->cells[i]);
				match_codes(notebook, &base_fold->cells[k],
				    &now_fold->cells[i]);
			}
}

/* ---- output ------------------------------------------------------------------------ */

/* "worse   demo-n1 cell 5: line spec/a.py:55 f  860.0 ms -> 1.720 s, +0.800 to +0.900 s" */
static void
put_change(const struct changed_item *item, const struct test *t)
{
	struct buf b = {0}, shown = {0};
	buf_addf(&b, "%-7s %s ", test_result_word(t->result), item->notebook);
	profile_text_cell(&b, item->cell);
	buf_addf(&b, ": %s ", item->is_line ? "line" : "function");
	profile_text_place(&b, item->file, item->line, item->function);
	buf_addf(&b, "  %s -> %s", unit_time(t->x_median).p, unit_time(t->y_median).p);
	if (isfinite(t->shift.low) && isfinite(t->shift.high))
		buf_addf(&b, ", %+.3f to %+.3f s", t->shift.low, t->shift.high);
	text_show(&shown, b.p, COLUMNS);
	text_put_styled(t->result == WORSE ? STYLE_BAD : STYLE_GOOD, shown.p);
	buf_free(&shown);
	buf_free(&b);
}

static void
write_change(const struct changed_item *item, const struct test *t)
{
	const struct profile_cell *c = item->cell;
	json_t *r = json_pack("{s:s, s:s?, s:o, s:b, s:s, s:s, s:o, s:s?}",
	    "type", "profile_change", "usecase", c->usecase,
	    "cell_index", c->index ? json_integer(c->index) : json_null(), "page", c->page,
	    "of", item->is_line ? "line" : "function", "file", item->file,
	    "line", item->line ? json_integer(item->line) : json_null(),
	    "function", item->function);
	json_t *change = json_pack(
	    "{s:s, s:s, s:I, s:I, s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "name", item->notebook,
	    "result", test_result_word(t->result), "base_runs", (json_int_t)t->m,
	    "runs", (json_int_t)t->n, "base_median_s", t->x_median, "median_s", t->y_median,
	    "shift_s", json_value_real(t->shift.shift),
	    "shift_low_s", json_value_real(t->shift.low),
	    "shift_high_s", json_value_real(t->shift.high), "q", json_value_real(t->q),
	    "runs_needed", t->runs_needed ? json_integer((json_int_t)t->runs_needed) :
	    json_null());
	xlines_write_new(xjson_value_join(r, change));
}

static void
put_totals(const struct test_totals *t)
{
	struct buf b = {0};
	buf_addf(&b, "%zu worse, %zu better, %zu no worse, %zu unknown, of %zu functions and lines "
	    "in both", t->count[WORSE], t->count[BETTER], t->count[NO_WORSE], t->count[UNKNOWN],
	    n_tests);
	if (t->count[UNKNOWN] && t->runs_needed)
		buf_addf(&b, "; %zu profile runs of each would decide all (REPEAT)",
		    t->runs_needed);
	text_put_trimmed(&b);
	buf_free(&b);
}

void
xprofile_change_put(const struct profile_fold *base, const struct profile_fold *now, bool records)
{
	static const struct test_settings settings = {.alpha = 0.05, .relative = 0.05,
		.detect = 0.10};
	json_t *names = json_object(), *v;
	const char *name;
	base_fold = base;
	now_fold = now;
	for (size_t i = 0; i < now->n_read; i++)
		if (now->read[i].name)
			json_object_set_new(names, now->read[i].name, json_true());
	json_object_foreach(names, name, v)
		match_cells(name);
	if (!n_tests)
		die(ST_UNKNOWN, "cannot tell: no function or line is in both profiles");
	struct test_totals totals = two_samples_compare(tests, n_tests, &settings);
	for (size_t i = 0; i < n_tests; i++)
		if (records)
			write_change(&items[i], &tests[i]);
		else if (tests[i].result == WORSE || tests[i].result == BETTER)
			put_change(&items[i], &tests[i]);
	if (!records)
		put_totals(&totals);
	json_decref(names);
}
