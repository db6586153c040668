/* profile_rows.c: lines, allocations, stacks and tasks of a cell, folded over runs. */
#include "profile_rows.h"
#include "base/die.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "profile_contributors.h"
#include "profile/profile_record.h"

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

void
xprofile_rows_line(struct profile_cell *c, struct scan *s, const struct lines *in,
    const struct profile_fold *f)
{
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

void
xprofile_rows_allocation(struct profile_cell *c, struct scan *s, const struct lines *in,
    const struct profile_fold *f)
{
	const char *type = "profile_allocation";
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

void
xprofile_rows_task(struct profile_cell *c, struct scan *s, const struct lines *in,
    const struct profile_fold *f)
{
	char *action = xprofile_record_text(s, in, "profile_task", "action");
	char *function = xprofile_record_text(s, in, "profile_task", "function");
	json_t *frames = json_pack("[s]", function);
	struct profile_stack *to = stack_row(c, true, "dask", action, frames, 1,
	    profile_record_amount(s, "duration_s"));
	profile_record_count(s, f->run, &to->runs, &to->last_run);
	json_decref(frames);
	free(function);
	free(action);
}

void
xprofile_rows_stack(struct profile_cell *c, struct scan *s, const struct lines *in,
    const struct profile_fold *f)
{
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
