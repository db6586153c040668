/* cell_hook.c: programs around the driver, its hooks, that act before and after each cell. */
#include "record/cell_hook.h"
#include "base/die.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "notebook/run_options.h"
#include "record/cell_record.h"
#include "record/run_record.h"
#include "record/run_signals.h"
#include "run/role.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

enum { MAX_LINE_BYTES = 2 * LINE_LIMIT_BYTES, MAX_HOOKS = 4, SIGNAL_MS = 500 };

static struct lines hooks[MAX_HOOKS];
static size_t n_hooks;
static const struct kernel_access *driver;
static json_t *of_gesture;	/* what says so in records of a gesture; NULL: of a cell */

static json_t *xask_others(const struct lines *hook, const json_t *question);

static json_t *
xanswer_request(const struct lines *hook, const json_t *request)
{
	json_t *params = json_object_get(request, "params"), *data = NULL;
	const char *method = json_string_value(json_object_get(request, "method"));
	const char *expression = json_string_value(json_object_get(request, "expression"));
	const char *mime = json_string_value(json_object_get(request, "mime"));
	const json_t *question = json_object_get(request, "question");
	char *why = NULL;
	if (question)
		data = xask_others(hook, question);
	else if (method && driver->call_devtools)
		data = driver->call_devtools(method, params, &why);
	else if (expression && mime)
		data = driver->evaluate(expression, mime,
		    (long)json_integer_value(json_object_get(request, "limit_ms")), &why);
	json_t *answer = json_pack("{s:s, s:o?, s:o}", "type", "answer", "data", data, "reason",
	    json_value_text(why));
	free(why);
	return answer;
}

/* Does what the hook asks for until it has no requests left; its answer. */
static json_t *
xask_hook(struct lines *hook, const json_t *question)
{
	size_t n;
	char *line;
	struct pollfd readable = {.fd = hook->fd, .events = POLLIN};
	lines_send(hook->fd, json_deep_copy(question));
	for (;;) {
		/* What it does may take long: a signal ends the driver at once. */
		for (; !(line = xlines_take(hook, &n)) && !hook->eof; run_signals_stop())
			if (poll(&readable, 1, SIGNAL_MS) > 0)
				xlines_read(hook);
		if (!line)
			die(ST_SYSTEM, "a program around this one, its CELL_HOOK, has ended");
		json_t *request = xlines_parse(hook, line, n);
		json_t *record = json_object_get(request, "record");
		if (strcmp(lines_record_type(request), "done") == 0)
			return request;
		if (record && of_gesture)
			json_object_update_missing(record, of_gesture);
		if (record)
			xrun_record_write(json_incref(record));
		else
			lines_send(hook->fd, xanswer_request(hook, request));
		json_decref(request);
	}
}

/* Asks all other hooks what one of them asks about a gesture, as about a cell: their marks. */
static json_t *
xask_others(const struct lines *hook, const json_t *question)
{
	json_t *marks = json_array();
	of_gesture = json_pack("{s:O, s:O}", "interaction",
	    json_object_get(question, "interaction"), "gesture",
	    json_object_get(question, "gesture"));
	for (size_t i = 0; i < n_hooks; i++) {
		json_t *answer = &hooks[i] == hook ? NULL : xask_hook(&hooks[i], question);
		json_t *mark = json_object_get(answer, "mark");
		if (mark)
			json_array_append(marks, mark);
		json_decref(answer);
	}
	json_decref(of_gesture);
	of_gesture = NULL;
	return marks;
}

/* Takes the question, and merges what all hooks answer in this member (NULL: in none). */
static json_t *
xask_all(json_t *question, const char *member)
{
	json_t *all = json_object();
	for (size_t i = 0; i < n_hooks; i++) {
		json_t *answer = xask_hook(&hooks[i], question);
		json_object_update(all, json_object_get(answer, member));
		json_decref(answer);
	}
	json_decref(question);
	return all;
}

json_t *
xcell_hook_settings(void)
{
	const char *text = getenv("CELL_HOOK");
	for (char *end; text && *text; text = *end ? end + 1 : end) {
		int fd = (int)strtol(text, &end, 10), kind;
		socklen_t n = sizeof kind;
		if (n_hooks == MAX_HOOKS || fd < 3 || (*end && *end != ',') ||
		    getsockopt(fd, SOL_SOCKET, SO_TYPE, &kind, &n) != 0)
			die(ST_USAGE, "CELL_HOOK must be numbers of open sockets, not '%s'", text);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		hooks[n_hooks++] = (struct lines){.fd = fd, .name = "CELL_HOOK",
			.limit = MAX_LINE_BYTES};
	}
	unsetenv("CELL_HOOK");
	return xask_all(json_pack("{s:s}", "type", "settings"), "settings");
}

json_t *
xcell_hook_open(const struct kernel_access *access, const char *notebook, const char *kernel_id)
{
	const char *browser = getenv("WD_BROWSER");
	json_t *session = json_pack("{s:s*, s:s*, s:s*}", "WD_SESSION", getenv("WD_SESSION"),
	    "WD_DEVTOOLS", getenv("WD_DEVTOOLS"), "WD_BROWSER_PID", getenv("WD_BROWSER_PID"));
	driver = access;
	return xask_all(json_pack("{s:s, s:s, s:s, s:s?, s:o, s:I, s:I}", "type", "open",
	    "notebook", notebook, "kernel_id", kernel_id, "browser",
	    access->call_devtools ? browser ? browser : "" : NULL,
	    "session", session, "settle_ms", (json_int_t)run_options.settle_ms,
	    "max_wait_ms", (json_int_t)(run_options.max_wait_s * 1000)), "run");
}

void
xcell_hook_before(const struct notebook_cell *c)
{
	json_decref(xask_all(json_pack("{s:s, s:I}", "type", "before", "cell",
	    (json_int_t)c->index), NULL));
}

void
xcell_hook_ended(const struct notebook_cell *c, json_t *record)
{
	json_t *usage = json_object_get(record, "usage"), *all;
	json_t *kernel = json_object_get(usage, role_word(ROLE_KERNEL));
	all = json_pack("{s:s, s:I, s:O, s:O?}", "type", "ended", "cell", (json_int_t)c->index,
	    "status", json_object_get(record, "status"), "usage", kernel);
	for (size_t i = 0; i < n_hooks; i++) {
		json_t *answer = xask_hook(&hooks[i], all);
		const char *mark = json_string_value(json_object_get(answer, "mark"));
		json_t *used = json_object_get(answer, "usage");
		if (mark)
			cell_record_mark(record, mark);
		if (json_is_object(used))
			json_object_set(usage, role_word(ROLE_KERNEL), used);
		json_decref(answer);
	}
	json_object_del(json_object_get(usage, role_word(ROLE_KERNEL)), "questions_cpu_s");
	json_decref(all);
}

void
xcell_hook_recorded(const struct notebook_cell *c, const char *status)
{
	json_decref(xask_all(json_pack("{s:s, s:I, s:s}", "type", "recorded", "cell",
	    (json_int_t)c->index, "status", status), NULL));
}

void
xcell_hook_round(size_t round)
{
	json_decref(xask_all(json_pack("{s:s, s:I}", "type", "round", "round",
	    (json_int_t)round), NULL));
}
