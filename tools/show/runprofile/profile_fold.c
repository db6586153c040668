/* profile_fold.c: what profilers found in cells, folded over runs. */
#include "profile_fold.h"
#include "base/die.h"
#include "base/num.h"
#include "base/str.h"
#include "json/json_value.h"
#include "profile_below.h"
#include "profile_calls.h"
#include "profile_contributors.h"
#include "profile_rows.h"
#include "profile/profile_record.h"
#include "stats/sample.h"
#include "text/source_line.h"

enum { MAX_LINE_BYTES = 200 };

/* ---- cells ------------------------------------------------------------------------- */

static struct profile_cell *
cell_of_record(struct profile_fold *f, struct scan *s, const struct lines *in, const char *type,
    bool page)
{
	struct span where = scan_get(s, "cell_index");
	long index = profile_record_line(s, "cell_index");
	long gesture = profile_record_line(s, "interaction");
	long processes = profile_record_line(s, "processes");
	char *usecase = scan_string(s, "usecase");
	if (!index && !span_is(where, "null"))
		xprofile_record_lacks(in, type, "cell_index");
	if (!usecase && f->usecase)
		usecase = xstrdup(f->usecase);
	if (!f->by_key)
		f->by_key = json_object();
	size_t i = xjson_value_index(f->by_key,
	    xasprintf("%ld %ld %d %d %s", index, gesture, page, processes > 0,
	    usecase ? usecase : ""), f->n);
	if (i == f->n) {
		*XAPPEND(f->cells, f->n) = (struct profile_cell){.usecase = usecase, .index = index,
			.gesture = gesture, .page = page, .client_s = NAN, .by_key = json_object(),
			.ids = json_object()};
	} else {
		free(usecase);
	}
	struct profile_cell *c = &f->cells[i];
	c->processes = processes > c->processes ? processes : c->processes;
	if (!c->source_line && gesture)
		c->source_line = scan_string(s, "gesture");
	if (!c->source && !gesture && f->reader.cell.index == index && f->source)
		c->source = xstrdup(f->source);
	if (!c->source_line && c->source)
		c->source_line = source_line(c->source, MAX_LINE_BYTES);
	if (!c->source_line)
		c->source_line = scan_string(s, "source_line");
	if (f->counted_run != f->run)
		f->runs += profile_record_runs(s);
	f->counted_run = f->run;
	return c;
}

/* ---- passes ------------------------------------------------------------------------ */

struct profile_pass *
profile_fold_pass(const struct profile_cell *c, const char *profiler)
{
	for (size_t i = 0; i < c->n_passes; i++)
		if (strcmp(c->passes[i].profiler, profiler) == 0)
			return &c->passes[i];
	return NULL;
}

static struct profile_pass *
pass_named(struct profile_cell *c, char *profiler)
{
	struct profile_pass *p = profile_fold_pass(c, profiler);
	if (p) {
		free(profiler);
		return p;
	}
	p = XAPPEND(c->passes, c->n_passes);
	*p = (struct profile_pass){.profiler = profiler, .t = NAN, .wall_s = NAN,
		.peak_bytes = NAN, .end_bytes = NAN, .without_s = NAN};
	return p;
}

static void
replace_text(char **text, char *by)
{
	if (!by)
		return;
	free(*text);
	*text = by;
}

static void
append_kernel_s(struct profile_pass *p, double kernel_s)
{
	if (!isfinite(kernel_s))
		return;
	*XAPPEND(p->kernel_s, p->n_kernel) = kernel_s;
}

/* The notebook of a run, or those of a folded record. */
static void
add_names(struct profile_pass *p, const char *name, struct span folded)
{
	json_t *names = span_json(folded), *v;
	size_t i;
	if (!p->names && (name || json_is_array(names)))
		p->names = json_object();
	if (name)
		json_object_set_new(p->names, name, json_true());
	json_array_foreach(names, i, v)
		if (json_is_string(v))
			json_object_set_new(p->names, json_string_value(v), json_true());
	json_decref(names);
}

static void
fold_pass(struct profile_fold *f, struct scan *s, const struct lines *in)
{
	struct profile_cell *c = cell_of_record(f, s, in, "profile",
	    span_is_word(scan_get(s, "profiler"), "browser"));
	struct profile_pass *p = pass_named(c, xprofile_record_text(s, in, "profile", "profiler"));
	double wall_s = span_number(scan_get(s, c->processes ? "work_s" : "wall_s"));
	double t = f->profile_t = span_number(scan_get(s, "t"));
	p->runs += profile_record_runs(s);
	if (isfinite(wall_s))
		p->wall_s = num_or_0(p->wall_s) + wall_s;
	p->t = fmin(p->t, t);
	p->peak_bytes = fmax(p->peak_bytes, span_number(scan_get(s, "peak_bytes")));
	p->end_bytes = fmax(p->end_bytes, span_number(scan_get(s, "end_bytes")));
	p->left_out += profile_record_amount(s, "left_out");
	p->sampled_s += profile_record_amount(s, "sampled_s");
	p->threads_s += profile_record_amount(s, "threads_s");
	p->cpu_s += span_number(scan_get(s, "cpu_s"));
	replace_text(&p->version, scan_string(s, "version"));
	replace_text(&p->error, scan_string(s, "error"));
	replace_text(&p->reason, scan_string(s, "reason"));
	replace_text(&p->note, scan_string(s, "note"));
	if (!c->id)
		c->id = scan_string(s, "cell_id");
	double folded_s = span_number(scan_get(s, "kernel_s"));
	double without_s = span_number(scan_get(s, "kernel_without_s"));
	bool of_cell = c->index && !c->gesture && f->reader.cell.index == c->index;
	append_kernel_s(p, isfinite(folded_s) ? folded_s :
	    of_cell ? f->reader.cell.kernel_s : (double)NAN);
	if (isfinite(without_s))
		p->without_s = without_s;
	add_names(p, f->name, scan_get(s, "names"));
}

double
profile_fold_wall_s(const struct profile_cell *c, const char *profiler, double otherwise)
{
	const struct profile_pass *p = profile_fold_pass(c, profiler);
	return p && p->wall_s > 0 ? p->wall_s : otherwise;
}

double
profile_fold_kernel_s(const struct profile_pass *p)
{
	double *v = xmalloc((p->n_kernel + 1) * sizeof *v);
	for (size_t i = 0; i < p->n_kernel; i++)
		v[i] = p->kernel_s[i];
	size_t n = sample_sort(v, p->n_kernel);
	double median = n ? sample_median(v, n) : (double)NAN;
	free(v);
	return median;
}

/* ---- runs ---------------------------------------------------------------------------- */

/* The cell that was read is over: what contributed to it is the kernel's, if it was profiled. */
static void
end_cell(struct profile_fold *f)
{
	size_t at = f->n;
	for (size_t i = 0; i < f->n; i++) {
		const struct profile_cell *c = &f->cells[i];
		if (c->index == f->reader.cell.index && !c->gesture && !c->processes &&
		    str_same(c->usecase, f->usecase) && (at == f->n || !c->page))
			at = i;
	}
	if (at < f->n)
		profile_contributors_cell(&f->reader.cell, at, f->source);
}

static void
begin_profile_run(struct profile_fold *f)
{
	end_cell(f);
	for (size_t i = 0; i < f->n; i++)
		profile_calls_resolve(&f->cells[i]);
	*XAPPEND(f->read, f->n_read) = (struct profile_run){NULL, NULL};
	f->run = f->n_read;
	f->reader.cell = (struct run_cell){.kernel_s = NAN};
}

/* A folded record. */
static void
fold_contributor(struct profile_cell *c, struct scan *s, const struct lines *in,
    const struct profile_fold *f)
{
	static const char *const head[] = {"type", "usecase", "cell_index", "page"};
	(void)in, (void)f;
	json_t *record = scan_json(s);
	for (size_t i = 0; i < COUNT(head); i++)
		json_object_del(record, head[i]);
	if (!c->contributors)
		c->contributors = json_array();
	json_array_append_new(c->contributors, record);
}

/* Those of cells that were profiled; the first one costs most. */
static void
fold_mistake(struct profile_fold *f, struct scan *s, const struct lines *in)
{
	long index = profile_record_line(s, "cell_index");
	char *text = xprofile_record_text(s, in, "mistake", "text");
	char *usecase = scan_string(s, "usecase");
	for (size_t i = 0; i < f->n && text; i++) {
		struct profile_cell *c = &f->cells[i];
		if (c->index != index || c->page || c->gesture || c->processes || c->mistake ||
		    strcmp(c->usecase ? c->usecase : "", usecase ? usecase : "") != 0)
			continue;
		c->mistake = text;
		c->mistake_s = profile_record_amount(s, "saved_s");
		text = NULL;
	}
	free(usecase);
	free(text);
}

/* ---- all --------------------------------------------------------------------------- */

static void
read_run_record(struct profile_fold *f, struct scan *s)
{
	if (run_record_kind(s) != RUN_OTHER)
		end_cell(f);
	enum run_record kind = run_read(&f->reader, s);
	if (kind == RUN_BEGIN) {
		free(f->usecase);
		free(f->name);
		f->usecase = scan_string(s, "usecase");
		f->name = scan_string(s, "name");
		f->read[f->run - 1].name = f->name ? xstrdup(f->name) : NULL;
		f->read[f->run - 1].params = span_json(scan_get(s, "params"));
	} else if (kind == RUN_CELL) {
		free(f->source);
		f->source = scan_string(s, "source");
	}
}

/* The calls of functions that are sampled are null; without more words, they are the page's. */
static bool
is_of_page(struct scan *s)
{
	return scan_type_is(s, "profile_function") ? span_is(scan_get(s, "calls"), "null") &&
	    !span_is(scan_get(s, "page"), "false") :
	    span_is_word(scan_get(s, "process"), "browser");
}

void
profile_fold_read(struct profile_fold *f, struct scan *s, const struct lines *in)
{
	static const struct {
		const char *type;
		void (*fold)(struct profile_cell *, struct scan *, const struct lines *,
		    const struct profile_fold *);
	} kinds[] = {
		{"profile_function", xprofile_calls_fold}, {"profile_below", xprofile_below_fold},
		{"profile_line", xprofile_rows_line}, {"profile_stack", xprofile_rows_stack},
		{"profile_allocation", xprofile_rows_allocation},
		{"profile_task", xprofile_rows_task}, {"contributor", fold_contributor},
	};
	if (in->number == 1 || scan_type_is(s, "run"))
		begin_profile_run(f);
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (scan_type_is(s, kinds[i].type)) {
			kinds[i].fold(cell_of_record(f, s, in, kinds[i].type, is_of_page(s)), s, in,
			    f);
			return;
		}
	if (scan_type_is(s, "profile"))
		fold_pass(f, s, in);
	else if (scan_type_is(s, "mistake"))
		fold_mistake(f, s, in);
	else if (f->on_file && scan_type_is(s, "profile_file"))
		f->on_file(s, in);
	else if (scan_type_is(s, "profile_message"))
		xprofile_contributors_message(s);
	else
		read_run_record(f, s);
}

static int
by_leaf_time(const void *pa, const void *pb)
{
	const struct profile_stack *a = pa, *b = pb;
	return (a->time_s < b->time_s) - (a->time_s > b->time_s);
}

static int
by_place(const void *pa, const void *pb)
{
	const struct profile_cell *a = pa, *b = pb;
	int order = strcmp(a->usecase ? a->usecase : "", b->usecase ? b->usecase : "");
	if (!order)
		order = (a->index > b->index) - (a->index < b->index);
	if (!order)
		order = (a->gesture > b->gesture) - (a->gesture < b->gesture);
	if (!order)
		order = a->page - b->page;
	return order ? order : (a->processes > 0) - (b->processes > 0);
}

void
profile_fold_finish(struct profile_fold *f)
{
	begin_profile_run(f);
	xprofile_contributors_finish(f);
	for (size_t i = 0; i < f->n; i++)
		if (f->cells[i].n_leaves)
			qsort(f->cells[i].leaves, f->cells[i].n_leaves, sizeof *f->cells->leaves,
			    by_leaf_time);
	if (f->n)
		qsort(f->cells, f->n, sizeof *f->cells, by_place);
}
