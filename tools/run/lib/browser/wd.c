/* wd.c: the WebDriver protocol, as far as a profiler needs it. */
#include "browser/wd.h"
#include "base/die.h"
#include "json/json_text.h"

enum { CDP_MS = 30000, MAX_ALERTS = 20, UNAUTHORIZED = 401 };

struct wd *
wd_open(const char *session_url)
{
	struct wd *w = xmalloc(sizeof *w);
	*w = (struct wd){.session = xstrdup(session_url), .http = http_open()};
	return w;
}

void
wd_close(struct wd *w)
{
	if (!w)
		return;
	http_close(w->http);
	free(w->session);
	free(w->code);
	free(w->message);
	free(w);
}

char *
wd_error(struct wd *w)
{
	return xasprintf("%s: %s", w->code, w->message);
}

static void
set_error(struct wd *w, const char *code, const char *message)
{
	free(w->code);
	free(w->message);
	w->code = xstrdup(code);
	w->message = xstrdup(message ? message : "");
	w->message[strcspn(w->message, "\n")] = '\0';
}

static json_t *
answer_value(struct wd *w, const struct http_reply *r)
{
	json_t *answer = json_loadb(r->body, r->n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	json_t *value = json_incref(json_object_get(answer, "value"));
	json_decref(answer);
	if (value && r->status == 200)
		return value;
	const char *code = json_string_value(json_object_get(value, "error"));
	if (code)
		set_error(w, code, json_string_value(json_object_get(value, "message")));
	else if (r->status == UNAUTHORIZED)
		set_error(w, "unknown error", "it requires another user's name and password");
	else
		set_error(w, "unknown error", "the answer is not from a WebDriver");
	json_decref(value);
	return NULL;
}

/* Whether a dialog was open, which the driver has already closed. */
static bool
alert_closed(struct wd *w, const json_t *value)
{
	if (value || strcmp(w->code, "unexpected alert open") != 0)
		return false;
	w->alerts++;
	return true;
}

json_t *
wd_call(struct wd *w, const char *method, const char *path, json_t *body, long timeout_ms)
{
	char *url = xasprintf("%s%s%s", w->session, *path ? "/" : "", path);
	char *text = body ? json_text_of(body) : strcmp(method, "POST") == 0 ? xstrdup("{}") : NULL;
	struct http_request q = {.method = method, .url = url, .body = text,
	    .timeout_ms = timeout_ms};
	json_t *value;
	int tries = 0;
	do {
		struct http_reply r;
		http_call(w->http, &q, &r);
		if (r.status == 0)
			set_error(w, "no answer", r.error);
		value = r.status ? answer_value(w, &r) : NULL;
		http_reply_free(&r);
	} while (alert_closed(w, value) && ++tries < MAX_ALERTS);
	json_decref(body);
	free(text);
	free(url);
	return value;
}

int
wd_do(struct wd *w, const char *method, const char *path, json_t *body, long timeout_ms)
{
	json_t *value = wd_call(w, method, path, body, timeout_ms);
	json_decref(value);
	return value ? 0 : -1;
}

json_t *
wd_script(struct wd *w, const char *script, json_t *args, long timeout_ms)
{
	return wd_call(w, "POST", "execute/sync", json_pack("{s:s, s:o}", "script", script,
	    "args", args ? args : json_array()), timeout_ms);
}

int
wd_script_do(struct wd *w, const char *script, json_t *args, long timeout_ms)
{
	json_t *value = wd_script(w, script, args, timeout_ms);
	json_decref(value);
	return value ? 0 : -1;
}

json_t *
wd_script_async(struct wd *w, const char *script, json_t *args, long timeout_ms)
{
	return wd_call(w, "POST", "execute/async", json_pack("{s:o, s:o}", "script",
	    json_sprintf("const done = arguments[arguments.length - 1];%s", script),
	    "args", args ? args : json_array()), timeout_ms);
}

json_t *
wd_script_cdp(struct wd *w, const char *method, json_t *params)
{
	return wd_call(w, "POST", "goog/cdp/execute", json_pack("{s:s, s:o}", "cmd", method,
	    "params", params), CDP_MS);
}
