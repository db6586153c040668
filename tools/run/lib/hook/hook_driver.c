/* hook_driver.c: the driver of the cells, and what it does for its hook. */
#include "hook/hook_driver.h"
#include "base/die.h"
#include "json/json_parse.h"
#include "json/lines.h"

/* What DevTools returns has no limit that is known. */
enum { MAX_LINE_BYTES = 1 << 30 };

static struct lines driver = {.fd = -1, .name = "CELL_HOOK", .limit = MAX_LINE_BYTES};

void
hook_driver_open(int socket)
{
	driver.fd = socket;
}

json_t *
hook_driver_next(void)
{
	size_t n;
	char *line = xlines_next(&driver, &n);
	return line ? xlines_parse(&driver, line, n) : NULL;
}

void
hook_driver_done(json_t *members)
{
	json_t *done = json_pack("{s:s}", "type", "done");
	json_object_update(done, members);
	json_decref(members);
	lines_send(driver.fd, done);
}

void
hook_driver_write(json_t *record)
{
	lines_send(driver.fd, json_pack("{s:s, s:o}", "type", "record", "record", record));
}

size_t
hook_driver_write_lines(const char *text, size_t n, bool (*accepts)(json_t *, const void *),
    const void *arg)
{
	json_error_t e;
	size_t bad = 0, line_n;
	for (const char *newline; n; n -= line_n, text += line_n) {
		newline = memchr(text, '\n', n);
		line_n = newline ? (size_t)(newline - text) : n;
		json_t *record = json_parse_strict(text, line_n, &e);
		if (json_string_value(json_object_get(record, "type")) && accepts(record, arg))
			hook_driver_write(json_incref(record));
		else
			bad += line_n > 0;
		json_decref(record);
		line_n += newline != NULL;
	}
	return bad;
}

/* Takes the request. */
static json_t *
send_request(json_t *request, char **why)
{
	lines_send(driver.fd, request);
	json_t *answer = hook_driver_next(), *data = json_object_get(answer, "data");
	const char *reason = json_string_value(json_object_get(answer, "reason"));
	bool has_data = data && !json_is_null(data);
	data = has_data ? json_incref(data) : NULL;
	if (!data && why)
		*why = xstrdup(reason ? reason : "the driver has ended");
	json_decref(answer);
	return data;
}

json_t *
hook_driver_evaluate(const char *expression, long limit_ms, char **why)
{
	return send_request(json_pack("{s:s, s:s, s:s, s:I}", "type", "evaluate", "expression",
	    expression, "mime", HOOK_MIME, "limit_ms", (json_int_t)limit_ms), why);
}

json_t *
hook_driver_ask_others(json_t *question)
{
	char *why = NULL;
	json_t *marks = send_request(json_pack("{s:s, s:o}", "type", "ask_others", "question",
	    question), &why);
	free(why);
	return marks;
}

json_t *
hook_driver_call_devtools(const char *method, json_t *params, char **why)
{
	return send_request(json_pack("{s:s, s:s, s:o}", "type", "devtools", "method", method,
	    "params", params), why);
}
