/* websocket.c: a WebSocket's client, by libwebsockets. */
#include "net/websocket.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/output.h"
#include "net/http.h"

#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 << 10, MAX_FDS = 32, TURN_MS = 250, SEND_MS = 60000,
	MAX_MESSAGE_BYTES = 1 << 30 };

struct websocket {
	struct lws_context *context;
	struct lws *wsi;	/* NULL: closed */
	const struct websocket_options *options;	/* until it is open */
	char protocol[64];	/* that the server chose; "": none */
	bool open, received_binary, send_binary;
	char *why;		/* it did not open */
	websocket_receiver *receive;
	void *arg;
	struct buf message;	/* as far as it has arrived */
	struct buf outgoing;	/* with LWS_PRE bytes before it; empty: nothing to send */
	bool receiving;		/* what is sent now waits, in order, until that is over */
	struct later {
		char *data;
		size_t n;
		bool binary;
	} *later;
	size_t n_later;
	lws_sorted_usec_list_t timer;
};

/* The server's TCP holds a message back until the one before has been acknowledged (Nagle's
 * algorithm), which this side's TCP would put off by up to 40 ms. */
static void
acknowledge_at_once(struct lws *wsi)
{
	int fd = lws_get_socket_fd(wsi), on = 1;
	if (fd >= 0)
		setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

/* 0, or -1: the header block is too small. */
static int
append_headers(struct websocket *s, struct lws *wsi, unsigned char **p, size_t room)
{
	const char *name;
	json_t *value;
	unsigned char *end = *p + room;
	json_object_foreach(s->options->headers, name, value) {
		char *key = xasprintf("%s:", name);
		int bad = lws_add_http_header_by_name(wsi, (const unsigned char *)key,
		    (const unsigned char *)json_string_value(value),
		    (int)json_string_length(value), p, end);
		free(key);
		if (bad)
			return -1;
	}
	return 0;
}

static int
receive_part(struct websocket *s, struct lws *wsi, const char *data, size_t n)
{
	acknowledge_at_once(wsi);
	if (lws_is_first_fragment(wsi))
		s->received_binary = lws_frame_is_binary(wsi);
	if (buf_add(&s->message, data, n) < 0)
		return -1;
	if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0)
		return 0;
	double t = clock_unix_s() * 1000;
	s->receiving = true;
	s->receive(s->arg, s, s->message.n ? s->message.p : "", s->message.n, t);
	s->receiving = false;
	s->message.n = 0;
	return 0;
}

static int
send_outgoing(struct websocket *s, struct lws *wsi)
{
	if (s->outgoing.n <= LWS_PRE)
		return 0;
	size_t n = s->outgoing.n - LWS_PRE;
	enum lws_write_protocol how = s->send_binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT;
	int sent = lws_write(wsi, (unsigned char *)s->outgoing.p + LWS_PRE, n, how);
	s->outgoing.n = 0;
	return sent < (int)n ? -1 : 0;
}

static int
on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
	struct websocket *s = wsi ? lws_context_user(lws_get_context(wsi)) : NULL;
	(void)user;
	switch (reason) {
	case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
		return append_headers(s, wsi, in, len);
	case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
		lws_hdr_copy(wsi, s->protocol, sizeof s->protocol, WSI_TOKEN_PROTOCOL);
		return 0;
	case LWS_CALLBACK_CLIENT_ESTABLISHED:
		acknowledge_at_once(wsi);
		s->open = true;
		return 0;
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		s->why = xasprintf("%.*s", in ? (int)len : 9, in ? (const char *)in : "no answer");
		s->wsi = NULL;
		return 0;
	case LWS_CALLBACK_CLIENT_RECEIVE:
		return receive_part(s, wsi, in, len);
	case LWS_CALLBACK_CLIENT_WRITEABLE:
		return send_outgoing(s, wsi);
	case LWS_CALLBACK_CLIENT_CLOSED:
		s->wsi = NULL;
		return 0;
	default:
		return 0;
	}
}

static const struct lws_protocols protocols[] = {{.name = "messages", .callback = on_event}, {0}};

/* ---- opening ------------------------------------------------------------------------------ */

static void
log_line(int level, const char *line)
{
	(void)level;
	log_at(LOG_LEVEL_DEBUG, "libwebsockets: %.*s", (int)strcspn(line, "\n"), line);
}

/* A proxy for a secure connection has a variable of its own; none is for this machine itself. */
static const char *
proxy_of(bool secure, const char *host)
{
	bool here = strcmp(host, "localhost") == 0 || strcmp(host, "127.0.0.1") == 0 ||
	    strcmp(host, "::1") == 0;
	const char *proxy = here ? NULL : getenv(secure ? "https_proxy" : "http_proxy");
	return proxy ? proxy : "";
}

static struct lws_context *
make_context(struct websocket *s, bool secure, const char *host, unsigned limit_s)
{
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN, .protocols = protocols, .user = s,
		.options = secure ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0,
		.pt_serv_buf_size = BUFFER_BYTES, .fd_limit_per_thread = MAX_FDS,
		.timeout_secs = limit_s, .connect_timeout_secs = limit_s,
		.http_proxy_address = proxy_of(secure, host),
		.client_ssl_ca_filepath = secure ? s->options->authorities : NULL,
	};
	lws_set_log_level(LLL_ERR | LLL_WARN, log_line);
	struct lws_context *context = lws_create_context(&info);
	if (!context)
		die(ST_SYSTEM, "cannot start libwebsockets");
	return context;
}

static void
connect_to(struct websocket *s, unsigned limit_s)
{
	char *copy = xstrdup(s->options->url);
	const char *scheme, *host, *path;
	int port = 0, tls = 0;
	if (lws_parse_uri(copy, &scheme, &host, &port, &path) != 0) {
		s->why = xstrdup("its address cannot be read");
		free(copy);
		return;
	}
	bool secure = strcmp(scheme, "https") == 0 || strcmp(scheme, "wss") == 0;
	if (secure)
		tls = LCCSCF_USE_SSL;
	if (secure && s->options->insecure)
		tls |= LCCSCF_ALLOW_SELFSIGNED | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK |
		    LCCSCF_ALLOW_EXPIRED | LCCSCF_ALLOW_INSECURE;
	char *full = xasprintf("/%s", path);
	char *named = xasprintf(strchr(host, ':') ? "[%s]:%d" : "%s:%d", host, port);
	s->context = make_context(s, secure, host, limit_s);
	lws_client_connect_via_info(&(struct lws_client_connect_info){
		.context = s->context, .address = host, .port = port, .path = full, .host = named,
		.protocol = s->options->protocol, .local_protocol_name = "messages",
		.ssl_connection = tls, .pwsi = &s->wsi});
	free(full);
	free(named);
	free(copy);
}

struct websocket *
websocket_open(const struct websocket_options *o, char **why)
{
	struct websocket *s = xmalloc(sizeof *s);
	uint64_t now_ns = clock_monotonic_ns();
	uint64_t left_ns = o->end_ns > now_ns ? o->end_ns - now_ns : 0;
	unsigned limit_s = (unsigned)(left_ns / 1000000000u) + 1;
	*s = (struct websocket){.options = o, .receive = o->receive, .arg = o->arg,
		.message.limit = MAX_MESSAGE_BYTES};
	connect_to(s, limit_s);
	while (s->context && !s->open && s->wsi && !s->why && !http_stop &&
	    clock_monotonic_ns() < o->end_ns)
		websocket_turn(s, o->end_ns);
	s->options = NULL;
	if (s->open)
		return s;
	*why = xstrdup(s->why ? s->why : "the server did not answer in time");
	websocket_close(s);
	return NULL;
}

/* ---- in use ------------------------------------------------------------------------------- */

const char *
websocket_protocol(const struct websocket *s)
{
	return s->protocol;
}

bool
websocket_is_binary(const struct websocket *s)
{
	return s->received_binary;
}

bool
websocket_is_closed(const struct websocket *s)
{
	return !s->wsi;
}

/* A timer that is due when lws_service() begins would otherwise not end its wait. */
static void
on_timer(lws_sorted_usec_list_t *timer)
{
	lws_cancel_service(lws_container_of(timer, struct websocket, timer)->context);
}

static void
send_later(struct websocket *s)
{
	struct later first = s->later[0];
	memmove(s->later, s->later + 1, --s->n_later * sizeof *s->later);
	websocket_send(s, first.data, first.n, first.binary);
	free(first.data);
}

/* A signal may arrive just before the wait, so that this never takes long. */
void
websocket_turn(struct websocket *s, uint64_t end_ns)
{
	uint64_t now_ns = clock_monotonic_ns(), left_us = 0;
	if (end_ns > now_ns)
		left_us = (end_ns - now_ns) / 1000 + 1;
	if (left_us > TURN_MS * UINT64_C(1000))
		left_us = TURN_MS * UINT64_C(1000);
	lws_sul_schedule(s->context, 0, &s->timer, on_timer, (lws_usec_t)left_us);
	if (lws_service(s->context, 0) < 0)
		s->wsi = NULL;
	if (s->n_later && !s->outgoing.n)
		send_later(s);
	if (!http_stop && http_watch_stdout && output_reader_left(STDOUT_FILENO))
		http_stop = SIGPIPE;
}

int
websocket_send(struct websocket *s, const char *data, size_t n, bool binary)
{
	static const char room[LWS_PRE];
	uint64_t end_ns = clock_monotonic_ns() + SEND_MS * UINT64_C(1000000);
	if (s->receiving) {
		char *copy = memcpy(xmalloc(n + 1), data, n);
		*XAPPEND(s->later, s->n_later) = (struct later){copy, n, binary};
		return s->wsi ? 0 : -1;
	}
	s->send_binary = binary;
	s->outgoing.n = 0;
	buf_add(&s->outgoing, room, LWS_PRE);
	buf_add(&s->outgoing, data, n);
	if (!s->wsi)
		return -1;
	lws_callback_on_writable(s->wsi);
	while (s->wsi && s->outgoing.n && !http_stop && clock_monotonic_ns() < end_ns)
		websocket_turn(s, end_ns);
	return s->wsi && !s->outgoing.n ? 0 : -1;
}

void
websocket_close(struct websocket *s)
{
	if (!s)
		return;
	if (s->context)
		lws_context_destroy(s->context);
	while (s->n_later)
		free(s->later[--s->n_later].data);
	free(s->later);
	buf_free(&s->message);
	buf_free(&s->outgoing);
	free(s->why);
	free(s);
}
