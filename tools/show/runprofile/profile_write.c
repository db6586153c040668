/* profile_write.c: folded profiles as records. */
#include "profile_write.h"
#include "base/die.h"
#include "json/json_value.h"
#include "profile_hot.h"
#include "profile_own.h"
#include "profile_sentence.h"
#include "profile/profile_place.h"
#include "profile_text.h"

/* NaN is null; a whole number, such as a count, is written as one. */
static json_t *
json_count(double x)
{
	return isfinite(x) && fabs(x) < 9e15 ? json_integer((json_int_t)x) : json_value_real(x);
}

/* Takes over the members. */
static void
write_cell_record(const struct profile_cell *c, const char *type, size_t runs, json_t *members)
{
	json_t *record = json_pack("{s:s, s:o, s:o, s:b}", "type", type, "usecase",
	    json_value_text(c->usecase), "cell_index",
	    c->index ? json_integer(c->index) : json_null(), "page", c->page);
	record = xjson_value_join(record, members);
	if (c->gesture)
		json_object_set_new(record, "interaction", json_integer(c->gesture));
	if (c->processes)
		json_object_set_new(record, "processes", json_integer(c->processes));
	if (runs)
		json_object_set_new(record, "runs", json_integer((json_int_t)runs));
	xlines_write_new(record);
}

static json_t *
json_line(long line)
{
	return line ? json_integer(line) : json_null();
}

static json_t *
json_place(const char *file, long line, const char *function)
{
	struct buf place = {0};
	profile_text_place(&place, file, line, function);
	json_t *text = json_string(place.p);
	buf_free(&place);
	return text;
}

static const char *
owner_word(enum profile_owner owner)
{
	static const char *const words[] = {[OWNER_PACKAGE] = "package", [OWNER_CELL] = "own",
		[OWNER_STANDARD] = "standard", [OWNER_KERNEL] = "standard",
		[OWNER_BUILTIN] = "builtin"};
	return words[owner];
}

/* What people read of the cell first. */
static void
write_cell(const struct profile_cell *c)
{
	char *sentence = profile_sentence(c), *packages = profile_hot_packages(c);
	write_cell_record(c, "profile_cell", 0, json_pack("{s:s?, s:s?, s:s?}", "source_line",
	    profile_hot_name(c), "sentence", sentence, "packages", packages));
	free(packages);
	free(sentence);
}

static json_t *
json_names(const struct profile_pass *p)
{
	json_t *names = p->names ? json_array() : json_null(), *v;
	const char *name;
	json_object_foreach(p->names, name, v)
		json_array_append_new(names, json_string(name));
	return names;
}

static void
write_pass(const struct profile_cell *c, const struct profile_pass *p)
{
	json_t *r = json_pack("{s:o, s:s?, s:s, s:s?, s:o, s:s?, s:s?, s:o, s:o, s:o}",
	    "t", json_value_time(p->t), "cell_id", c->id, "profiler", p->profiler,
	    "version", p->version, "wall_s",
	    json_value_real(c->processes ? (double)NAN : p->wall_s), "error", p->error,
	    "reason", p->reason, "peak_bytes", json_count(p->peak_bytes),
	    "end_bytes", json_count(p->end_bytes), "left_out", json_count(p->left_out));
	json_t *more = json_pack("{s:s?, s:o, s:o}", "source_line", c->source_line,
	    "kernel_s", json_value_real(profile_fold_kernel_s(p)),
	    "kernel_without_s", json_value_real(p->without_s));
	json_object_update_new(r, more);
	if (c->processes)
		json_object_set_new(r, "work_s", json_value_real(p->wall_s));
	if (p->note)
		json_object_set_new(r, "note", json_string(p->note));
	struct buf text = {0};
	profile_text_pass(&text, p);
	json_object_set_new(r, "text", json_string(text.p));
	if (p->sampled_s > 0)
		json_object_update_new(r, json_pack("{s:f, s:f}", "sampled_s", p->sampled_s,
		    "threads_s", p->threads_s));
	if (isfinite(p->cpu_s))
		json_object_set_new(r, "cpu_s", json_real(p->cpu_s));
	json_object_set_new(r, "names", json_names(p));
	buf_free(&text);
	write_cell_record(c, "profile", p->runs, r);
}

static void
write_function(const struct profile_cell *c, size_t i)
{
	const struct profile_function *f = &c->functions[i];
	json_t *callers = json_array();
	bool sampled = c->page || c->sampled;
	for (size_t k = 0; k < f->n_callers; k++) {
		const struct profile_caller *by = &f->callers[k];
		json_array_append_new(callers, json_pack("[I, o, o, f, f]",
		    (json_int_t)by->function + 1, json_count(by->calls),
		    json_count(by->primitive_calls), by->own_s, by->cumulative_s));
	}
	write_cell_record(c, "profile_function", f->runs,
	    json_pack("{s:I, s:s, s:o, s:s, s:o, s:o, s:f, s:f, s:o, s:o, s:s}",
		"id", (json_int_t)i + 1,
		"file", f->file, "line", json_line(f->line), "function", f->function,
		"calls", json_count(sampled ? (double)NAN : f->calls), "primitive_calls",
		json_count(sampled ? (double)NAN : f->primitive_calls),
		"own_s", f->own_s, "cumulative_s", f->cumulative_s, "callers", callers,
		"place", json_place(f->file, f->line, f->function),
		"owner", owner_word(profile_place_owner(f->file))));
}

static void
write_code(const struct profile_cell *c, const struct profile_code *code,
    const struct profile_line *hot)
{
	for (size_t i = 0; i < code->n_lines; i++) {
		const struct profile_line *l = &code->lines[i];
		write_cell_record(c, "profile_line", code->runs,
		    json_pack("{s:s, s:s, s:o, s:I, s:o, s:f, s:f, s:s?, s:o, s:b}", "file",
			code->file, "function", code->function,
			"first_line", json_line(code->first_line),
			"line", (json_int_t)l->line, "hits", json_count(l->hits),
			"time_s", l->time_s, "share", l->share, "source", l->source, "place",
			json_place(code->file, code->first_line, code->function),
			"hot", l == hot));
	}
}

static void
write_below(const struct profile_cell *c, const struct profile_below *b)
{
	json_t *callees = json_array();
	for (size_t i = 0; i < b->n_callees; i++)
		json_array_append_new(callees, json_pack("[s, s, f]", b->callees[i].file,
		    b->callees[i].function, b->callees[i].time_s));
	write_cell_record(c, "profile_below", 0,
	    json_pack("{s:s, s:s, s:o, s:I, s:s?, s:b, s:f, s:f, s:f, s:f, s:b, s:o}",
		"file", b->file, "function", b->function, "first_line",
		json_line(b->first_line), "line", (json_int_t)b->line, "source", b->source,
		"threads", b->threads, "share", b->share, "time_s", b->time_s,
		"inner_s", b->inner_s, "leaf_s", b->leaf_s, "uncounted", b->uncounted,
		"below", callees));
}

static void
write_allocation(const struct profile_cell *c, const struct profile_allocation *a)
{
	write_cell_record(c, "profile_allocation", a->runs,
	    json_pack("{s:s, s:s, s:o, s:s?, s:o, s:o, s:o}", "when", a->at_end ? "end" : "peak",
		"file", a->file, "line", json_line(a->line), "function", a->function,
		"bytes", json_count(a->bytes), "allocations", json_count(a->allocations),
		"place", json_place(a->file, a->line, a->function)));
}

static void
write_stack(const struct profile_cell *c, const struct profile_stack *s)
{
	json_t *frames = json_array(), *frame;
	size_t i;
	json_array_foreach(s->frames, i, frame) {
		enum profile_owner owner;
		char *name = profile_place_frame(json_string_value(frame), &owner);
		json_array_append_new(frames, json_pack("[s, s]", name, owner_word(owner)));
		free(name);
	}
	write_cell_record(c, "profile_stack", s->runs,
	    json_pack("{s:s, s:s, s:O, s:o, s:f, s:o}", "process", s->process, "thread", s->thread,
		"stack", s->frames, "samples", json_count(s->samples), "time_s", s->time_s,
		"frames", frames));
}

static void
write_contributors(const struct profile_cell *c)
{
	json_t *r;
	size_t i;
	json_array_foreach(c->contributors, i, r)
		write_cell_record(c, "contributor", 0, json_incref(r));
}

void
profile_write(const struct profile_fold *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct profile_cell *c = &f->cells[i];
		struct profile_own own = {0};
		profile_own_line(c, false, &own);
		profile_own_set(c);
		write_cell(c);
		for (size_t k = 0; k < c->n_passes; k++)
			write_pass(c, &c->passes[k]);
		write_contributors(c);
		for (size_t k = 0; k < c->n_functions; k++)
			write_function(c, k);
		for (size_t k = 0; k < c->n_codes; k++)
			write_code(c, &c->codes[k], own.counted);
		for (size_t k = 0; k < c->n_below; k++)
			write_below(c, &c->below[k]);
		for (size_t k = 0; k < c->n_allocations; k++)
			write_allocation(c, &c->allocations[k]);
		for (size_t k = 0; k < c->n_stacks; k++)
			write_stack(c, &c->stacks[k]);
	}
}
