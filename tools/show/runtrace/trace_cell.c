/* trace_cell.c: how a cell is drawn. */
#include "trace_cell.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "json/member.h"
#include "metric/phase.h"
#include "run/role.h"
#include "run/run_interaction.h"
#include "text/source_line.h"
#include "text/text.h"
#include "trace_group.h"
#include "trace_number.h"
#include "trace_run.h"

#include <stdio.h>

enum { MAX_LANES = 8, NAME_COLUMNS = 60, NAME_BYTES = 240 };

struct lanes {
	int64_t end_us[MAX_LANES];
};
static struct lanes cells, inputs, steps;
static int64_t kernel_us;	/* where the kernel's last slice ended */
static int64_t counted_us;	/* up to where the messages are counted: their sum never falls */
static double sent, received, messages;	/* by WebSocket, so far */

/* Numbers of the page. */
enum { RECEIVED, SENT, MESSAGES, HEAP, NODES, VIEWS, PAGE_SERIES };
static const struct series_def page_defs[PAGE_SERIES] = {
	[RECEIVED] = {.title = "WebSocket, received so far", .unit = "B"},
	[SENT] = {.title = "WebSocket, sent so far", .unit = "B"},
	[MESSAGES] = {.title = "WebSocket, messages so far", .unit = ""},
	[HEAP] = {.unit = "B"},
	[NODES] = {.unit = ""},
	[VIEWS] = {.unit = ""},
};
/* Numbers at the two ends of a cell. */
static const struct {
	enum metric_id metric;
	const char *before;
} ends[] = {{M_heap_bytes, "heap_before_bytes"}, {M_nodes, "nodes_before"},
	{M_widget_views, "widget_views_before"}};
static struct trace_series page_series[PAGE_SERIES];

static int64_t
later_us(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- lanes ------------------------------------------------------------------------- */

void
trace_cells_begin(void)
{
	for (size_t i = 0; i < MAX_LANES; i++)
		cells.end_us[i] = inputs.end_us[i] = steps.end_us[i] = INT64_MIN;
	kernel_us = counted_us = INT64_MIN;
	sent = received = messages = 0;
	for (size_t i = 0; i < COUNT(page_defs); i++) {
		struct trace_series *series = &page_series[i];
		buf_free(&series->head);
		*series = (struct trace_series){.def = &page_defs[i]};
		series->group = trace_group("page");
		series->name = i < HEAP ? page_defs[i].title
		    : metric_catalogue[ends[i - HEAP].metric].title;
	}
}

/* Viewers drop what hangs over the slice around it, and draw what lies within it as a part of
 * it: of cells that a person runs at once, each that begins before another is over has a lane
 * of its own, as long as one is free; then it begins later. */
static size_t
lane_of(struct lanes *l, int64_t *begin, int64_t end)
{
	size_t best = 0;
	for (size_t i = 0; i < MAX_LANES; i++) {
		if (l->end_us[i] <= *begin) {
			best = i;
			break;
		}
		if (l->end_us[i] < l->end_us[best])
			best = i;
	}
	*begin = later_us(*begin, l->end_us[best]);
	l->end_us[best] = later_us(*begin, end);
	return best;
}

static struct trace_place
place_in_lane(const char *role, const char *track, size_t lane)
{
	char name[64];
	snprintf(name, sizeof name, "%s %zu", track, lane + 1);
	return trace_place(role, lane ? name : track);
}

static void
put_slice(struct trace_place p, const char *name, int64_t begin, int64_t end, const char *args)
{
	if (begin != INT64_MIN && end >= begin)
		trace_writer->slice(p, name, begin, end, args);
}

/* ---- a cell ------------------------------------------------------------------------ */

/* "[3] show(data)". */
static char *
cell_name(struct scan *s)
{
	struct buf b = {0};
	struct span index = scan_get(s, "cell_index");
	char *source = scan_string(s, "source");
	char *line = source_line(source ? source : "", NAME_BYTES);
	buf_addf(&b, "[%.*s]%s", (int)index.n, index.p ? index.p : "", *line ? " " : "");
	text_show(&b, line, NAME_COLUMNS);
	free(line);
	free(source);
	return b.p;
}

/* A kernel does one thing after the other; where it is elsewhere, two offsets of its clock may
 * say otherwise. */
static void
put_kernel(struct scan *s, const struct run_reader *r, const char *name, int64_t cell_end)
{
	int64_t begin = trace_us(r->cell.busy_t), end = trace_us(r->cell.idle_t);
	if (begin == INT64_MIN)
		return;
	begin = later_us(begin, kernel_us);
	end = later_us(begin, end == INT64_MIN ? cell_end : end);
	kernel_us = trace_run_until(end);
	struct buf args = {0};
	buf_addf(&args, "{");
	member_span(&args, "cell_index", scan_get(s, "cell_index"));
	double comm_ms = span_number(scan_get(s, "kernel_comm_ms"));
	if (isfinite(comm_ms))
		buf_addf(&args, "\"kernel_comm_ms\":%.3f,", comm_ms);
	buf_addf(&args, "\"clock_offset_ms\":%.3f}", num_or_0(r->offset_ms));
	put_slice(trace_place(role_word(ROLE_KERNEL), "busy"), name, begin, end, args.p);
	buf_free(&args);
}

static void
put_socket(struct scan *s, size_t lane, int64_t turn, int64_t sent_us, int64_t end)
{
	static double *const sums[] = {&received, &sent, &messages};
	double bytes_out = span_number(scan_get(s, "ws_bytes_sent"));
	double bytes_in = span_number(scan_get(s, "ws_bytes_received"));
	double out = span_number(scan_get(s, "ws_messages_sent"));
	double in = span_number(scan_get(s, "ws_messages_received"));
	const double more[] = {bytes_in, bytes_out, out + in};
	if (!isfinite(bytes_out + bytes_in + out + in))
		return;
	int64_t from = later_us(turn, counted_us);
	counted_us = later_us(end, from);
	for (size_t i = 0; i < COUNT(sums); i++) {
		trace_number(&page_series[RECEIVED + i], from, *sums[i]);
		trace_number(&page_series[RECEIVED + i], counted_us, *sums[i] += more[i]);
	}
	char *name = xasprintf("%.0f messages, %.1f kB in, %.1f kB out", out + in, bytes_in / 1e3,
	    bytes_out / 1e3);
	char *args = xasprintf("{\"ws_messages_sent\":%.0f,\"ws_messages_received\":%.0f,"
	    "\"ws_bytes_sent\":%.0f,\"ws_bytes_received\":%.0f}", out, in, bytes_out, bytes_in);
	put_slice(place_in_lane("page", "WebSocket", lane), name, sent_us, end, args);
	free(args);
	free(name);
}

static void
put_frames(const json_t *page, double shift_s)
{
	const json_t *frame;
	size_t i;
	json_array_foreach(json_object_get(page, "long_animation_frames"), i, frame) {
		double t = json_value_real_at(frame, "t");
		double ms = json_value_real_at(frame, "duration_ms");
		const char *script = json_string_value(json_object_get(frame, "script"));
		struct trace_place place = trace_place("page", "long frames");
		int64_t begin = trace_us(t + shift_s);
		if (begin == INT64_MIN || !(fabs(ms) < 9e11))
			continue;
		int64_t end = trace_run_until(begin + llround(ms * 1000));
		char *args = json_text_of(frame);
		put_slice(place, script ? script : "long frame", begin, end, args);
		free(args);
	}
}

/* What the page reported: frames, and numbers at the cell's two ends. */
static void
put_page(struct span text, const struct run_cell *c)
{
	if (span_null(text))
		return;
	json_t *page = span_json(text);
	put_frames(page, c->page_shift_s);
	for (size_t i = 0; i < COUNT(ends); i++) {
		double before = json_value_real_at(page, ends[i].before);
		double after = json_value_real_at(page, metric_catalogue[ends[i].metric].member);
		trace_number(&page_series[HEAP + i], trace_us(c->turn_t), before);
		trace_number(&page_series[HEAP + i], trace_us(c->end_t), after);
	}
	json_decref(page);
}

static void
put_phase(struct trace_place place, enum phase phase, int64_t begin, int64_t end)
{
	if (end > begin)
		put_slice(place, phase_defs[phase].name, begin, end, NULL);
}

static int64_t
clamp_us(int64_t t, int64_t from, int64_t to)
{
	return t < from ? from : t > to ? to : t;
}

/* Writes the phases from the request to the answer: if queue and delivery cannot be separated,
 * transport with the kernel's time in it, which the clocks' offset may have shifted. */
static void
put_answered(struct scan *s, const struct run_cell *c, struct trace_place place, int64_t from,
    int64_t to)
{
	const char *queue_ms = metric_catalogue[phase_defs[PHASE_QUEUE].column].member;
	bool separate = isfinite(span_number(scan_get(s, queue_ms)));
	int64_t busy = trace_us(c->busy_t), idle = trace_us(c->idle_t);
	if (from == INT64_MIN || busy == INT64_MIN) {
		put_phase(place, PHASE_QUEUE, from, to);
		return;
	}
	busy = clamp_us(busy, from, to);
	idle = idle == INT64_MIN ? to : clamp_us(idle, busy, to);
	if (separate)
		put_phase(place, PHASE_QUEUE, from, busy);
	else
		put_phase(place, PHASE_TRANSPORT, from, to);
	put_phase(place, PHASE_KERNEL, busy, idle);
	if (separate)
		put_phase(place, PHASE_DELIVERY, idle, to);
}

/* Writes the phase from the arrival of the answer on, which the browser may be too busy to handle
 * at once. */
static void
put_render(struct trace_place place, const struct run_cell *c, int64_t begin, int64_t end)
{
	int64_t received_us = clamp_us(trace_us(c->received_t), begin, end);
	put_phase(place, PHASE_RENDER, begin, end);
	if (received_us > begin)
		put_slice(place, "waits for the browser", begin, received_us, NULL);
}

void
trace_cell(struct scan *s, const struct run_reader *r)
{
	const struct run_cell *c = &r->cell;
	int64_t from = trace_us(c->begin_t), end = trace_us(c->end_t);
	trace_run_bound(r->bound_ms);
	if (!page_series[0].def)	/* a cell of no run */
		trace_cells_begin();
	if (from == INT64_MIN || end == INT64_MIN)
		return;
	int64_t sent_us = trace_us(c->sent_t), answered_us = trace_us(c->arrived_t);
	char *name = cell_name(s), *args = trace_run_args(s);
	size_t lane = lane_of(&cells, &from, trace_run_until(end));
	struct trace_place phases = place_in_lane("page", "phases", lane);
	put_slice(place_in_lane("notebook", "cells", lane), name, from, end, args);
	put_slice(phases, name, from, end, NULL);
	if (isfinite(c->pressed_t))
		put_phase(phases, PHASE_DISPATCH, from, sent_us);
	if (sent_us != INT64_MIN)
		sent_us = later_us(from, sent_us);
	put_answered(s, c, phases, sent_us, answered_us == INT64_MIN ? end : answered_us);
	if (answered_us != INT64_MIN)
		put_render(phases, c, later_us(from, answered_us), end);
	put_kernel(s, r, name, end);
	put_socket(s, lane, trace_us(c->turn_t), sent_us, end);
	put_page(scan_get(s, "page"), c);
	free(name);
	free(args);
}

void
trace_interaction(struct scan *s, int64_t begin)
{
	static struct buf name;
	double time_s = run_interaction_time(s);
	if (!(time_s < 1e9))
		return;
	int64_t end = trace_run_until(begin + llround(time_s * 1e6));
	run_interaction_name(&name, s);
	char *text = span_string((struct span){name.p, name.n}), *args = trace_run_args(s);
	size_t lane = lane_of(&inputs, &begin, end);
	struct trace_place place = place_in_lane("notebook", "interactions", lane);
	put_slice(place, text && *text ? text : "input", begin, end, args);
	free(text);
	free(args);
}

void
trace_interaction_step(struct scan *s, int64_t begin)
{
	double ms = span_number(scan_get(s, "latency_ms"));
	if (!(ms < 1e9))
		return;
	int64_t end = trace_run_until(begin + llround(fmax(ms, 0) * 1000));
	char *input = scan_string(s, "input"), *args = trace_run_args(s);
	size_t lane = lane_of(&steps, &begin, end);
	put_slice(place_in_lane("notebook", "inputs", lane), input ? input : "input", begin, end,
	    args);
	free(input);
	free(args);
}
