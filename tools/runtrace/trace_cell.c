/* trace_cell.c: how a cell is drawn. */
#include "trace_cell.h"
#include "base/die.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "json/member.h"
#include "run/role.h"
#include "text/text.h"
#include "trace_group.h"
#include "trace_number.h"
#include "trace_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LANES = 8, NAME_COLUMNS = 60 };

struct lanes {
	int64_t end_us[MAX_LANES];
};
static struct lanes cells, inputs;
static int64_t kernel_us;	/* where the kernel's last slice ended */
static int64_t counted_us;	/* up to where the messages are counted: their sum never falls */
static double sent, received, messages;	/* by WebSocket, so far */

/* Numbers of the page. */
enum { RECEIVED, SENT, MESSAGES, HEAP, NODES, VIEWS, PAGE_SERIES };
static const struct series_def page_defs[PAGE_SERIES] = {
	[RECEIVED] = {.title = "WebSocket, received so far", .unit = "B"},
	[SENT] = {.title = "WebSocket, sent so far", .unit = "B"},
	[MESSAGES] = {.title = "WebSocket, messages so far", .unit = ""},
	[HEAP] = {.title = "JavaScript heap", .unit = "B"},
	[NODES] = {.title = "DOM nodes", .unit = ""},
	[VIEWS] = {.title = "widget views", .unit = ""},
};
static struct trace_series page_series[PAGE_SERIES];

static int64_t
later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- lanes ------------------------------------------------------------------------- */

void
trace_cells_begin(void)
{
	for (size_t i = 0; i < MAX_LANES; i++)
		cells.end_us[i] = inputs.end_us[i] = INT64_MIN;
	kernel_us = counted_us = INT64_MIN;
	sent = received = messages = 0;
	for (size_t i = 0; i < COUNT(page_defs); i++) {
		struct trace_series *series = &page_series[i];
		buf_free(&series->head);
		*series = (struct trace_series){.def = &page_defs[i]};
		series->group = trace_group("page");
		series->name = page_defs[i].title;
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
	*begin = later(*begin, l->end_us[best]);
	l->end_us[best] = later(*begin, end);
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

/* "[3] the first line of its code that is not blank". */
static char *
cell_name(struct scan *s)
{
	struct buf b = {0};
	struct span index = scan_get(s, "cell_index");
	char *source = scan_string(s, "source");
	const char *line = source ? source + strspn(source, " \t\r\n") : "";
	char *first = xasprintf("%.*s", (int)strcspn(line, "\r\n"), line);
	buf_addf(&b, "[%.*s]%s", (int)index.n, index.p ? index.p : "", *first ? " " : "");
	text_show(&b, first, NAME_COLUMNS);
	free(first);
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
	begin = later(begin, kernel_us);
	end = later(begin, end == INT64_MIN ? cell_end : end);
	kernel_us = trace_run_until(end);
	struct buf args = {0};
	buf_addf(&args, "{");
	member_span(&args, "cell_index", scan_get(s, "cell_index"));
	double comm_ms = span_number(scan_get(s, "kernel_comm_ms"));
	if (isfinite(comm_ms))
		buf_addf(&args, "\"kernel_comm_ms\":%.3f,", comm_ms);
	buf_addf(&args, "\"clock_offset_ms\":%.3f}", isfinite(r->offset_ms) ? r->offset_ms : 0);
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
	int64_t from = later(turn, counted_us);
	counted_us = later(end, from);
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
	static const char *const ends[][2] = {{"heap_before_bytes", "heap_bytes"},
		{"nodes_before", "nodes"}, {"widget_views_before", "widget_views"}};
	if (span_null(text))
		return;
	json_t *page = span_json(text);
	put_frames(page, c->page_shift_s);
	for (size_t i = 0; i < COUNT(ends); i++) {
		double before = json_value_real_at(page, ends[i][0]);
		double after = json_value_real_at(page, ends[i][1]);
		trace_number(&page_series[HEAP + i], trace_us(c->turn_t), before);
		trace_number(&page_series[HEAP + i], trace_us(c->end_t), after);
	}
	json_decref(page);
}

/* From the arrival of the reply on, which the browser may be too busy to handle at once. */
static void
put_render(struct trace_place phases, const struct run_cell *c, int64_t begin,
    int64_t received_us)
{
	int64_t end = trace_us(c->last_visual_change_t);
	if (begin < received_us)
		end = later(end, received_us);
	put_slice(phases, "render", begin, end, NULL);
	if (begin < received_us)
		put_slice(phases, "waits for the browser", begin, received_us, NULL);
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
	int64_t sent_us = trace_us(c->sent_t), received_us = trace_us(c->received_t);
	int64_t waited_us = received_us == INT64_MIN ? end : received_us;
	char *name = cell_name(s), *args = trace_run_args(s);
	size_t lane = lane_of(&cells, &from, trace_run_until(end));
	struct trace_place phases = place_in_lane("page", "phases", lane);
	put_slice(place_in_lane("notebook", "cells", lane), name, from, end, args);
	put_slice(phases, name, from, end, NULL);
	if (isfinite(c->pressed_t))
		put_slice(phases, "dispatch", from, sent_us, NULL);
	if (sent_us != INT64_MIN)
		sent_us = later(from, sent_us);
	if (received_us != INT64_MIN && isfinite(c->arrived_t))
		waited_us = trace_us(c->arrived_t);
	put_slice(phases, "waits for the kernel", sent_us, waited_us, NULL);
	if (received_us != INT64_MIN)
		put_render(phases, c, later(from, waited_us), received_us);
	put_kernel(s, r, name, end);
	put_socket(s, lane, trace_us(c->turn_t), sent_us, end);
	put_page(scan_get(s, "page"), c);
	free(name);
	free(args);
}

void
trace_interaction(struct scan *s, int64_t begin)
{
	double gesture_ms = span_number(scan_get(s, "gesture_ms"));
	double last_ms = span_number(scan_get(s, "last_visual_change_ms"));
	double lasted_ms = fmax(gesture_ms, 0) + (isfinite(last_ms) ? last_ms : 0);
	if (!(lasted_ms < 1e12))
		return;
	int64_t end = trace_run_until(begin + llround(lasted_ms * 1000));
	char *input = scan_string(s, "input"), *args = trace_run_args(s);
	size_t lane = lane_of(&inputs, &begin, end);
	struct trace_place place = place_in_lane("notebook", "interactions", lane);
	put_slice(place, input ? input : "input", begin, end, args);
	free(input);
	free(args);
}
