/* cell_record.c: the records of a cell. */
#include "record/cell_record.h"
#include "base/clock.h"
#include "base/die.h"
#include "json/json_value.h"
#include "kernel/kernel_state.h"
#include "record/apart_record.h"
#include "run/role.h"

json_t *
cell_record_start(const struct notebook_cell *c)
{
	return json_pack("{s:s, s:o, s:I, s:s, s:s?, s:o}", "type", "cell_start",
	    "t", json_value_time(clock_unix_s()), "cell_index", (json_int_t)c->index,
	    "cell_id", c->id, "heading", c->heading, "tags", json_deep_copy(c->tags));
}

json_t *
cell_record_console(const struct notebook_cell *c, const json_t *line)
{
	bool within = json_is_true(json_object_get(line, "in_cell"));
	return json_pack("{s:s, s:O, s:o, s:O, s:O, s:O}", "type", "console",
	    "t", json_object_get(line, "t"),
	    "cell_index", within ? json_integer((json_int_t)c->index) : json_null(),
	    "kind", json_object_get(line, "kind"), "message", json_object_get(line, "message"),
	    "source", json_object_get(line, "source"));
}

bool
cell_record_outcome_is(const json_t *seen, const char *word)
{
	const char *outcome = json_string_value(json_object_get(seen, "outcome"));
	return outcome && strcmp(outcome, word) == 0;
}

/* ---- a cell's record ---------------------------------------------------------------- */

static json_t *
base_record(const struct notebook_cell *c, double t, enum cell_status status)
{
	return json_pack("{s:s, s:o, s:I, s:s, s:s?, s:o, s:b, s:s, s:b, s:s}", "type", "cell",
	    "t", json_value_time(t), "cell_index", (json_int_t)c->index, "cell_id", c->id,
	    "heading", c->heading,
	    "tags", json_deep_copy(c->tags),
	    "profiled", !notebook_cell_has_tag(c, "skip_profiling"),
	    "status", cell_status_word(status), "empty", c->empty, "source", c->source);
}

/* Sets the members that are still missing to null. */
static void
set_rest_null(json_t *r)
{
	static const char *const names[] = {
		"pressed_t", "sent_t", "busy_t", "idle_t", "arrived_t", "received_t",
		"last_visual_change_t",
		"late_message_t", "done_t", "client_ms",
		"dispatch_ms", "queue_ms", "kernel_ms", "delivery_ms",
		"transport_ms", "render_ms", "handling_delay_ms",
		"unattributed_ms", "clock_offset_ms", "clock_bound_ms",
		"kernel_comm_ms", "changed", "waited", "changes", "last_visual_change_kind",
		"error_name", "error_value", "reason", "outputs", "ws_messages_sent",
		"ws_messages_received", "ws_bytes_sent", "ws_bytes_received", "comm_messages_sent",
		"comm_messages_received", "http_bytes_received", "script_ms", "screenshot",
		"screenshot_note", "page", "usage", "kernel_end", "items", "items_done", "added",
	};
	for (size_t i = 0; i < COUNT(names); i++)
		if (!json_object_get(r, names[i]))
			json_object_set_new(r, names[i], json_null());
	if (!json_is_array(json_object_get(r, "marks")))
		json_object_set_new(r, "marks", json_array());
}

json_t *
cell_record_unmeasured(const struct notebook_cell *c, enum cell_status status, const char *reason)
{
	json_t *r = base_record(c, clock_unix_s(), status);
	json_object_set_new(r, "reason", json_value_text(reason));
	set_rest_null(r);
	return r;
}

void
cell_record_mark(json_t *record, const char *word)
{
	json_array_append_new(json_object_get(record, "marks"), json_string(word));
}

static double
not_negative(double a)
{
	return a < 0 ? 0 : a;
}

static void
set_ms(json_t *r, const char *name, double ms)
{
	json_object_set_new(r, name, json_value_ms(ms));
}

static void
set_t(json_t *r, const char *name, double unix_ms)
{
	json_object_set_new(r, name, json_value_time(unix_ms / 1000));
}

/* When the cell's last message reached the machine; NaN: unknown.  It is rounded up to a tick of
 * the system, and cannot be earlier than what the kernel took since the request. */
static double
arrival_t(const json_t *seen)
{
	double arrived = json_value_real_at(seen, "arrived");
	double busy = json_value_real_at(seen, "busy"), idle = json_value_real_at(seen, "idle");
	double first = json_value_real_at(seen, "sent");
	if (!json_is_true(json_object_get(seen, "stepped")) && idle > busy)
		first += idle - busy;
	return isnan(arrived) ? arrived :
	    fmin(fmax(arrived, first), json_value_real_at(seen, "received"));
}

/* Whether a page saw the cell. */
static bool
has_page(const json_t *seen)
{
	return json_is_object(json_object_get(seen, "page"));
}

/* The page's instants are ms of its clock, busy and idle are Unix ms of the kernel's. */
static void
set_phases(json_t *r, const json_t *seen)
{
	double pressed = json_value_real_at(seen, "pressed");
	double sent = json_value_real_at(seen, "sent");
	double received = json_value_real_at(seen, "received");
	double settled = json_value_real_at(seen, "settled");
	double busy = json_value_real_at(seen, "busy"), idle = json_value_real_at(seen, "idle");
	double origin = json_value_real_at(seen, "origin");
	double offset = json_value_real_at(seen, "offset");
	double bound = json_value_real_at(seen, "bound");
	double arrived = arrival_t(seen), end = isnan(arrived) ? received : arrived;
	double dispatch = not_negative(sent - pressed), kernel = not_negative(idle - busy);
	double transport = not_negative(end - sent - (idle - busy));
	double queue = not_negative(busy - offset - origin - sent);
	double delivery = not_negative(end - (idle - offset - origin));
	/* settled may be NaN */
	double render = has_page(seen) ? fmax(received, settled) - end : (double)NAN;
	/* If a clock was set during the cell, the kernel's time is unknown. */
	if (json_is_true(json_object_get(seen, "stepped")))
		kernel = transport = idle = NAN;
	double client = fmax(received, settled) - pressed;
	bool separable = bound <= 0.1 * queue && bound <= 0.1 * delivery;
	if (separable)
		transport = queue + delivery;
	else
		queue = delivery = NAN;
	set_ms(r, "client_ms", client);
	set_ms(r, "dispatch_ms", dispatch);
	set_ms(r, "queue_ms", queue);
	set_ms(r, "kernel_ms", kernel);
	set_ms(r, "delivery_ms", delivery);
	set_ms(r, "transport_ms", transport);
	set_ms(r, "render_ms", render);
	set_ms(r, "handling_delay_ms", received - arrived);
	set_ms(r, "unattributed_ms", client - dispatch - kernel - render - transport);
	set_ms(r, "clock_offset_ms", offset);
	set_ms(r, "clock_bound_ms", bound);
	set_t(r, "arrived_t", origin + arrived);
	set_t(r, "received_t", origin + received);
	set_t(r, "last_visual_change_t", origin + settled);
	set_t(r, "late_message_t", origin + json_value_real_at(seen, "late"));
	set_t(r, "done_t", origin + json_value_real_at(seen, "done"));
	set_t(r, "busy_t", busy);
	set_t(r, "idle_t", idle);
}

static void
set_counts(json_t *r, const json_t *seen)
{
	static const char *const pairs[][2] = {
		{"ws_messages_sent", "sentMessages"}, {"ws_messages_received", "receivedMessages"},
		{"ws_bytes_sent", "sentBytes"}, {"ws_bytes_received", "receivedBytes"},
		{"comm_messages_sent", "commSent"}, {"comm_messages_received", "commReceived"},
		{"http_bytes_received", "httpBytes"}, {"changed", "changed"}, {"waited", "waited"},
		{"changes", "changes"}, {"last_visual_change_kind", "lastKind"},
		{"outputs", "outputs"}, {"error_name", "errorName"}, {"error_value", "errorValue"},
		{"items", "items"}, {"items_done", "itemsDone"}, {"marks", "marks"},
		{"page", "page"}, {"kernel_end", "kernelEnd"},
	};
	for (size_t i = 0; i < COUNT(pairs); i++) {
		json_t *v = json_object_get(seen, pairs[i][1]);
		json_object_set(r, pairs[i][0], v ? v : json_null());
	}
	set_ms(r, "kernel_comm_ms", json_value_real_at(seen, "afterMs"));
	set_ms(r, "script_ms", json_value_real_at(seen, "ownMs"));
}

/* ---- a cell's status ----------------------------------------------------------------- */

static const char *
busy_reason(const json_t *seen)
{
	if (json_is_true(json_object_get(seen, "late")))
		return "the kernel had finished, but its messages were still arriving";
	if (json_is_true(json_object_get(seen, "replied")))
		return "the kernel replied, but its idle status never arrived: messages were lost "
		    "on the way to the server";
	if (json_is_true(json_object_get(seen, "interrupted")))
		return "the kernel was still busy at the limit";
	return "the kernel was still busy at the limit, and the interrupt did not end it at once";
}

/* What the page lost: its server or its kernel. */
static enum cell_status
lost_status(const json_t *seen, char **reason)
{
	const json_t *lost = json_object_get(seen, "lost");
	const char *what = json_string_value(json_object_get(lost, "what"));
	const char *state = json_string_value(json_object_get(lost, "state"));
	if (what && role_of(what) == ROLE_SERVER) {
		*reason = xstrdup(state ? state : "lost");
		return CELL_SERVER_LOST;
	}
	*reason = kernel_state_explain_end(json_object_get(seen, "kernelEnd"), state);
	return CELL_KERNEL_DIED;
}

static enum cell_status
reply_status(const struct notebook_cell *c, const json_t *seen, char **reason)
{
	const char *reply = json_string_value(json_object_get(seen, "replyStatus"));
	if ((reply && strcmp(reply, "ok") == 0) || notebook_cell_has_tag(c, "raises-exception"))
		return CELL_COMPLETED;
	if (reply && strcmp(reply, "aborted") == 0)
		*reason = xstrdup("the kernel aborted the request");
	return CELL_FAILED;
}

/* What the page says about a cell that it did not run; NULL: nothing. */
static char *
page_reason(const json_t *seen)
{
	const char *dialog = json_string_value(json_object_get(seen, "dialog"));
	const char *fault = json_string_value(json_object_get(seen, "fault"));
	const char *replaced = json_string_value(json_object_get(seen, "replaced"));
	if (dialog)
		return xasprintf("the key press sent no execute_request; JupyterLab shows a "
		    "dialog: %s", dialog);
	if (replaced && *replaced)
		return xasprintf("the key press sent no execute_request; the page has replaced "
		    "%s", replaced);
	if (cell_record_outcome_is(seen, "page_fault"))
		return xstrdup(fault ? fault : "unknown");
	if (cell_record_outcome_is(seen, "script_error"))
		return xasprintf("nbscope's script in the page failed: %s",
		    fault ? fault : "unknown");
	return NULL;
}

/* JupyterLab goes on after exit(), with a kernel that ends a moment later. */
static enum cell_status
exit_status(const json_t *payload, char **reason)
{
	bool keeps = json_is_true(json_object_get(payload, "keepkernel"));
	*reason = xstrdup(keeps ? "the cell ended the session by exit() or quit(), and left the "
	    "kernel running" : "the cell ended the kernel by exit() or quit()");
	return keeps ? CELL_FAILED : CELL_KERNEL_DIED;
}

/* *reason is the caller's; NULL if there is none. */
static enum cell_status
status_of(const struct notebook_cell *c, const json_t *seen, char **reason)
{
	static const char *const failures[][2] = {
		{"other_page", "the page is gone: another one was loaded in its place"},
		{"no_press", "the key press did not reach the page"},
		{"no_request", "the key press sent no execute_request within 5 s"},
		{"swallowed", "the page swallows key presses"},
		{"no_reply", "the kernel is idle again, but has not replied: the cell's code may "
			"have broken the kernel, for example by replacing sys.stdout"},
		{"server_side", "server-side execution (jupyter-server-nbmodel): the page sends no "
			"execute_request; disable that extension"},
		{"astray", "the cell cannot be selected by keyboard"},
		{"wrong_cell", "another cell ran than the one selected"},
	};
	const char *outcome = json_string_value(json_object_get(seen, "outcome"));
	const json_t *payload = json_object_get(seen, "exit");
	if (json_is_object(payload))
		return exit_status(payload, reason);
	if (cell_record_outcome_is(seen, "kernel_busy")) {
		if (json_is_true(json_object_get(seen, "input"))) {
			*reason = xstrdup("input() or a debugger waits for an answer, which nobody "
			    "gives: make it a parameter, or tag the cell skip_profiling");
			return CELL_FAILED;
		}
		*reason = xstrdup(busy_reason(seen));
		return CELL_TIMED_OUT;
	}
	if (cell_record_outcome_is(seen, "lost"))
		return lost_status(seen, reason);
	if ((*reason = page_reason(seen)))
		return CELL_FAILED;
	for (size_t i = 0; i < COUNT(failures); i++)
		if (cell_record_outcome_is(seen, failures[i][0])) {
			*reason = xstrdup(failures[i][1]);
			return CELL_FAILED;
		}
	if (cell_record_outcome_is(seen, "empty"))
		return CELL_COMPLETED;
	/* Two outcomes are named like the status. */
	switch (outcome ? cell_status_of(outcome) : CELL_STATUSES) {
	case CELL_NOT_SETTLED:
		*reason = xstrdup("the output was still changing at the limit");
		return CELL_NOT_SETTLED;
	case CELL_NO_VIEWER:
		*reason = xstrdup("the selector matched nothing");
		return CELL_NO_VIEWER;
	default:
		return reply_status(c, seen, reason);
	}
}

json_t *
cell_record(const struct notebook_cell *c, const json_t *seen)
{
	const char *not_run = apart_record_not_run(seen);
	if (not_run)
		return cell_record_unmeasured(c, CELL_NOT_RUN, not_run);
	char *reason = NULL;
	enum cell_status status = status_of(c, seen, &reason);
	const char *typed = json_string_value(json_object_get(seen, "typed"));
	if (reason && typed)
		reason = xasprintf("%s; the page presses keys itself: %s", reason, typed);
	double origin = json_value_real_at(seen, "origin"), sent = json_value_real_at(seen, "sent");
	double pressed = json_value_real_at(seen, "pressed");
	double begun = isnan(pressed) ? sent : pressed;
	double t = isnan(begun) ? clock_unix_s() : (origin + begun) / 1000;
	json_t *r = base_record(c, t, status);
	json_object_set_new(r, "reason", json_value_text(reason));
	set_t(r, "pressed_t", origin + pressed);
	set_t(r, "sent_t", origin + sent);
	set_counts(r, seen);
	if (!isnan(json_value_real_at(seen, "received"))) {
		set_phases(r, seen);
	} else if (cell_record_outcome_is(seen, "empty")) {
		static const char *const zero[] = {
			"kernel_ms", "transport_ms", "client_ms", "dispatch_ms", "render_ms",
			"unattributed_ms",
		};
		for (size_t i = 0; i < (has_page(seen) ? COUNT(zero) : 2); i++)
			set_ms(r, zero[i], 0);
	} else {
		/* It never ended: only how long it had taken by then is known. */
		double lost_at = json_value_real_at(json_object_get(seen, "lost"), "t");
		double end = isnan(lost_at) ? json_value_real_at(seen, "end") : lost_at;
		set_ms(r, "client_ms", end < pressed ? 0 : end - pressed);	/* lost before */
		set_ms(r, "dispatch_ms", sent - pressed);
		set_t(r, "busy_t", json_value_real_at(seen, "busy"));
	}
	set_rest_null(r);
	if (json_is_string(json_object_get(seen, "errorName")) && status == CELL_COMPLETED)
		cell_record_mark(r, notebook_cell_has_tag(c, "raises-exception") ?
		    "expected_error" : "error_shown");
	if (c->empty)
		cell_record_mark(r, "empty");
	free(reason);
	return r;
}
