/* run_reader.c: what the records of a run mean. */
#include "run/run_reader.h"
#include "run/role.h"
#include "run/run_word.h"

static double
number_of(struct scan *s, const char *key)
{
	return span_number(scan_get(s, key));
}

static double
seconds_of(struct scan *s, const char *key_ms)
{
	return number_of(s, key_ms) / 1000;
}

static bool
is_true(struct scan *s, const char *key)
{
	return span_is(scan_get(s, key), "true");
}

/* A whole number of at least `min`, else `otherwise`. */
static long
whole_of(struct scan *s, const char *key, long min, long otherwise)
{
	double x = number_of(s, key);
	return x >= (double)min && x <= 1e9 && x == floor(x) ? (long)x : otherwise;
}

/* ---- clocks ------------------------------------------------------------------------ */

/* An offset within its bound cannot be distinguished from 0, which agrees with every message so
 * far; and processes of one machine share a clock. */
static double
offset_s(const struct run_reader *r)
{
	return fabs(r->offset_ms) > r->bound_ms ? r->offset_ms / 1000 : 0;
}

double
run_page_shift_s(const struct run_reader *r)
{
	return r->kernel_here ? offset_s(r) : 0;
}

/* ---- cells ------------------------------------------------------------------------- */

static double
end_of(const struct run_cell *c, bool truncated)
{
	if (isfinite(c->received_t))
		return fmax(c->received_t, c->last_visual_change_t);
	if (isfinite(c->client_s))
		return c->begin_t + c->client_s;
	return truncated ? c->t : (double)NAN;
}

static struct run_cell
start_of(struct scan *s)
{
	return (struct run_cell){.t = number_of(s, "t"), .index = whole_of(s, "cell_index", 1, 0)};
}

/* Reads members in about the order of the record, because lookups are then quickest. */
static void
read_cell(struct run_reader *r, struct scan *s)
{
	struct run_cell *c = &r->cell;
	*c = start_of(s);
	c->end_t = NAN;
	c->profiled = is_true(s, "profiled");
	c->status = run_word_status(scan_get(s, "status"));
	c->pressed_t = number_of(s, "pressed_t");
	c->sent_t = number_of(s, "sent_t");
	struct span marks = scan_get(s, "marks");
	bool marked = !span_null(marks) && !span_is(marks, "[]");
	c->queued = marked && span_lists(marks, "queued");
	c->client_s = seconds_of(s, "client_ms");
	c->kernel_s = seconds_of(s, "kernel_ms");
	c->render_s = seconds_of(s, "render_ms");
	double offset_ms = number_of(s, "clock_offset_ms");
	double bound_ms = number_of(s, "clock_bound_ms");
	c->received_t = number_of(s, "received_t");
	c->arrived_t = number_of(s, "arrived_t");
	if (isnan(c->arrived_t))
		c->arrived_t = c->received_t;
	c->last_visual_change_t = number_of(s, "last_visual_change_t");
	c->done_t = number_of(s, "done_t");
	c->busy_t = number_of(s, "busy_t");
	c->idle_t = number_of(s, "idle_t");
	if (isfinite(offset_ms)) {
		r->offset_ms = offset_ms;
		r->bound_ms = bound_ms;
	}
	c->page_shift_s = run_page_shift_s(r);
	c->kernel_shift_s = c->page_shift_s - offset_s(r);
	c->busy_t += c->kernel_shift_s;
	c->idle_t += c->kernel_shift_s;
	double *const pages[] = {&c->pressed_t, &c->sent_t, &c->arrived_t, &c->received_t,
		&c->last_visual_change_t, &c->done_t};
	for (size_t i = 0; i < COUNT(pages); i++)
		*pages[i] += c->page_shift_s;
	c->begin_t = isfinite(c->pressed_t) ? c->pressed_t : c->sent_t;
	if (isfinite(c->begin_t))
		c->end_t = end_of(c, marked && span_lists(marks, "truncated"));
	/* One that never got the kernel has no time of its own. */
	c->turn_t = c->queued ? fmax(c->begin_t, fmin(c->busy_t, c->end_t)) : c->begin_t;
}

bool
run_cell_has(const struct run_cell *c, double t)
{
	return t >= c->turn_t && t <= c->end_t;
}

/* ---- records ----------------------------------------------------------------------- */

static void
read_run(struct run_reader *r, struct scan *s)
{
	static struct scan settings, machine;
	*r = (struct run_reader){.number = r->number + 1, .open = true, .t = number_of(s, "t"),
		.code_cells = whole_of(s, "code_cells", 0, -1), .offset_ms = NAN, .bound_ms = NAN};
	scan_members(&settings, scan_get(s, "settings"));
	r->filmed = is_true(&settings, "filmed");
	r->listened = is_true(&settings, "listen");
	scan_members(&machine, scan_get(s, "machine"));
	r->memory_bytes = number_of(&machine, "memory_bytes");
}

static void
read_end(struct run_reader *r, struct scan *s)
{
	r->open = false;
	r->end.t = number_of(s, "t");
	r->end.status = run_word_status(scan_get(s, "status"));
	r->end.cells_run = whole_of(s, "cells_run", 0, 0);
	r->end.wall_s = seconds_of(s, "wall_ms");
	r->end.open_s = seconds_of(s, "open_ms");
	r->end.loading_s = seconds_of(s, "loading_ms");
}

enum run_record
run_record_kind(struct scan *s)
{
	static const char *const types[] = {
		[RUN_BEGIN] = "run",
		[RUN_WATCH] = "watch",
		[RUN_CELL_START] = "cell_start",
		[RUN_CELL] = "cell",
		[RUN_END] = "run_end",
	};
	s->next = 0;
	struct span type = scan_get(s, "type");
	for (size_t i = RUN_BEGIN; i < COUNT(types); i++)
		if (span_is_word(type, types[i]))
			return (enum run_record)i;
	return RUN_OTHER;
}

enum run_record
run_read(struct run_reader *r, struct scan *s)
{
	enum run_record kind = run_record_kind(s);
	switch (kind) {
	case RUN_BEGIN:
		read_run(r, s);
		break;
	case RUN_WATCH:
		if (run_word_role(s) == ROLE_KERNEL && isfinite(number_of(s, "pid")))
			r->kernel_here = true;
		break;
	case RUN_CELL_START:
		r->cell = start_of(s);
		break;
	case RUN_CELL:
		read_cell(r, s);
		break;
	case RUN_END:
		read_end(r, s);
		break;
	case RUN_OTHER:
		break;
	}
	return kind;
}

double
run_cell_time(const struct run_cell *c)
{
	return isnan(c->client_s) && isnan(c->render_s) ? c->kernel_s : c->client_s;
}
