/* devtools.c: a connection of our own to a Chromium's DevTools. */
#include "devtools/devtools.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/str.h"
#include "browser/session_variables.h"
#include "browser/wd.h"
#include "json/json_text.h"
#include "net/http.h"
#include "net/websocket.h"

struct devtools {
	struct websocket *socket;
	char *session;	/* of the tab */
	json_int_t last_id, awaited_id;	/* awaited: 0, none */
	json_t *answer;	/* to the awaited one */
	const char *gone;
	devtools_receiver *receive;
	void *arg;
};

/* ---- what arrives ------------------------------------------------------------------------- */

static void
on_event(struct devtools *d, const json_t *event)
{
	const char *method = json_string_value(json_object_get(event, "method"));
	const char *session = json_string_value(json_object_get(event, "sessionId"));
	const json_t *params = json_object_get(event, "params");
	const char *detached = json_string_value(json_object_get(params, "sessionId"));
	if (str_same(method, "Target.detachedFromTarget") && str_same(detached, d->session))
		d->gone = "the tab was closed";
	else if (str_same(method, "Inspector.targetCrashed"))
		d->gone = "the tab crashed";
	else if (method && d->receive && str_same(session, d->session))
		d->receive(d->arg, method, params);
}

static void
on_message(void *arg, const struct websocket *from, const char *data, size_t n, double t)
{
	struct devtools *d = arg;
	json_t *message = json_loadb(data, n, JSON_ALLOW_NUL, NULL);
	json_int_t id = json_integer_value(json_object_get(message, "id"));
	(void)from;
	(void)t;
	on_event(d, message);
	if (id && id == d->awaited_id)
		d->answer = message;
	else
		json_decref(message);
}

/* ---- in use ------------------------------------------------------------------------------- */

const char *
devtools_gone(const struct devtools *d)
{
	return d->gone ? d->gone : websocket_is_closed(d->socket) ? "the browser has closed its "
	    "connection" : NULL;
}

void
devtools_turn(struct devtools *d, uint64_t end_ns)
{
	websocket_turn(d->socket, end_ns);
}

int
devtools_send(struct devtools *d, const char *method, json_t *params)
{
	json_t *call = json_pack("{s:I, s:s, s:o, s:s*}", "id", ++d->last_id, "method", method,
	    "params", params ? params : json_object(), "sessionId", d->session);
	char *text = json_text_of(call);
	int sent = devtools_gone(d) ? -1 : websocket_send(d->socket, text, strlen(text), false);
	free(text);
	json_decref(call);
	return sent;
}

json_t *
devtools_call(struct devtools *d, const char *method, json_t *params, long limit_ms, char **why)
{
	uint64_t end_ns = clock_monotonic_ns() + (uint64_t)limit_ms * 1000000u;
	d->awaited_id = d->last_id + 1;
	int sent = devtools_send(d, method, params);
	while (sent == 0 && !d->answer && !devtools_gone(d) && !http_stop &&
	    clock_monotonic_ns() < end_ns)
		devtools_turn(d, end_ns);
	json_t *answer = d->answer, *result = json_incref(json_object_get(answer, "result"));
	const char *gone = devtools_gone(d);
	const json_t *error = json_object_get(answer, "error");
	const char *text = json_string_value(json_object_get(error, "message"));
	if (!result)
		*why = xasprintf("%s: %s", method, text ? text : gone ? gone : "no answer in time");
	json_decref(answer);
	d->answer = NULL;
	d->awaited_id = 0;
	return result;
}

void
devtools_listen(struct devtools *d, devtools_receiver *receive, void *arg)
{
	d->receive = receive;
	d->arg = arg;
}

/* ---- opening ------------------------------------------------------------------------------ */

const char *
devtools_address(void)
{
	return str_nonempty(getenv("WD_DEVTOOLS"));
}

/* The URL of the browser's WebSocket, the caller's; NULL and *why. */
static char *
socket_url(const char *address, long limit_ms, char **why)
{
	if (strstr(address, "://"))
		return xstrdup(address);
	struct http *http = http_open();
	struct http_request request = {.method = "GET", .timeout_ms = limit_ms,
		.url = xasprintf("http://%s/json/version", address)};
	struct http_reply reply;
	http_call(http, &request, &reply);
	json_t *version = reply.status ? json_loadb(reply.body, reply.n, 0, NULL) : NULL;
	const char *url = json_string_value(json_object_get(version, "webSocketDebuggerUrl"));
	char *copy = url ? xstrdup(url) : NULL;
	if (!url)
		*why = xasprintf("no DevTools answer at %s%s%s", address, *reply.error ? ": " : "",
		    reply.error);
	json_decref(version);
	http_reply_free(&reply);
	free((char *)request.url);
	http_close(http);
	return copy;
}

struct devtools *
devtools_open(struct wd *wd, long limit_ms, char **why)
{
	struct devtools *d = xmalloc(sizeof *d);
	*d = (struct devtools){0};
	json_t *tab = wd_call(wd, "GET", "window", NULL, limit_ms);
	if (!tab)
		*why = wd_error(wd);
	char *url = tab ? socket_url(devtools_address(), limit_ms, why) : NULL;
	if (url)
		d->socket = websocket_open(&(struct websocket_options){.url = url,
			.authorities = http_authorities(), .receive = on_message, .arg = d,
			.end_ns = clock_monotonic_ns() + (uint64_t)limit_ms * 1000000u}, why);
	json_t *attached = !d->socket ? NULL : devtools_call(d, "Target.attachToTarget",
	    json_pack("{s:O, s:b}", "targetId", tab, "flatten", 1), limit_ms, why);
	const char *session = json_string_value(json_object_get(attached, "sessionId"));
	if (session)
		d->session = xstrdup(session);
	json_decref(attached);
	json_decref(tab);
	free(url);
	if (d->session)
		return d;
	devtools_close(d);
	return NULL;
}

struct devtools *
devtools_open_session(json_t *variables, long limit_ms, char **why)
{
	session_variables_set(variables);
	if (!getenv("WD_SESSION") || !devtools_address()) {
		*why = xstrdup(getenv("WD_SESSION") ? "this browser has no DevTools: Chromium has" :
		    "no browser ran (kernelrun)");
		return NULL;
	}
	struct wd *wd = wd_open(getenv("WD_SESSION"));
	struct devtools *d = devtools_open(wd, limit_ms, why);
	wd_close(wd);
	return d;
}

void
devtools_close(struct devtools *d)
{
	if (!d)
		return;
	websocket_close(d->socket);
	free(d->session);
	free(d);
}
