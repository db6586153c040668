/* wd.c: the WebDriver protocol, as far as a profiler needs it. */
#include "nbscope.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ALERTS = 20 };

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
answer_value(struct wd *w, const struct reply *r)
{
	json_t *answer = json_loadb(r->body, r->n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	json_t *value = json_object_get(answer, "value");
	if (value && r->status == 200) {
		json_incref(value);
		json_decref(answer);
		return value;
	}
	const char *code = json_string_value(json_object_get(value, "error"));
	const char *message = json_string_value(json_object_get(value, "message"));
	if (code)
		set_error(w, code, message);
	else
		set_error(w, "unknown error", "the answer is not WebDriver's");
	json_decref(answer);
	return NULL;
}

char *
wd_fault(struct wd *w)
{
	return xasprintf("%s: %s", w->code, w->message);
}

/* True when a dialog stood in the way; the driver has closed it by now. */
static bool
alert_closed(struct wd *w, const json_t *value)
{
	if (value || strcmp(w->code, "unexpected alert open") != 0)
		return false;
	w->alerts++;
	return true;
}

json_t *
wd_call(struct wd *w, const char *method, const char *path, const json_t *body, long timeout_ms)
{
	char *url = xasprintf("%s%s%s", w->session, *path ? "/" : "", path);
	char *text = body ? json_text(body) : strcmp(method, "POST") == 0 ? xstrdup("{}") : NULL;
	json_t *value;
	int tries = 0;
	do {
		struct reply r;
		http_call(w->http, &(struct request){.method = method, .url = url, .body = text, .timeout_ms = timeout_ms}, &r);
		if (r.status == 0)
			set_error(w, "no answer", r.error);
		value = r.status ? answer_value(w, &r) : NULL;
		reply_free(&r);
	} while (alert_closed(w, value) && ++tries < MOST_ALERTS);
	free(text);
	free(url);
	return value;
}

static json_t *
execute(struct wd *w, const char *how, const char *script, json_t *args, long timeout_ms)
{
	json_t *body = json_pack("{s:s, s:o}", "script", script, "args", args ? json_incref(args) : json_array());
	json_t *value = wd_call(w, "POST", how, body, timeout_ms);
	json_decref(body);
	return value;
}

json_t *
wd_script(struct wd *w, const char *script, json_t *args, long timeout_ms)
{
	return execute(w, "execute/sync", script, args, timeout_ms);
}

json_t *
wd_async(struct wd *w, const char *script, json_t *args, long timeout_ms)
{
	return execute(w, "execute/async", script, args, timeout_ms);
}

json_t *
wd_cdp(struct wd *w, const char *method, json_t *params)
{
	json_t *body = json_pack("{s:s, s:O}", "cmd", method, "params", params);
	json_t *value = wd_call(w, "POST", "goog/cdp/execute", body, 30000);
	json_decref(body);
	return value;
}
