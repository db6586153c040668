/* profile_cell_table.c: what profilers found in a cell, as tables for people. */
#include "profile_cell_table.h"
#include "base/die.h"
#include "json/json_value.h"
#include "profile_hot.h"
#include "profile_text.h"
#include "text/unit.h"
#include "text/text.h"

enum { INDENT = 2 };
enum { MAX_IDLE_LINES = 8, EDGE_LINES = 2 };
enum { MAX_CONTRIBUTORS = 6 };
enum { CALLS_COLUMNS = 15, BYTES_COLUMNS = 12, COUNT_COLUMNS = 14, LEAF_COLUMNS = 9 };

#define MIN_MS 0.1	/* of contributors: shorter is not shown */

static size_t columns, most_rows;
static enum profile_sort key;
static bool usecases;

static void
put_shown(const char *text)
{
	struct buf b = {0};
	text_show(&b, text, columns);
	text_put_trimmed(&b);
	buf_free(&b);
}

/* Right-aligned. */
static void
add_count_column(struct buf *b, double count, int width)
{
	struct buf text = {0};
	profile_text_count(&text, count);
	buf_addf(b, "%*s", width, text.p);
	buf_free(&text);
}

static void
show_place(struct buf *b, const char *file, long line, const char *function)
{
	struct buf text = {0};
	profile_text_place(&text, file, line, function);
	text_show(b, text.p, columns > b->n ? columns - b->n : 1);
	buf_free(&text);
}

/* ---- head of a cell ------------------------------------------------------------------ */

static void
put_title(const struct profile_cell *c)
{
	struct buf b = {0};
	const char *name = profile_hot_name(c);
	put_shown("");
	if (usecases && c->usecase)
		buf_addf(&b, "%s ", c->usecase);
	profile_text_cell(&b, c);
	if (name)
		buf_addf(&b, "  %s", name);
	struct buf shown = {0};
	text_show(&shown, b.p, columns);
	text_put_styled(STYLE_HEADING, shown.p);
	buf_free(&shown);
	buf_free(&b);
}

static void
put_pass(const struct profile_pass *p)
{
	struct buf b = {0};
	profile_text_pass(&b, p);
	text_put_wrapped(STYLE_NONE, b.p, INDENT, columns);
	buf_free(&b);
}

/* ---- functions --------------------------------------------------------------------- */

static const struct profile_function *sorted_functions;

static double
sort_value(const struct profile_function *f)
{
	return key == SORT_OWN ? f->own_s : key == SORT_CUMULATIVE ? f->cumulative_s : f->calls;
}

static int
by_sort_value(const void *pa, const void *pb)
{
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;
	double x = sort_value(&sorted_functions[a]), y = sort_value(&sorted_functions[b]);
	return x < y ? 1 : x > y ? -1 : (a > b) - (a < b);
}

static void
put_function(const struct profile_function *f)
{
	struct buf b = {0}, calls = {0};
	if (f->calls > 0)
		profile_text_count(&calls, f->calls);
	else
		buf_addf(&calls, "-");
	if (f->primitive_calls > 0 && f->primitive_calls < f->calls) {
		buf_addf(&calls, "/");
		profile_text_count(&calls, f->primitive_calls);
	}
	buf_addf(&b, "%*s %10.3f %13.3f  ", CALLS_COLUMNS, calls.p, f->own_s, f->cumulative_s);
	show_place(&b, f->file, f->line, f->function);
	text_put_trimmed(&b);
	buf_free(&calls);
	buf_free(&b);
}

static void
put_rest(size_t n, const char *what)
{
	struct buf b = {0};
	if (n <= most_rows)
		return;
	buf_addf(&b, "%*sand %zu more %s", INDENT, "", n - most_rows, what);
	text_put_trimmed(&b);
	buf_free(&b);
}

static void
put_functions(const struct profile_cell *c)
{
	size_t *order = xmalloc((c->n_functions + 1) * sizeof *order);
	struct buf head = {0};
	char *packages = profile_hot_packages(c);
	if (packages)
		text_put_wrapped(STYLE_NONE, packages, INDENT, columns);
	free(packages);
	for (size_t i = 0; i < c->n_functions; i++)
		order[i] = i;
	sorted_functions = c->functions;
	qsort(order, c->n_functions, sizeof *order, by_sort_value);
	buf_addf(&head, "%*s %10s %13s  function", CALLS_COLUMNS, "calls", "own s", "cumulative s");
	text_put_trimmed(&head);
	buf_free(&head);
	for (size_t i = 0; i < c->n_functions && i < most_rows; i++)
		put_function(&c->functions[order[i]]);
	put_rest(c->n_functions, "functions");
	free(order);
}

/* ---- lines ------------------------------------------------------------------------- */

/* How many lines from this one on were not hit. */
static size_t
idle_lines(const struct profile_code *code, size_t from)
{
	size_t i = from;
	while (i < code->n_lines && !(code->lines[i].hits > 0))
		i++;
	return i - from;
}

/* Prints a line as line_profiler does, with times in microseconds.  NULL: lines are left out. */
static void
put_code_line(const struct profile_code *code, const struct profile_line *l)
{
	struct buf b = {0};
	if (!l) {
		put_shown("   ...");
		return;
	}
	buf_addf(&b, "%6ld", l->line);
	if (l->hits > 0)
		buf_addf(&b, " %9.0f %12.1f %8.1f %8.1f  ", l->hits, 1e6 * l->time_s,
		    1e6 * l->time_s / l->hits, code->time_s > 0 ?
		    100 * l->time_s / code->time_s : 0);
	else
		buf_addf(&b, "%*s", 43, "");
	text_show(&b, l->source ? l->source : "", columns > b.n ? columns - b.n : 1);
	text_put_trimmed(&b);
	buf_free(&b);
}

static void
put_code(const struct profile_code *code)
{
	struct buf b = {0};
	put_shown("");
	buf_addf(&b, "Total time: %g s", code->time_s);
	text_put_trimmed(&b);
	buf_addf(&b, "File: %s", code->file);
	put_shown(b.p);
	b.n = 0;
	buf_addf(&b, "Function: %s at line %ld", code->function, code->first_line);
	put_shown(b.p);
	b.n = 0;
	put_shown("");
	buf_addf(&b, "%6s %9s %12s %8s %8s  %s", "Line #", "Hits", "Time", "Per Hit", "% Time",
	    "Line Contents");
	size_t n = b.n;
	text_put_trimmed(&b);
	while (b.n < n)
		buf_addf(&b, "=");
	text_put_trimmed(&b);
	for (size_t i = 0, n_idle; i < code->n_lines; i += n_idle ? n_idle : 1) {
		n_idle = idle_lines(code, i);
		if (n_idle <= MAX_IDLE_LINES)
			n_idle = 0;
		for (size_t k = 0; k < EDGE_LINES && n_idle; k++)
			put_code_line(code, &code->lines[i + k]);
		put_code_line(code, n_idle ? NULL : &code->lines[i]);
		for (size_t k = EDGE_LINES; k > 0 && n_idle; k--)
			put_code_line(code, &code->lines[i + n_idle - k]);
	}
	buf_free(&b);
}

static int
by_code_time(const void *pa, const void *pb)
{
	const struct profile_code *a = *(const struct profile_code *const *)pa;
	const struct profile_code *b = *(const struct profile_code *const *)pb;
	bool a_cell = strcmp(a->file, a->function) == 0, b_cell = strcmp(b->file, b->function) == 0;
	if (a_cell != b_cell)
		return a_cell ? -1 : 1;
	return a->time_s < b->time_s ? 1 : a->time_s > b->time_s ? -1 : (a > b) - (a < b);
}

/* Code with a time: the cells' own first, then what took longest.  The list is the caller's. */
static const struct profile_code **
ordered_codes(const struct profile_cell *c, size_t *n)
{
	const struct profile_code **list = xmalloc((c->n_codes + 1) * sizeof(*list));
	*n = 0;
	for (size_t i = 0; i < c->n_codes; i++)
		if (c->codes[i].time_s > 0)
			list[(*n)++] = &c->codes[i];
	qsort(list, *n, sizeof(*list), by_code_time);
	return list;
}

static int
by_bytes(const void *pa, const void *pb)
{
	const struct profile_allocation *a = *(const struct profile_allocation *const *)pa;
	const struct profile_allocation *b = *(const struct profile_allocation *const *)pb;
	return a->bytes < b->bytes ? 1 : a->bytes > b->bytes ? -1 : (a > b) - (a < b);
}

/* Allocations at the end or at the peak, the largest first.  The list is the caller's. */
static const struct profile_allocation **
ordered_allocations(const struct profile_cell *c, bool at_end, size_t *n)
{
	const struct profile_allocation **list = xmalloc((c->n_allocations + 1) * sizeof(*list));
	*n = 0;
	for (size_t i = 0; i < c->n_allocations; i++)
		if (c->allocations[i].at_end == at_end)
			list[(*n)++] = &c->allocations[i];
	qsort(list, *n, sizeof(*list), by_bytes);
	return list;
}

static void
put_codes(const struct profile_cell *c)
{
	size_t most = (most_rows + 2) / 3, n;
	const struct profile_code **list = ordered_codes(c, &n);
	put_shown("");
	put_shown("  Hits are exact, times under line profiling are not.  Timer unit: 1e-06 s");
	for (size_t i = 0; i < n && i < most; i++)
		put_code(list[i]);
	if (n > most) {
		put_shown("");
		put_rest(n + most_rows - most, "functions whose lines were timed");
	}
	free(list);
}

/* ---- memory ------------------------------------------------------------------------ */

static void
put_allocations(const struct profile_cell *c, bool at_end, double total_bytes)
{
	size_t n;
	const struct profile_allocation **list = ordered_allocations(c, at_end, &n);
	struct buf b = {0};
	if (n || isfinite(total_bytes)) {
		buf_addf(&b, "%*s%s: ", INDENT, "", at_end ? "still allocated after the cell" :
		    "peak of memory allocated in the cell");
		if (isfinite(total_bytes))
			unit_bytes(&b, total_bytes, 1);
		else
			buf_addf(&b, "unknown");
		text_put_trimmed(&b);
	}
	for (size_t i = 0; i < n && i < most_rows; i++) {
		struct buf size = {0};
		unit_bytes(&size, list[i]->bytes, 1);
		buf_addf(&b, "%*s", BYTES_COLUMNS, size.p);
		buf_free(&size);
		add_count_column(&b, list[i]->allocations, COUNT_COLUMNS);
		buf_addf(&b, "%s  ", list[i]->allocations > 1 ? " allocations" : " allocation ");
		show_place(&b, list[i]->file, list[i]->line, list[i]->function);
		text_put_trimmed(&b);
	}
	put_rest(n, "lines");
	buf_free(&b);
	free(list);
}

/* ---- stacks, tasks --------------------------------------------------------------------- */

static void
put_leaves(const struct profile_cell *c)
{
	struct buf b = {0};
	put_shown("");
	put_shown("    time s  samples  innermost line of Python, or a task of dask");
	for (size_t i = 0; i < c->n_leaves && i < most_rows; i++) {
		const struct profile_stack *l = &c->leaves[i];
		b.n = 0;
		buf_addf(&b, "%10.3f", l->time_s);
		add_count_column(&b, l->samples, LEAF_COLUMNS);
		buf_addf(&b, "  %s, %s %s", json_string_value(json_array_get(l->frames, 0)),
		    l->process, l->thread);
		put_shown(b.p);
	}
	put_rest(c->n_leaves, "lines");
	buf_free(&b);
}

/* ---- contributors ---------------------------------------------------------------------- */

static void
put_contributor(double ms, const char *text, double overlapped_ms)
{
	struct buf b = {0};
	buf_addf(&b, "%10.1f  %s", ms, text);
	if (overlapped_ms >= MIN_MS)
		buf_addf(&b, "; %.1f ms more overlapped", overlapped_ms);
	put_shown(b.p);
	buf_free(&b);
}

/* The longest ones, and what is unattributed, the last one. */
static void
put_contributors(const struct profile_cell *c)
{
	double rest_ms = json_value_real_at(json_array_get(c->contributors, 0), "cell_ms");
	size_t n = json_array_size(c->contributors), i;
	json_t *r;
	printf("\n  ms of the client time, which was %s with the profilers%s%s\n",
	    unit_time(rest_ms / 1e3).p, isfinite(c->client_s) ? ", without " : "",
	    isfinite(c->client_s) ? unit_time(c->client_s).p : "");
	json_array_foreach(c->contributors, i, r) {
		double ms = json_value_real_at(r, "client_ms");
		if (i + 1 == n && rest_ms - ms >= MIN_MS)
			put_contributor(rest_ms - ms, "others", 0);
		if (i < MAX_CONTRIBUTORS || i + 1 == n)
			put_contributor(ms, json_string_value(json_object_get(r, "text")),
			    json_value_real_at(r, "overlapped_ms"));
		rest_ms -= i < MAX_CONTRIBUTORS ? ms : 0;
	}
}

/* ---- all --------------------------------------------------------------------------- */

void
profile_cell_table_put(const struct profile_cell *c, const struct profile_cell_table *how)
{
	const struct profile_pass *memory = profile_fold_pass(c, "memory");
	columns = how->columns;
	most_rows = how->most_rows;
	key = how->sort;
	usecases = how->usecases;
	put_title(c);
	for (size_t i = 0; i < c->n_passes; i++)
		put_pass(&c->passes[i]);
	if (c->contributors)
		put_contributors(c);
	if (c->n_functions)
		put_functions(c);
	if (c->n_codes)
		put_codes(c);
	if (c->n_leaves && !c->page)
		put_leaves(c);
	if (memory || c->n_allocations) {
		put_shown("");
		put_allocations(c, false, memory ? memory->peak_bytes : (double)NAN);
		put_allocations(c, true, memory ? memory->end_bytes : (double)NAN);
	}
}
