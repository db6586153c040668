/* kernel_client.c: a connection to a kernel: requests, its answers, its clock, its loss. */
#include "kernel_client.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/random_hex.h"
#include "kernel/kernel_state.h"
#include "kernel_socket.h"
#include "run/role.h"
#include "server/kernel_start.h"

#include <time.h>

#define VERSION "5.3"	/* of the messages */
#define SILENT "-silent-"	/* in the ids of silent requests */

enum { ASK_AGAIN_MS = 2000, LOST_MS = 10000, REOPEN_MS = 250 };

static uint64_t
ns_from_now(long ms)
{
	return clock_monotonic_ns() + (uint64_t)ms * 1000000u;
}

static void
set_lost(struct kernel_client *k, enum role what, const char *state)
{
	if (!k->lost)
		k->lost = json_pack("{s:s, s:s, s:f}", "what", role_word(what), "state", state,
		    "t", clock_unix_s() * 1000);
}

/* ---- messages that arrive ---------------------------------------------------------------- */

static void
on_status(struct kernel_client *k, const char *state, const char *id, double date, double t)
{
	static const char *const ends[] = {"restarting", "autorestarting", "dead"};
	const json_t *sent = json_object_get(k->open, id);
	for (size_t i = 0; i < COUNT(ends); i++)
		if (strcmp(state, ends[i]) == 0)
			set_lost(k, ROLE_KERNEL, state);
	if (strcmp(state, "busy") == 0 && sent)
		kernel_clock_bound(&k->clock, -INFINITY, date - json_real_value(sent));
	if (strcmp(state, "idle") == 0) {
		kernel_clock_bound(&k->clock, date - t, INFINITY);
		json_object_del(k->open, id);
	}
}

/* Whether the message answers the silent request that is waited for. */
static bool
is_silent_answer(struct kernel_client *k, struct kernel_message *m, const char *state)
{
	if (!*k->silent.id || strcmp(m->parent_id, k->silent.id) != 0)
		return false;
	size_t n = strlen(m->type);
	if (n > 6 && strcmp(m->type + n - 6, "_reply") == 0) {
		json_decref(k->silent.content);
		k->silent.content = json_incref(kernel_message_content(m));
		k->silent.replied = true;
	} else if (state && strcmp(state, "idle") == 0) {
		k->silent.idle = true;
	} else if (!state) {
		return false;
	}
	return true;
}

static void
on_data(void *arg, const struct websocket *from, const char *data, size_t n, double t)
{
	struct kernel_client *k = arg;
	struct kernel_message m;
	if (kernel_message_read(&m, data, n, websocket_is_binary(from),
	    kernel_socket_is_framed(from)) != 0) {
		k->unread++;
		return;
	}
	const char *state = NULL;
	k->heard_ms = t;
	if (strcmp(m.type, "status") == 0) {
		state = json_string_value(json_object_get(kernel_message_content(&m),
		    "execution_state"));
		on_status(k, state ? state : "", m.parent_id, kernel_message_date(&m), t);
	}
	if (!is_silent_answer(k, &m, state) && k->receive)
		k->receive(k->arg, &m, t);
	kernel_message_free(&m);
}

/* ---- requests ------------------------------------------------------------------------------ */

static size_t
send_request(struct kernel_client *k, const char *type, json_t *content, json_t *metadata,
    const char *id, double *t)
{
	char date[32];
	double now_s = clock_unix_s();
	time_t s = (time_t)now_s;
	struct tm tm;
	struct buf b = {0};
	size_t n = strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", gmtime_r(&s, &tm));
	snprintf(date + n, sizeof date - n, ".%03dZ", (int)((now_s - (double)s) * 1000));
	json_t *header = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "msg_id", id,
	    "msg_type", type, "username", "", "session", k->session, "date", date,
	    "version", VERSION);
	bool framed = k->socket && kernel_socket_is_framed(k->socket);
	kernel_message_add(&b, framed, "shell", header, metadata, content);
	*t = clock_unix_s() * 1000;
	json_object_set_new(k->open, id, json_real(*t));
	size_t bytes = b.n;
	if (!k->socket || websocket_send(k->socket, b.p, b.n, framed) != 0)
		bytes = 0;
	buf_free(&b);
	json_decref(header);
	json_decref(metadata);
	json_decref(content);
	return bytes;
}

size_t
kernel_client_send(struct kernel_client *k, const char *type, json_t *content, json_t *metadata,
    char id[KERNEL_CLIENT_ID_BYTES], double *t)
{
	snprintf(id, KERNEL_CLIENT_ID_BYTES, "%s-%ld", k->session, ++k->requests);
	return send_request(k, type, content, metadata, id, t);
}

bool
kernel_client_is_silent(const struct kernel_client *k, const char *id)
{
	size_t n = strlen(k->session);
	return strncmp(id, k->session, n) == 0 &&
	    strncmp(id + n, SILENT, strlen(SILENT)) == 0;
}

/* NULL, or why it failed, the caller's. */
static char *
connect_socket(struct kernel_client *k, uint64_t end_ns)
{
	char *why = NULL;
	websocket_close(k->socket);
	k->socket = NULL;
	k->socket = kernel_socket_open(k->files->lab, k->files->kernel_id, k->session, end_ns,
	    on_data, k, &why);
	return why;
}

/* The server may have been restarted, or the network interrupted.  It keeps messages for a client
 * that comes back with the same session. */
static void
reopen(struct kernel_client *k)
{
	uint64_t end_ns = ns_from_now(LOST_MS);
	k->drops++;
	free(connect_socket(k, end_ns));
	while (!k->socket && !k->lost && !http_stop && clock_monotonic_ns() < end_ns) {
		char *state = kernel_state_get(k->files->lab, k->files->kernel_id);
		if (state && strcmp(state, "gone") == 0)
			set_lost(k, ROLE_KERNEL, "gone");
		free(state);
		clock_pause_ms(REOPEN_MS);
		free(connect_socket(k, end_ns));
	}
	if (!k->socket)
		set_lost(k, ROLE_SERVER, "the kernel's WebSocket closed");
}

bool
kernel_client_wait(struct kernel_client *k, bool (*done)(void *arg), void *arg, uint64_t end_ns)
{
	while (!done(arg)) {
		if (k->lost || http_stop || clock_monotonic_ns() >= end_ns)
			return false;
		if (!k->socket || websocket_is_closed(k->socket))
			reopen(k);
		else
			websocket_turn(k->socket, end_ns);
	}
	return true;
}

static bool
is_silent_done(void *arg)
{
	const struct kernel_client *k = arg;
	return k->silent.replied && k->silent.idle;
}

/* Waits for the answer; whether there was one. */
static bool
ask(struct kernel_client *k, const char *type, json_t *content, uint64_t end_ns)
{
	double t;
	json_decref(k->silent.content);
	k->silent.content = NULL;
	k->silent.replied = k->silent.idle = false;
	snprintf(k->silent.id, sizeof k->silent.id, "%s%s%ld", k->session, SILENT, ++k->requests);
	send_request(k, type, content, json_object(), k->silent.id, &t);
	return kernel_client_wait(k, is_silent_done, k, end_ns);
}

const json_t *
kernel_client_evaluate(struct kernel_client *k, const char *expression, long limit_ms)
{
	json_t *values = json_object();
	if (*expression)
		json_object_set_new(values, "nbscope", json_string(expression));
	bool answered = ask(k, "execute_request", json_pack("{s:s, s:b, s:b, s:b, s:b, s:o}",
	    "code", "", "silent", 1, "store_history", 0, "allow_stdin", 0, "stop_on_error", 0,
	    "user_expressions", values), ns_from_now(limit_ms));
	return answered ? k->silent.content : NULL;
}

bool
kernel_client_is_python(const struct kernel_client *k)
{
	const json_t *language = json_object_get(k->info, "language_info");
	const char *name = json_string_value(json_object_get(language, "name"));
	return name && strcmp(name, "python") == 0;
}

/* ---- opening ------------------------------------------------------------------------------ */

char *
kernel_client_open(struct kernel_client *k, struct server_files *f, uint64_t end_ns,
    kernel_client_receiver *receive, void *arg)
{
	char *why = NULL;
	uint64_t silent_since_ns = 0;
	*k = (struct kernel_client){.files = f, .open = json_object()};
	kernel_clock_reset(&k->clock);
	xrandom_hex(k->session, sizeof k->session - 1);
	while (!k->info && !why && !http_stop) {
		/* A kernel that ends while it starts is started again by the server, some times. */
		json_decref(k->lost);
		k->lost = NULL;
		if (!k->socket || websocket_is_closed(k->socket))
			why = connect_socket(k, end_ns);
		uint64_t ask_ns = ns_from_now(ASK_AGAIN_MS);
		if (k->socket && ask(k, "kernel_info_request", json_object(),
		    ask_ns < end_ns ? ask_ns : end_ns))
			k->info = json_incref(k->silent.content);
		else if (clock_monotonic_ns() >= end_ns && !why)
			why = xstrdup("the kernel does not answer");
		char *fault = k->info ? NULL : kernel_start_fault(f, &silent_since_ns);
		if (fault) {
			free(why);
			why = fault;
		}
	}
	k->receive = receive;
	k->arg = arg;
	return k->info ? NULL : why ? why : xstrdup("interrupted");
}

void
kernel_client_close(struct kernel_client *k)
{
	websocket_close(k->socket);
	json_decref(k->open);
	json_decref(k->lost);
	json_decref(k->info);
	json_decref(k->silent.content);
	*k = (struct kernel_client){0};
}
