/* cellrecord.c: what cellrun saw, as records. */
#include "cellrecord.h"
#include "kernelend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

bool
is_folder(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

json_t *
runnable_copy(const struct notebook *nb)
{
	json_t *copy = json_deep_copy(nb->json), *cell;
	size_t i;
	if (!copy)
		die(ST_SYSTEM, "out of memory");
	json_array_foreach(json_object_get(copy, "cells"), i, cell) {
		json_t *meta = json_object_get(cell, "metadata");
		json_object_del(meta, "jp-MarkdownHeadingCollapsed");
		json_object_del(meta, "heading_collapsed");
		/* JupyterLab's keys pass over a cell whose source is hidden. */
		json_object_del(json_object_get(meta, "jupyter"), "source_hidden");
	}
	return copy;
}

/* ---- the run ------------------------------------------------------------------- */

static json_t *
machine(void)
{
	struct sysinfo s;
	struct utsname u;
	bool known = sysinfo(&s) == 0, named = uname(&u) == 0;
	return json_pack("{s:I, s:o, s:o, s:o}", "cores", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN),
	    "memory_bytes", known ? json_integer((json_int_t)s.totalram * s.mem_unit) : json_null(),
	    "os", named ? json_sprintf("%s %s", u.sysname, u.release) : json_null(),
	    "host", named ? json_string(u.nodename) : json_null());
}

json_t *
run_record(const struct run_options *o, const struct notebook *nb, const char *path, const struct lab *lab, const struct place *place)
{
	json_t *ours = json_object_get(json_object_get(nb->json, "metadata"), "nbscope");
	json_t *params = json_object_get(ours, "params");
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	const char *dot = strrchr(file, '.'), *name = json_string_value(json_object_get(ours, "name"));
	char *stem = xasprintf("%.*s", (int)(dot ? (size_t)(dot - file) : strlen(file)), file);
	json_t *settings = json_pack("{s:s, s:o, s:I, s:f, s:b, s:b, s:o}", "wait", o->wait, "viz_selector", json_text_or_null(o->selector),
	    "quiet_ms", (json_int_t)o->quiet_ms, "max_wait_s", o->max_wait_s, "screenshots", o->screenshots, "filmed", o->filmed,
	    "cores", json_text_or_null(o->cores));
	json_t *r = json_pack("{s:s, s:o, s:o, s:s, s:s, s:s, s:I, s:I, s:O?, s:I, s:o}", "type", "run", "t", json_t_of(now_t()),
	    "usecase", json_text_or_null(json_string_value(json_object_get(ours, "usecase"))), "name", name ? name : stem,
	    "notebook", file, "label", o->label, "repetition", (json_int_t)o->repetition, "attempt", (json_int_t)o->attempt,
	    "params", params, "code_cells", (json_int_t)nb->n, "settings", settings);
	json_object_set_new(r, "nbscope_version", json_string(NBSCOPE_VERSION));
	json_object_set_new(r, "browser", json_text_or_null(lab ? getenv("WD_BROWSER") : NULL));
	json_object_set_new(r, "window", json_text_or_null(lab ? getenv("WD_WINDOW") : NULL));
	json_object_set_new(r, "jupyterlab", json_text_or_null(lab ? lab->lab_version : NULL));
	json_object_set_new(r, "jupyter_server", json_text_or_null(lab ? lab->version : NULL));
	json_object_set_new(r, "kernel", json_text_or_null(place && place->kernel ? place->kernel : nb->kernel));
	json_object_set_new(r, "language", json_text_or_null(nb->language));
	json_object_set_new(r, "machine", machine());
	free(stem);
	return r;
}

json_t *
run_end_record(const char *status, const char *reason, size_t cells_run, double wall_ms, double open_ms, double loading_ms)
{
	return json_pack("{s:s, s:o, s:s, s:o, s:I, s:o, s:o, s:o}", "type", "run_end", "t", json_t_of(now_t()), "status", status,
	    "reason", json_text_or_null(reason), "cells_run", (json_int_t)cells_run, "wall_ms", json_ms(wall_ms), "open_ms", json_ms(open_ms),
	    "loading_ms", json_ms(loading_ms));
}

json_t *
fault_record(const char *what, const char *message)
{
	return json_pack("{s:s, s:o, s:s, s:s}", "type", "fault", "t", json_t_of(now_t()), "what", what, "message", message);
}

json_t *
console_record(const struct cell *c, const json_t *line)
{
	bool within = json_is_true(json_object_get(line, "in_cell"));
	return json_pack("{s:s, s:O, s:o, s:O, s:O, s:O}", "type", "console", "t", json_object_get(line, "t"),
	    "cell_index", within ? json_integer((json_int_t)c->index) : json_null(), "kind", json_object_get(line, "kind"),
	    "message", json_object_get(line, "message"), "source", json_object_get(line, "source"));
}

/* ---- a cell ----------------------------------------------------------------------- */

json_t *
cell_start_record(const struct cell *c)
{
	return json_pack("{s:s, s:o, s:I, s:s, s:o}", "type", "cell_start", "t", json_t_of(now_t()), "cell_index", (json_int_t)c->index,
	    "cell_id", c->id, "tags", json_deep_copy(c->tags));
}

static json_t *
base_record(const struct cell *c, double t, const char *status)
{
	return json_pack("{s:s, s:o, s:I, s:s, s:o, s:b, s:s, s:b, s:s}", "type", "cell", "t", json_t_of(t),
	    "cell_index", (json_int_t)c->index, "cell_id", c->id, "tags", json_deep_copy(c->tags),
	    "profiled", !has_tag(c, "skip_profiling"), "status", status, "empty", c->empty, "source", c->source);
}

/* Every field of a cell's record that was not measured. */
static void
null_rest(json_t *r)
{
	static const char *const names[] = {
		"pressed_t", "sent_t", "busy_t", "idle_t", "received_t", "settled_t", "done_t", "client_ms", "dispatch_ms", "queue_ms",
		"kernel_ms", "delivery_ms", "queue_delivery_ms", "render_ms", "residual_ms", "clock_offset_ms", "clock_bound_ms",
		"kernel_after_ms", "drawn", "waited", "changes", "last_change", "error_name", "error_value", "reason", "outputs",
		"ws_messages_sent", "ws_messages_received", "ws_bytes_sent", "ws_bytes_received", "comm_messages_sent",
		"comm_messages_received", "http_bytes_received", "script_ms", "screenshot", "page", "usage", "kernel_end",
	};
	for (size_t i = 0; i < COUNT(names); i++)
		if (!json_object_get(r, names[i]))
			json_object_set_new(r, names[i], json_null());
	if (!json_object_get(r, "marks"))
		json_object_set_new(r, "marks", json_array());
}

json_t *
idle_record(const struct cell *c, const char *status, const char *reason)
{
	json_t *r = base_record(c, now_t(), status);
	json_object_set_new(r, "reason", json_text_or_null(reason));
	null_rest(r);
	return r;
}

/* a, or what was moved by keeping it from going below 0. */
static double
clamp(double a)
{
	return a < 0 ? 0 : a;
}

static void
set_ms(json_t *r, const char *name, double ms)
{
	json_object_set_new(r, name, json_ms(ms));
}

static void
set_t(json_t *r, const char *name, double unix_ms)
{
	json_object_set_new(r, name, json_t_of(unix_ms / 1000));
}

static double
later(double a, double b)
{
	return isnan(b) || a > b ? a : b;
}

/* The phases of DESIGN.md section 3; page instants in ms of the page's clock,
 * busy and idle in unix ms of the kernel's. */
static void
set_phases(json_t *r, const json_t *seen)
{
	double pressed = json_real_at(seen, "pressed"), sent = json_real_at(seen, "sent"), received = json_real_at(seen, "received");
	double settled = json_real_at(seen, "settled"), busy = json_real_at(seen, "busy"), idle = json_real_at(seen, "idle");
	double origin = json_real_at(seen, "origin"), offset = json_real_at(seen, "offset"), bound = json_real_at(seen, "bound");
	double dispatch = clamp(sent - pressed), kernel = clamp(idle - busy);
	double both = clamp(received - sent - (idle - busy));
	double queue = clamp(busy - offset - origin - sent), delivery = clamp(received - (idle - offset - origin));
	double render = isnan(settled) ? 0 : clamp(settled - received);
	/* A clock that was set within the cell tells no time of the kernel. */
	if (json_is_true(json_object_get(seen, "stepped")))
		kernel = both = idle = NAN;
	double client = later(received, settled) - pressed;
	bool apart = bound <= 0.1 * queue && bound <= 0.1 * delivery;
	set_ms(r, "client_ms", client);
	set_ms(r, "dispatch_ms", dispatch);
	set_ms(r, "queue_ms", apart ? queue : NAN);
	set_ms(r, "kernel_ms", kernel);
	set_ms(r, "delivery_ms", apart ? delivery : NAN);
	set_ms(r, "queue_delivery_ms", apart ? queue + delivery : both);
	set_ms(r, "render_ms", render);
	set_ms(r, "residual_ms", client - dispatch - kernel - render - (apart ? queue + delivery : both));
	set_ms(r, "clock_offset_ms", offset);
	set_ms(r, "clock_bound_ms", bound);
	set_t(r, "received_t", origin + received);
	set_t(r, "settled_t", origin + settled);
	set_t(r, "done_t", origin + json_real_at(seen, "done"));
	set_t(r, "busy_t", busy);
	set_t(r, "idle_t", idle);
}

static void
set_counts(json_t *r, const json_t *seen)
{
	static const char *const pairs[][2] = {
		{"ws_messages_sent", "sentMessages"}, {"ws_messages_received", "receivedMessages"}, {"ws_bytes_sent", "sentBytes"},
		{"ws_bytes_received", "receivedBytes"}, {"comm_messages_sent", "commSent"}, {"comm_messages_received", "commReceived"},
		{"http_bytes_received", "httpBytes"}, {"drawn", "drawn"}, {"waited", "waited"}, {"changes", "changes"},
		{"last_change", "lastKind"}, {"outputs", "outputs"}, {"error_name", "errorName"}, {"error_value", "errorValue"},
		{"marks", "marks"}, {"page", "page"}, {"kernel_end", "kernelEnd"},
	};
	for (size_t i = 0; i < COUNT(pairs); i++) {
		json_t *v = json_object_get(seen, pairs[i][1]);
		json_object_set(r, pairs[i][0], v ? v : json_null());
	}
	set_ms(r, "kernel_after_ms", json_real_at(seen, "afterMs"));
	set_ms(r, "script_ms", json_real_at(seen, "ownMs"));
}

/* The status of what the page saw, and the reason beside it. */
static const char *
judge(const struct cell *c, const json_t *seen, char **reason)
{
	static const struct { const char *outcome, *status, *reason; } words[] = {
		{"empty", "completed", NULL}, {"not_settled", "not_settled", "the viewer was still changing at the limit"},
		{"no_viewer", "no_viewer", "the selector matched nothing"},
		{"other_page", "failed", "its page is gone: another was loaded in its place"},
		{"no_press", "failed", "the key press did not reach the page"},
		{"no_request", "failed", "the key press sent no execute_request within 5 s"},
		{"server_side", "failed", "server-side execution (jupyter-server-nbmodel): the page sends no execute_request; disable that extension"},
		{"astray", "failed", "the cell cannot be selected by keyboard"},
		{"wrong_cell", "failed", "another cell ran than the one selected"},
	};
	const char *reply = json_string_value(json_object_get(seen, "replyStatus"));
	const json_t *lost = json_object_get(seen, "lost");
	const char *what = json_string_value(json_object_get(lost, "what"));
	if (outcome_is(seen, "kernel_busy")) {
		if (json_is_true(json_object_get(seen, "late"))) {
			*reason = xstrdup("the kernel was done, and the page was still taking in what it had sent");
			return "timed_out";
		}
		bool input = json_is_true(json_object_get(seen, "input")), obeyed = json_is_true(json_object_get(seen, "interrupted"));
		bool replied = json_is_true(json_object_get(seen, "replied"));
		*reason = xstrdup(input ? "input() waits for an answer" :
		    replied ? "the kernel replied, but its word that it is idle never came: messages were lost on their way to the server" :
		    obeyed ? "the kernel was still busy at the limit" :
		    "the kernel was still busy at the limit, and the interrupt did not end it at once");
		return "timed_out";
	}
	if (outcome_is(seen, "lost")) {
		const char *state = json_string_value(json_object_get(lost, "state"));
		bool server = what && strcmp(what, "server") == 0;
		*reason = server ? xstrdup(state ? state : "lost") : kernel_end_words(json_object_get(seen, "kernelEnd"), state);
		return server ? "server_lost" : "kernel_died";
	}
	const char *dialog = json_string_value(json_object_get(seen, "dialog"));
	if (dialog) {
		*reason = xasprintf("the key press sent no execute_request; JupyterLab shows a dialog: %s", dialog);
		return "failed";
	}
	if (outcome_is(seen, "script_error")) {
		const char *fault = json_string_value(json_object_get(seen, "fault"));
		*reason = xasprintf("nbscope's script in the page failed: %s", fault ? fault : "unknown");
		return "failed";
	}
	for (size_t i = 0; i < COUNT(words); i++)
		if (outcome_is(seen, words[i].outcome)) {
			*reason = words[i].reason ? xstrdup(words[i].reason) : NULL;
			return words[i].status;
		}
	if (reply && strcmp(reply, "ok") == 0)
		return "completed";
	if (has_tag(c, "raises-exception"))
		return "completed";
	if (reply && strcmp(reply, "aborted") == 0)
		*reason = xstrdup("the kernel aborted the request");
	return "failed";
}

json_t *
cell_record(const struct cell *c, const json_t *seen)
{
	char *reason = NULL;
	const char *status = judge(c, seen, &reason);
	double origin = json_real_at(seen, "origin"), pressed = json_real_at(seen, "pressed"), sent = json_real_at(seen, "sent");
	json_t *r = base_record(c, isnan(pressed) ? now_t() : (origin + pressed) / 1000, status);
	json_object_set_new(r, "reason", json_text_or_null(reason));
	set_t(r, "pressed_t", origin + pressed);
	set_t(r, "sent_t", origin + sent);
	set_counts(r, seen);
	if (!isnan(json_real_at(seen, "received"))) {
		set_phases(r, seen);
	} else if (outcome_is(seen, "empty")) {
		static const char *const zero[] = {"client_ms", "dispatch_ms", "kernel_ms", "queue_delivery_ms", "render_ms", "residual_ms"};
		for (size_t i = 0; i < COUNT(zero); i++)
			set_ms(r, zero[i], 0);
	} else {
		/* It never ended: what is known is how long it had taken by then. */
		double lost_at = json_real_at(json_object_get(seen, "lost"), "t");
		set_ms(r, "client_ms", (isnan(lost_at) ? json_real_at(seen, "end") : lost_at) - pressed);
		set_ms(r, "dispatch_ms", sent - pressed);
		set_t(r, "busy_t", json_real_at(seen, "busy"));
	}
	null_rest(r);
	json_t *marks = json_object_get(r, "marks");
	if (!json_is_array(marks))
		json_object_set_new(r, "marks", marks = json_array());
	if (json_is_string(json_object_get(seen, "errorName")) && strcmp(status, "completed") == 0)
		json_array_append_new(marks, json_string("expected_error"));
	if (c->empty)
		json_array_append_new(marks, json_string("empty"));
	free(reason);
	return r;
}
