/* cell_hook.c: a program around the driver, its hook, that acts before and after each cell. */
#include "record/cell_hook.h"
#include "base/die.h"
#include "json/json_socket.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "record/run_record.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { MAX_LINE_BYTES = 2 * LINE_LIMIT_BYTES };

static struct lines hook = {.fd = -1, .name = "CELL_HOOK", .limit = MAX_LINE_BYTES};
static const struct kernel_access *driver;
static json_t *done;	/* its last answer */

static json_t *
answer_request(const json_t *request)
{
	json_t *params = json_object_get(request, "params"), *data = NULL;
	const char *method = json_string_value(json_object_get(request, "method"));
	const char *expression = json_string_value(json_object_get(request, "expression"));
	const char *mime = json_string_value(json_object_get(request, "mime"));
	char *why = NULL;
	if (method && driver->call_devtools)
		data = driver->call_devtools(method, params, &why);
	else if (expression && mime)
		data = driver->evaluate(expression, mime,
		    (long)json_integer_value(json_object_get(request, "limit_ms")), &why);
	json_t *answer = json_pack("{s:s, s:o?, s:o}", "type", "answer", "data", data, "reason",
	    json_value_text(why));
	free(why);
	return answer;
}

/* Takes the question, and does what the hook asks for until it has no requests left. */
static const json_t *
xask_hook(json_t *question)
{
	size_t n;
	json_decref(done);
	done = NULL;
	json_socket_send(hook.fd, question);
	while (!done) {
		char *line = xlines_next(&hook, &n);
		if (!line)
			die(ST_SYSTEM, "the program around this one, its CELL_HOOK, has ended");
		json_t *request = xlines_parse(&hook, line, n);
		json_t *record = json_object_get(request, "record");
		if (strcmp(lines_record_type(request), "done") == 0)
			done = json_incref(request);
		else if (record)
			xrun_record_write(json_incref(record));
		else
			json_socket_send(hook.fd, answer_request(request));
		json_decref(request);
	}
	return done;
}

const json_t *
xcell_hook_settings(void)
{
	const char *text = getenv("CELL_HOOK");
	int kind;
	socklen_t n = sizeof kind;
	if (!text || !*text)
		return NULL;
	hook.fd = (int)strtol(text, NULL, 10);
	if (hook.fd < 3 || getsockopt(hook.fd, SOL_SOCKET, SO_TYPE, &kind, &n) != 0)
		die(ST_USAGE, "CELL_HOOK is not the number of an open socket: '%s'", text);
	fcntl(hook.fd, F_SETFD, FD_CLOEXEC);
	unsetenv("CELL_HOOK");
	const json_t *answer = xask_hook(json_pack("{s:s}", "type", "settings"));
	return json_incref(json_object_get(answer, "settings"));
}

void
xcell_hook_open(const struct kernel_access *access, const char *notebook, const char *kernel_id)
{
	driver = access;
	if (hook.fd >= 0)
		xask_hook(json_pack("{s:s, s:s, s:s, s:s?}", "type", "open", "notebook", notebook,
		    "kernel_id", kernel_id, "browser",
		    driver->call_devtools ? getenv("WD_BROWSER") : NULL));
}

const char *
xcell_hook_before(const struct notebook_cell *c)
{
	if (hook.fd < 0)
		return NULL;
	const json_t *answer = xask_hook(json_pack("{s:s, s:I}", "type", "before", "cell",
	    (json_int_t)c->index));
	return json_string_value(json_object_get(answer, "mark"));
}

void
xcell_hook_after(const struct notebook_cell *c, const char *status)
{
	xask_hook(json_pack("{s:s, s:I, s:s}", "type", "after", "cell", (json_int_t)c->index,
	    "status", status));
}
