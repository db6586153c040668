/* profile_fold.c: what profilers found in cells, folded over runs. */
#include "profile_fold.h"
#include "base/die.h"
#include "base/num.h"
#include "base/str.h"
#include "json/json_value.h"
#include "json/json_text.h"
#include "profile_below.h"
#include "profile_calls.h"
#include "profile_contributors.h"
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

/* ---- functions ---------------------------------------------------------------------- */

/* The calls of functions that are sampled are null; without more words, they are the page's. */
static void
fold_function(struct profile_fold *f, struct scan *s, const struct lines *in)
{
	bool sampled = span_is(scan_get(s, "calls"), "null");
	bool of_page = sampled && !span_is(scan_get(s, "page"), "false");
	struct profile_cell *c = cell_of_record(f, s, in, "profile_function", of_page);
	xprofile_calls_fold(c, s, in, f->run, sampled && !of_page);
}

static void
fold_below(struct profile_fold *f, struct scan *s, const struct lines *in)
{
	xprofile_below_fold(cell_of_record(f, s, in, "profile_below", false), s, in);
}

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

/* ---- lines ------------------------------------------------------------------------- */

static struct profile_code *
code_of_record(struct profile_cell *c, struct scan *s, const struct lines *in)
{
	const char *type = "profile_line";
	char *file = xprofile_record_text(s, in, type, "file");
	char *function = xprofile_record_text(s, in, type, "function");
	long first = profile_record_line(s, "first_line");
	size_t i = xjson_value_index(c->by_key, xasprintf("c%s\n%ld\n%s", file, first, function),
	    c->n_codes);
	if (i < c->n_codes) {
		free(file);
		free(function);
		return &c->codes[i];
	}
	*XAPPEND(c->codes, c->n_codes) = (struct profile_code){.file = file, .function = function,
		.first_line = first};
	return &c->codes[i];
}

/* Lines come in order: the place of `line`, searched from the end. */
static struct profile_line *
line_of_code(struct profile_code *c, long line)
{
	size_t i = c->n_lines;
	while (i > 0 && c->lines[i - 1].line > line)
		i--;
	if (i > 0 && c->lines[i - 1].line == line)
		return &c->lines[i - 1];
	(void)XAPPEND(c->lines, c->n_lines);
	memmove(&c->lines[i + 1], &c->lines[i], (c->n_lines - 1 - i) * sizeof *c->lines);
	c->lines[i] = (struct profile_line){.line = line};
	return &c->lines[i];
}

static void
fold_line(struct profile_fold *f, struct scan *s, const struct lines *in)
{
	struct profile_cell *c = cell_of_record(f, s, in, "profile_line", false);
	struct profile_code *code = code_of_record(c, s, in);
	long number = profile_record_line(s, "line");
	if (!number)
		xprofile_record_lacks(in, "profile_line", "line");
	struct profile_line *line = line_of_code(code, number);
	double time_s = profile_record_amount(s, "time_s");
	double hits = profile_record_amount(s, "hits");
	profile_values_append(s, &line->values, f->run - 1, time_s, hits);
	line->hits += hits;
	line->time_s += time_s;
	code->time_s += time_s;
	profile_record_count(s, f->run, &code->runs, &code->last_run);
	if (!line->source)
		line->source = scan_string(s, "source");
}

/* ---- memory, stacks ---------------------------------------------------------------- */

static void
fold_allocation(struct profile_fold *f, struct scan *s, const struct lines *in)
{
	const char *type = "profile_allocation";
	struct profile_cell *c = cell_of_record(f, s, in, type, false);
	struct span when = scan_get(s, "when");
	bool at_end = span_is_word(when, "end");
	if (!at_end && !span_is_word(when, "peak"))
		xprofile_record_lacks(in, type, "when: peak or end");
	char *file = xprofile_record_text(s, in, type, "file");
	char *function = scan_string(s, "function");
	long line = profile_record_line(s, "line");
	size_t i = xjson_value_index(c->by_key, xasprintf("a%d%s\n%ld\n%s", at_end, file, line,
	    function ? function : ""), c->n_allocations);
	if (i == c->n_allocations) {
		*XAPPEND(c->allocations, c->n_allocations) = (struct profile_allocation){
			.file = file, .line = line, .function = function, .at_end = at_end};
	} else {
		free(file);
		free(function);
	}
	struct profile_allocation *a = &c->allocations[i];
	a->bytes = fmax(a->bytes, profile_record_amount(s, "bytes"));
	a->allocations = fmax(a->allocations, profile_record_amount(s, "allocations"));
	profile_record_count(s, f->run, &a->runs, &a->last_run);
}

static json_t *
xframes(struct scan *s, const struct lines *in)
{
	json_t *frames = span_json(scan_get(s, "stack")), *frame;
	size_t i;
	if (!json_is_array(frames))
		xprofile_record_lacks(in, "profile_stack", "stack");
	json_array_foreach(frames, i, frame)
		if (!json_is_string(frame))
			xprofile_record_lacks(in, "profile_stack", "a stack of texts");
	return frames;
}

/* The row of these frames, one more of them. */
static struct profile_stack *
stack_row(struct profile_cell *c, bool leaf, const char *process, const char *thread,
    const json_t *frames, double samples, double time_s)
{
	struct profile_stack **list = leaf ? &c->leaves : &c->stacks;
	size_t *n = leaf ? &c->n_leaves : &c->n_stacks;
	char *text = json_text_of(frames);
	size_t i = xjson_value_index(c->by_key,
	    xasprintf("%c%s\n%s\n%s", "sl"[leaf], process, thread, text), *n);
	free(text);
	if (i == *n) {
		*XAPPEND(*list, *n) = (struct profile_stack){xstrdup(process), xstrdup(thread),
			json_deep_copy(frames), 0, 0, 0, 0};
	}
	(*list)[i].samples += samples;
	(*list)[i].time_s += time_s;
	return &(*list)[i];
}

/* What is below it is native. */
static json_t *
innermost_python(const json_t *frames)
{
	json_t *innermost = NULL, *frame;
	size_t i;
	json_array_foreach(frames, i, frame)
		if (!innermost || strstr(json_string_value(frame), ".py:") ||
		    strstr(json_string_value(frame), "(<cell "))
			innermost = frame;
	return json_pack("[O*]", innermost);
}

static void
fold_task(struct profile_fold *f, struct scan *s, const struct lines *in)
{
	char *action = xprofile_record_text(s, in, "profile_task", "action");
	char *function = xprofile_record_text(s, in, "profile_task", "function");
	json_t *frames = json_pack("[s]", function);
	stack_row(cell_of_record(f, s, in, "profile_task", false), true, "dask", action, frames,
	    1, profile_record_amount(s, "duration_s"));
	json_decref(frames);
	free(function);
	free(action);
}

static void
fold_stack(struct profile_fold *f, struct scan *s, const struct lines *in)
{
	struct profile_cell *c = cell_of_record(f, s, in, "profile_stack",
	    span_is_word(scan_get(s, "process"), "browser"));
	json_t *frames = xframes(s, in), *innermost = innermost_python(frames);
	char *process = scan_string(s, "process"), *thread = scan_string(s, "thread");
	const char *of = process ? process : "kernel", *in_thread = thread ? thread : "?";
	double samples = profile_record_amount(s, "samples");
	double time_s = profile_record_amount(s, "time_s");
	if (!c->gesture)
		xprofile_contributors_stack(frames, s, f->profile_t);
	if (samples > 0) {	/* else the thread only waited there */
		struct profile_stack *to = stack_row(c, false, of, in_thread, frames, samples,
		    time_s);
		profile_record_count(s, f->run, &to->runs, &to->last_run);
		stack_row(c, true, of, in_thread, innermost, samples, time_s);
	}
	json_decref(innermost);
	json_decref(frames);
	free(process);
	free(thread);
}

/* A folded record. */
static void
fold_contributor(struct profile_fold *f, struct scan *s, const struct lines *in)
{
	static const char *const head[] = {"type", "usecase", "cell_index", "page"};
	struct profile_cell *c = cell_of_record(f, s, in, "contributor", false);
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

void
profile_fold_read(struct profile_fold *f, struct scan *s, const struct lines *in)
{
	static const struct {
		const char *type;
		void (*fold)(struct profile_fold *, struct scan *, const struct lines *);
	} kinds[] = {
		{"profile_function", fold_function}, {"profile_line", fold_line},
		{"profile_allocation", fold_allocation}, {"profile_stack", fold_stack},
		{"profile_task", fold_task}, {"contributor", fold_contributor},
		{"mistake", fold_mistake},
		{"profile_below", fold_below},
		{"profile", fold_pass},
	};
	if (in->number == 1 || scan_type_is(s, "run"))
		begin_profile_run(f);
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (scan_type_is(s, kinds[i].type)) {
			kinds[i].fold(f, s, in);
			return;
		}
	if (f->on_file && scan_type_is(s, "profile_file"))
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
