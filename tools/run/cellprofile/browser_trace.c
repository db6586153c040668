/* browser_trace.c: the browser's own work in a cell, and the messages that crossed meanwhile.
 * DevTools' tracing answers with events, which a driver of WebDriver does not pass on: they come by
 * a connection of our own.  share/profile/outside/spans.py reads them. */
#include "browser_trace.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/python_child.h"
#include "base/str.h"
#include "browser/session_variables.h"
#include "devtools/devtools.h"
#include "hook/hook_driver.h"

#define MESSAGES "window.__nbscopeUsage.messages"

enum { CALL_MS = 20000, END_MS = 60000 };

EMBED_STATIC(spans_py, "share/profile/outside/spans.py");
extern const char spans_py[];

static struct devtools *page;	/* NULL: there is none that can be traced */
static char *no_trace;	/* why */
static struct child reader;
static bool complete;

void
browser_trace_open(const json_t *opened)
{
	page = devtools_open_session(json_object_get(opened, "session"), CALL_MS, &no_trace);
	if (page && session_variables_is_elsewhere())
		no_trace = xstrdup("the browser is on another machine, whose clock is unknown");
	if (no_trace)
		warn("the browser's own work is not traced: %s", no_trace);
}

/* The value of an expression in the page; NULL. */
static json_t *
page_value(const char *expression)
{
	json_t *answer = hook_driver_call_devtools("Runtime.evaluate", json_pack("{s:s, s:b}",
	    "expression", expression, "returnByValue", 1), NULL);
	json_t *result = json_object_get(answer, "result");
	json_t *value = json_incref(json_object_get(result, "value"));
	json_decref(answer);
	return value;
}

void
browser_trace_start(void)
{
	json_decref(page_value(MESSAGES " = []"));
	if (!no_trace)
		json_decref(devtools_call(page, "Tracing.start", json_pack(
		    "{s:s, s:{s:s, s:[s, s, s, s, s]}}", "transferMode", "ReportEvents",
		    "traceConfig", "recordMode", "recordAsMuchAsPossible", "includedCategories",
		    "devtools.timeline", "disabled-by-default-devtools.timeline", "cc", "v8",
		    "gpu"), CALL_MS, &no_trace));
}

static void
on_events(void *arg, const char *method, const json_t *params)
{
	(void)arg;
	complete = complete || str_same(method, "Tracing.tracingComplete");
	if (!str_same(method, "Tracing.dataCollected"))
		return;
	json_dumpf(json_object_get(params, "value"), reader.to, JSON_COMPACT);
	fputc('\n', reader.to);
}

static void
read_events(void)
{
	uint64_t end_ns = clock_monotonic_ns() + END_MS * UINT64_C(1000000);
	complete = false;
	devtools_listen(page, on_events, NULL);
	json_decref(devtools_call(page, "Tracing.end", NULL, CALL_MS, &no_trace));
	while (!no_trace && !complete && !devtools_gone(page) && clock_monotonic_ns() < end_ns)
		devtools_turn(page, end_ns);
	devtools_listen(page, NULL, NULL);
}

json_t *
browser_trace_end(json_t *profile, double t)
{
	double shift_s = clock_unix_s() - (double)clock_monotonic_ns() / 1e9 - t;
	if (no_trace)
		return NULL;
	xpython_child_start(&reader, "NBSCOPE_VENV", "venv", spans_py);
	json_t *head = json_pack("{s:O, s:f}", "profile", profile, "shift_s", shift_s);
	json_dumpf(head, reader.to, JSON_COMPACT);
	fputc('\n', reader.to);
	read_events();
	fclose(reader.to);
	reader.to = NULL;
	json_t *lanes = json_loadf(reader.from, 0, NULL);
	if (!lanes)
		warn("the browser's trace could not be read");
	xchild_end_killed(&reader, "cannot read the browser's trace");
	json_decref(head);
	return lanes;
}

void
browser_trace_messages(const struct notebook_cell *c)
{
	json_t *list = page_value("(m => (" MESSAGES " = null, m))(" MESSAGES ")"), *m;
	size_t i;
	json_array_foreach(list, i, m) {
		json_t *record = json_pack("{s:s, s:I}", "type", "profile_message", "cell_index",
		    (json_int_t)c->index);
		json_object_update(record, m);
		hook_driver_write(record);
	}
	json_decref(list);
}
