/* runtrace: one run as a picture over time, for the viewers that people have.
 * Reads the records of a run; writes a Chrome trace (Perfetto opens it) or an
 * OTF2 archive (Vampir does).  All is on the page's clock: what the kernel says
 * is moved by the clocks' offset, whose bound goes along. */
#include "text.h"
#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_COLUMNS = 60 };

static const char *otf2_to;
static const struct opt opts[] = {
	{0, "otf2", OPT_STRING, &otf2_to, 0, 0, "DIR", "write an OTF2 archive into the new folder DIR"},
	{0},
};
static const struct usage usage = {"runtrace", "[options] [FILE]",
	"Writes a run as a Chrome trace, or as an OTF2 archive.", opts};

enum { MOST_LANES = 8 };

static const struct trace_writer *writer;
static struct { const char *name; unsigned long number; } at;	/* the line that is being taken */

/* What is known of the run that is being read. */
static struct {
	char *name;
	struct buf about;	/* its record's members that the trace tells */
	int64_t begin_us, last_us, kernel_us, sampled_us;	/* kernel_us: where its last slice ended */
	bool kernel_here;	/* on the clock that samples have */
	double offset_ms, bound_ms, worst_ms;	/* NaN: not known */
	double sent, received, messages;	/* by WebSocket, so far */
	int64_t counted_us;	/* up to where: what is so far never falls */
	struct lanes { int64_t end_us[MOST_LANES]; } cells, inputs;
} run = {.begin_us = INT64_MIN, .last_us = INT64_MIN, .sampled_us = INT64_MIN, .offset_ms = NAN, .bound_ms = NAN, .worst_ms = NAN};
static struct buf runs;	/* what there is to say of those that are over */

/* ---- the clocks -------------------------------------------------------------------- */

static int64_t
shift_of(bool other_clock)
{
	return other_clock && isfinite(run.offset_ms) ? -llround(run.offset_ms * 1000) : 0;
}

static int64_t
seen_us(int64_t us)
{
	if (us > run.last_us)
		run.last_us = us;
	return us;
}

/* A time of the page's clock, or of the kernel's; INT64_MIN where there is none. */
static int64_t
time_of(struct scan *s, const char *key, bool kernels)
{
	struct span v = scan_get(s, key);
	int64_t us = span_null(v) ? INT64_MIN : span_us(v);
	return us < 0 ? INT64_MIN : seen_us(us + shift_of(kernels));
}

static int64_t
xtime_of_record(struct scan *s)
{
	int64_t us = span_us(scan_get(s, "t"));
	if (us < 0)
		die(ST_INPUT, "%s:%lu:1: no \"t\" that is a time", at.name, at.number);
	return us;
}

/* ---- places --------------------------------------------------------------------------- */

static struct trace_place
place(const char *role, const char *track)
{
	return trace_place(writer, trace_group(writer, role, (struct span){0}), track);
}

static int64_t
later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Viewers drop what hangs over the slice around it, and take what lies within for a
 * part of it: of cells that a person runs at once, each that begins before another is
 * over has a lane of its own, as long as there is one; then it begins later. */
static size_t
lane_of(struct lanes *l, int64_t *begin, int64_t end)
{
	size_t best = 0;
	for (size_t i = 0; i < MOST_LANES; i++) {
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

static void
lanes_clear(struct lanes *l)
{
	for (size_t i = 0; i < MOST_LANES; i++)
		l->end_us[i] = INT64_MIN;
}

static struct trace_place
place_in_lane(const char *role, const char *track, size_t lane)
{
	char name[64];
	snprintf(name, sizeof name, "%s %zu", track, lane + 1);
	return place(role, lane ? name : track);
}

/* The members of `s` but for those that the picture itself shows, as an object. */
static char *
args_of(const struct scan *s)
{
	struct buf b = {0};
	for (size_t i = 0; i < s->n; i++) {
		struct span key = s->m[i].key, value = s->m[i].value;
		bool time = key.n > 2 && memcmp(key.p + key.n - 2, "_t", 2) == 0;
		bool known = (key.n == 1 && *key.p == 't') || (key.n == 4 && memcmp(key.p, "type", 4) == 0);
		if (time || known || span_null(value))
			continue;
		buf_add(&b, b.n ? ",\"" : "{\"", 2);
		buf_add(&b, key.p, key.n);
		buf_add(&b, "\":", 2);
		if (buf_add(&b, value.p, value.n) < 0)
			die(ST_SYSTEM, "out of memory");
	}
	buf_add(&b, b.n ? "}" : "{}", b.n ? 1 : 2);
	return b.p;
}

static void
put_slice(struct trace_place p, const char *name, int64_t begin, int64_t end, const char *args)
{
	if (begin != INT64_MIN && end != INT64_MIN && end >= begin)
		writer->slice(p, name, begin, end, args);
}

/* "[3] the first line of its code that is not blank". */
static char *
cell_name(struct scan *s)
{
	struct buf b = {0};
	struct span index = scan_get(s, "cell_index");
	char *source = span_string(scan_get(s, "source"));
	const char *line = source ? source + strspn(source, " \t\r\n") : "";
	char *first = xasprintf("%.*s", (int)strcspn(line, "\r\n"), line);
	buf_addf(&b, "[%.*s]%s", (int)index.n, index.p ? index.p : "", *first ? " " : "");
	show_text(&b, first, NAME_COLUMNS);
	free(first);
	free(source);
	return b.p;
}

/* ---- a cell ---------------------------------------------------------------------------- */

/* A kernel does one thing after the other; two offsets may say otherwise. */
static void
put_kernel(struct scan *s, const char *name, int64_t begin, int64_t end, int64_t cell_end)
{
	if (begin == INT64_MIN)
		return;
	begin = later(begin, run.kernel_us);
	end = later(begin, end == INT64_MIN ? cell_end : end);
	run.kernel_us = end;
	struct buf args = {0};
	struct span index = scan_get(s, "cell_index");
	buf_addf(&args, "{\"cell_index\":%.*s", index.p ? (int)index.n : 4, index.p ? index.p : "null");
	double after = span_number(scan_get(s, "kernel_after_ms"));
	if (isfinite(after))
		buf_addf(&args, ",\"kernel_after_ms\":%.3f", after);
	buf_addf(&args, ",\"clock_offset_ms\":%.3f", isfinite(run.offset_ms) ? run.offset_ms : 0);
	buf_add(&args, "}", 1);
	put_slice(place("kernel", "busy"), name, begin, end, args.p);
	buf_free(&args);
}

static void
put_socket(struct scan *s, size_t lane, int64_t pressed, int64_t sent_us, int64_t end)
{
	static const struct trace_kind kinds[] = {
		{"", "WebSocket, received so far", "bytes", "bytes", LEVEL, 1}, {"", "WebSocket, sent so far", "bytes", "bytes", LEVEL, 1},
		{"", "WebSocket, messages so far", "number", "number", LEVEL, 1},
	};
	double sent = span_number(scan_get(s, "ws_bytes_sent")), received = span_number(scan_get(s, "ws_bytes_received"));
	double out = span_number(scan_get(s, "ws_messages_sent")), in = span_number(scan_get(s, "ws_messages_received"));
	if (!isfinite(sent + received + out + in))
		return;
	unsigned group = trace_group(writer, "page", (struct span){0});
	double *const sums[] = {&run.received, &run.sent, &run.messages}, more[] = {received, sent, out + in};
	int64_t from = later(pressed, run.counted_us);
	run.counted_us = later(end, from);
	for (size_t i = 0; i < COUNT(kinds); i++) {
		trace_level(writer, group, &kinds[i], from, *sums[i]);
		trace_level(writer, group, &kinds[i], run.counted_us, *sums[i] += more[i]);
	}
	char *name = xasprintf("%.0f messages, %.1f kB in, %.1f kB out", out + in, received / 1e3, sent / 1e3);
	char *args = xasprintf("{\"ws_messages_sent\":%.0f,\"ws_messages_received\":%.0f,\"ws_bytes_sent\":%.0f,\"ws_bytes_received\":%.0f}", out, in, sent, received);
	put_slice(place_in_lane("page", "WebSocket", lane), name, sent_us, end, args);
	free(args);
	free(name);
}

static void
put_frames(const json_t *page)
{
	const json_t *frame;
	size_t i;
	json_array_foreach(json_object_get(page, "long_frames"), i, frame) {
		const json_t *t = json_object_get(frame, "t"), *ms = json_object_get(frame, "duration_ms");
		const char *script = json_string_value(json_object_get(frame, "script"));
		if (!json_is_number(t) || !json_is_number(ms) || !(fabs(json_number_value(t)) < 9e11 && json_number_value(ms) < 9e11))
			continue;
		int64_t begin = llround(json_number_value(t) * 1e6);
		char *args = json_text(frame);
		put_slice(place("page", "long frames"), script ? script : "long frame", begin,
		    seen_us(begin + llround(json_number_value(ms) * 1000)), args);
		free(args);
	}
}

/* What the page's script told: frames, and numbers at the cell's two ends. */
static void
put_page(struct span text, int64_t pressed, int64_t end)
{
	static const struct trace_kind kinds[] = {
		{"heap", "JavaScript heap", "bytes", "bytes", LEVEL, 1}, {"nodes", "DOM nodes", "number", "number", LEVEL, 1},
		{"widget_views", "widget views", "number", "number", LEVEL, 1},
	};
	static const char *const ends[][2] = {{"heap_before_bytes", "heap_bytes"}, {"nodes_before", "nodes"}, {"widget_views_before", "widget_views"}};
	if (span_null(text))
		return;
	json_t *page = span_json(text);
	put_frames(page);
	unsigned group = trace_group(writer, "page", (struct span){0});
	for (size_t i = 0; i < COUNT(kinds); i++)
		for (int k = 0; k < 2; k++) {
			const json_t *v = json_object_get(page, ends[i][k]);
			trace_level(writer, group, &kinds[i], k ? end : pressed, json_is_number(v) ? json_number_value(v) : (double)NAN);
		}
	json_decref(page);
}

static void
take_clock(struct scan *s)
{
	double offset = span_number(scan_get(s, "clock_offset_ms")), bound = span_number(scan_get(s, "clock_bound_ms"));
	if (!(fabs(offset) < 1e12))
		return;
	run.offset_ms = offset;
	run.bound_ms = bound;
	run.worst_ms = fmax(run.worst_ms, bound);
}

/* Where it never ended, what is known is how long it had taken, or when it was cut off. */
static int64_t
end_of(struct scan *s, int64_t pressed, int64_t received, int64_t settled)
{
	double client = span_number(scan_get(s, "client_ms"));
	if (received != INT64_MIN)
		return later(received, settled);
	if (fabs(client) < 1e12)
		return seen_us(pressed + llround(client * 1000));
	return span_lists(scan_get(s, "marks"), "cut_off") ? seen_us(xtime_of_record(s) + shift_of(run.kernel_here)) : INT64_MIN;
}

static void
take_cell(struct scan *s)
{
	take_clock(s);
	int64_t pressed = time_of(s, "pressed_t", false), sent = time_of(s, "sent_t", false);
	int64_t busy = time_of(s, "busy_t", true), idle = time_of(s, "idle_t", true);
	int64_t received = time_of(s, "received_t", false), settled = time_of(s, "settled_t", false);
	int64_t begin = pressed == INT64_MIN ? sent : pressed;	/* no press: no input of the person's led to it */
	int64_t end = begin == INT64_MIN ? INT64_MIN : end_of(s, begin, received, settled);
	if (end == INT64_MIN)
		return;
	/* What was read of the page at its beginning was so when a queued cell had its turn. */
	bool queued = span_lists(scan_get(s, "marks"), "queued");
	int64_t turn = queued && busy != INT64_MIN && busy < end ? later(begin, busy) : begin;
	char *name = cell_name(s), *args = args_of(s);
	int64_t from = begin;
	size_t lane = lane_of(&run.cells, &from, end);
	struct trace_place phases = place_in_lane("page", "phases", lane);
	put_slice(place_in_lane("notebook", "cells", lane), name, from, end, args);
	put_slice(phases, name, from, end, NULL);
	if (pressed != INT64_MIN && sent != INT64_MIN)
		put_slice(phases, "dispatch", later(from, pressed), sent, NULL);
	if (sent != INT64_MIN)
		put_slice(phases, "waits for the kernel", later(from, sent), received == INT64_MIN ? end : received, NULL);
	if (received != INT64_MIN)
		put_slice(phases, "render", later(from, received), settled, NULL);
	put_kernel(s, name, busy, idle, end);
	put_socket(s, lane, turn, sent == INT64_MIN ? sent : later(from, sent), end);
	put_page(scan_get(s, "page"), turn, end);
	free(name);
	free(args);
}

/* From the first input to the last change. */
static void
take_interaction(struct scan *s)
{
	int64_t begin = xtime_of_record(s);
	double lasted_ms = span_number(scan_get(s, "gesture_ms")), settled_ms = span_number(scan_get(s, "settled_ms"));
	double all_ms = fmax(lasted_ms, 0) + (isfinite(settled_ms) ? settled_ms : 0);
	if (!(all_ms < 1e12))
		return;
	int64_t end = seen_us(begin + llround(all_ms * 1000));
	char *input = span_string(scan_get(s, "input")), *args = args_of(s);
	size_t lane = lane_of(&run.inputs, &begin, end);
	put_slice(place_in_lane("notebook", "interactions", lane), input ? input : "input", begin, end, args);
	free(input);
	free(args);
}

/* ---- a run -------------------------------------------------------------------------------- */

static void
add_number(struct buf *b, const char *key, double x)
{
	if (isfinite(x))
		buf_addf(b, ",\"%s\":%.3f", key, x);
	else
		buf_addf(b, ",\"%s\":null", key);
}

/* `end` is the run_end's record, or NULL: the run was torn. */
static void
end_run(struct scan *end)
{
	trace_end_rates(writer);
	if (!run.name)
		return;
	struct buf b = {0};
	buf_addf(&b, "%s", run.about.p);
	add_number(&b, "clock_offset_ms", run.offset_ms);
	add_number(&b, "clock_bound_ms", run.bound_ms);
	add_number(&b, "clock_bound_worst_ms", run.worst_ms);
	struct span status = end ? scan_get(end, "status") : (struct span){0};
	buf_addf(&b, ",\"samples_shifted\":%s,\"status\":%.*s}", run.kernel_here ? "true" : "false", status.p ? (int)status.n : 6, status.p ? status.p : "\"torn\"");
	double open_ms = end ? span_number(scan_get(end, "open_ms")) : (double)NAN;
	int64_t opened = run.begin_us + shift_of(run.kernel_here);
	int64_t begin = fabs(open_ms) < 1e12 ? opened - llround(open_ms * 1000) : opened;
	struct trace_place p = place("notebook", "run");
	if (run.sampled_us != INT64_MIN)
		seen_us(run.sampled_us + shift_of(run.kernel_here));
	put_slice(p, run.name, begin, later(opened, run.last_us), b.p);
	if (begin < opened)
		put_slice(p, "opens JupyterLab and the notebook", begin, opened, NULL);
	buf_addf(&runs, "%s%s", runs.n ? "," : "", b.p);
	buf_free(&b);
	free(run.name);
	run.name = NULL;
}

static void
take_run(struct scan *s, int64_t t_us)
{
	static const char *const keys[] = {"name", "notebook", "label", "repetition", "attempt", "params", "nbscope_version",
		"browser", "jupyterlab", "kernel", "machine"};
	end_run(NULL);
	char *name = span_string(scan_get(s, "name"));
	run.about.n = 0;
	for (size_t i = 0; i < COUNT(keys); i++) {
		struct span v = scan_get(s, keys[i]);
		buf_addf(&run.about, "%s\"%s\":", i ? "," : "{", keys[i]);
		buf_add(&run.about, v.p ? v.p : "null", v.p ? v.n : 4);
	}
	run.name = name ? name : xstrdup("run");
	run.begin_us = t_us;
	run.last_us = run.kernel_us = run.sampled_us = run.counted_us = INT64_MIN;
	run.kernel_here = false;
	run.offset_ms = run.bound_ms = run.worst_ms = NAN;
	run.sent = run.received = run.messages = 0;
	lanes_clear(&run.cells);
	lanes_clear(&run.inputs);
	trace_next_run(run.name);
	static const char *const first[] = {"notebook", "page", "kernel", "browser"};	/* in the order in which to look at them */
	for (size_t i = 0; i < COUNT(first); i++)
		trace_group(writer, first[i], (struct span){0});
	place("notebook", "run");
	place("notebook", "cells");
}

static void
take_watch(struct scan *s)
{
	char *role = span_string(scan_get(s, "role"));
	struct span pid = scan_get(s, "pid");
	if (role && !span_null(pid)) {
		trace_group(writer, role, pid);
		if (strcmp(role, "kernel") == 0)
			run.kernel_here = true;
	}
	free(role);
}

/* Whatever else happened at a moment: faults, lines of the console ... */
static void
take_instant(struct scan *s, bool pages_clock)
{
	int64_t t_us = xtime_of_record(s) + (pages_clock ? 0 : shift_of(run.kernel_here));
	static const char *const says[] = {"message", "what", "reason"};
	char *type = span_string(scan_get(s, "type")), *text = NULL;
	for (size_t i = 0; i < COUNT(says) && !text; i++)
		text = span_string(scan_get(s, says[i]));
	struct buf name = {0};
	buf_addf(&name, "%s%s", type, text ? ": " : "");
	if (text)
		show_text(&name, text, NAME_COLUMNS);
	char *args = args_of(s);
	writer->instant(place("notebook", pages_clock ? "console" : "events"), name.p, seen_us(t_us), args);
	free(args);
	free(text);
	free(type);
	buf_free(&name);
}

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	at.name = in->name;
	at.number = in->number;
	if (scan_type_is(s, "sample")) {
		int64_t t_us = xtime_of_record(s), shift = shift_of(run.kernel_here);
		run.sampled_us = later(run.sampled_us, t_us);	/* the first come before their clock is known */
		trace_sample(writer, s, t_us, shift);
	} else if (scan_type_is(s, "cell")) {
		take_cell(s);
	} else if (scan_type_is(s, "interaction")) {
		take_interaction(s);
	} else if (scan_type_is(s, "run")) {
		take_run(s, xtime_of_record(s));
	} else if (scan_type_is(s, "run_end")) {
		seen_us(xtime_of_record(s) + shift_of(run.kernel_here));
		end_run(s);
	} else if (scan_type_is(s, "watch")) {
		take_watch(s);
	} else if (scan_type_is(s, "console") || scan_type_is(s, "viz")) {
		take_instant(s, true);
	} else if (scan_type_is(s, "fault") || scan_type_is(s, "sampler")) {
		take_instant(s, false);
	}
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	if (argc - first > 1)
		die_usage(&usage, "more than one file");
	signal(SIGINT, SIG_IGN);
	writer = otf2_to ? xotf2_trace(otf2_to) : chrome_trace();
	xscan_files(argv + first, take);
	end_run(NULL);
	struct buf about = {0};
	buf_addf(&about, "{\"nbscope_version\":\"%s\",\"clock\":\"the page's, unix microseconds\",\"runs\":[%s]}", NBSCOPE_VERSION, runs.p ? runs.p : "");
	writer->close(about.p);
	buf_free(&about);
	xclose_stdout();
	return ST_OK;
}
