/* tunnel.c: one client of the proxy, and the server that it currently talks to.
 * Only requests are parsed (their head, the length of their body): whatever a server answers
 * is passed back as it is, since a client's connection has one server at a time. */
#include "tunnel.h"
#include "base/buf.h"
#include "base/die.h"
#include "connect.h"
#include "flow.h"
#include "request.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <strings.h>
#include <unistd.h>

enum { HEAD_PIECE_BYTES = 16 << 10, PIECE_BYTES = 256 << 10, LINGER_MS = 2000 };
static const char switching[] = "HTTP/1.1 101";

enum tunnel_state { READ_HEAD, READ_BODY, RELAY, LAST_ANSWER };
struct tunnel {
	int client;
	enum tunnel_state state;
	struct connect server;
	char host[256], port[6];
	struct flow up, down;
	struct buf head;
	struct request_body body;
	bool upgrade;		/* the answer may switch protocols */
	bool answered;		/* some of the answer has come */
	char answer_start[sizeof switching];
	size_t n_answer_start;
	uint64_t answer_ns;	/* the proxy's own answer comes no earlier */
	uint64_t close_ns;	/* LAST_ANSWER: the client has had its time to read it */
	bool aborted;
};
static char piece[PIECE_BYTES];

static void
set_reset_on_close(int fd)
{
	struct linger none = {.l_onoff = 1};
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

void
tunnel_abort(struct tunnel *t)
{
	set_reset_on_close(t->client);
	if (t->server.state == CONNECT_OPEN)
		set_reset_on_close(t->server.fd);
	t->aborted = true;
}

void
tunnel_free(struct tunnel *t)
{
	close(t->client);
	connect_close(&t->server);
	flow_drop(&t->up);
	flow_drop(&t->down);
	buf_free(&t->head);
	free(t);
}

static void
answer_error(struct tunnel *t, const char *status, const char *text, uint64_t now)
{
	char *body = xasprintf("netshape: %s\n", text);
	char *answer = xasprintf("HTTP/1.1 %s\r\nContent-Type: text/plain\r\n"
	    "Content-Length: %zu\r\nConnection: close\r\n\r\n%s", status, strlen(body), body);
	flow_drop(&t->up);
	flow_answer(&t->down, answer, strlen(answer), now, t->answer_ns);
	flow_end(&t->down, now, false);
	t->state = LAST_ANSWER;
	free(answer);
	free(body);
}

/* ---- the server's side ------------------------------------------------------------------ */

static void
on_connect_change(struct tunnel *t, uint64_t now)
{
	static const char established[] = "HTTP/1.1 200 Connection established\r\n\r\n";
	const struct connect *s = &t->server;
	if (s->state == CONNECT_OPEN) {
		t->up.to = s->fd;
		if (t->state == RELAY)
			flow_answer(&t->down, established, strlen(established), now, t->answer_ns);
	} else if (s->state == CONNECT_FAILED) {
		const char *status = s->timed_out ? "504 Gateway Timeout" : "502 Bad Gateway";
		char *text = xasprintf("cannot connect to '%s:%s': %s", t->host, t->port,
		    s->reason);
		log_at(LOG_LEVEL_INFO, "%s", text);
		answer_error(t, status, text, now);
		free(text);
	}
}

/* A connection takes a round trip, like TCP's handshake; so does a refusal. */
static uint64_t
add_round_trip(struct tunnel *t, uint64_t now)
{
	uint64_t ns = link_delay_ns(t->up.link) + link_delay_ns(t->down.link);
	t->answer_ns = now + ns;
	return ns;
}

static uint64_t
open_server(struct tunnel *t, const struct request_head *r, uint64_t now)
{
	memcpy(t->host, r->host, sizeof t->host);
	memcpy(t->port, r->port, sizeof t->port);
	t->up.to = -1;
	connect_start(&t->server, t->host, t->port, now);
	return add_round_trip(t, now);
}

/* A persistent connection now requests from another server. False if the last answer is not
 * complete: the next one must not be mistaken for it. */
static bool
leave_server(struct tunnel *t)
{
	bool in_flight = t->up.first || t->down.first || t->down.ended;
	if (t->server.state == CONNECT_NONE)
		return true;
	if (t->server.state != CONNECT_OPEN || !t->answered || in_flight)
		return false;
	connect_close(&t->server);
	return true;
}

/* ---- the client's side ------------------------------------------------------------------ */

static void
on_request(struct tunnel *t, uint64_t now)
{
	struct request_head r;
	const char *wrong = request_head_parse(t->head.p, t->head.n, &r);
	t->head.n = 0;
	bool same = !wrong && !r.connect && t->server.state != CONNECT_NONE &&
	    strcasecmp(r.host, t->host) == 0 && strcmp(r.port, t->port) == 0;
	if (wrong) {
		add_round_trip(t, now);
		answer_error(t, "400 Bad Request", wrong, now);
	} else if (!same && !leave_server(t)) {
		tunnel_abort(t);
	} else {
		uint64_t extra_ns = same ? 0 : open_server(t, &r, now);
		t->answered = false;
		t->n_answer_start = 0;
		t->upgrade = r.upgrade;
		t->body = r.body;
		t->state = r.connect ? RELAY : r.body.state == BODY_DONE ? READ_HEAD : READ_BODY;
		if (!r.connect)
			flow_send(&t->up, r.text.p, r.text.n, now, extra_ns);
		if (!same)
			on_connect_change(t, now);
	}
	buf_free(&r.text);
}

/* Returns how many of these bytes belong to the current head. */
static size_t
read_head(struct tunnel *t, const char *bytes, size_t n, uint64_t now)
{
	size_t blank = 0, before = t->head.n;
	/* Empty lines before a request are allowed. */
	while (!before && blank < n && (bytes[blank] == '\r' || bytes[blank] == '\n'))
		blank++;
	if (blank)
		return blank;
	buf_add(&t->head, bytes, n);
	size_t from = before > 3 ? before - 3 : 0;
	size_t end = request_head_end(t->head.p + from, t->head.n - from);
	if (!end && t->head.n <= MAX_HEAD_BYTES)
		return n;
	if (!end || from + end > MAX_HEAD_BYTES) {
		add_round_trip(t, now);
		answer_error(t, "431 Request Header Fields Too Large",
		    "a head of more than 64 KiB", now);
		return n;
	}
	t->head.n = from + end;
	on_request(t, now);
	return from + end - before;
}

/* Returns how many of these bytes belong to the current body; 0: it is malformed. */
static size_t
read_body(struct tunnel *t, const char *bytes, size_t n, uint64_t now)
{
	ssize_t k = request_body_advance(&t->body, bytes, n);
	if (k < 0 && t->answered)
		tunnel_abort(t);
	else if (k < 0)
		answer_error(t, "400 Bad Request", "malformed chunks", now);
	if (k < 0)
		return 0;
	flow_send(&t->up, bytes, (size_t)k, now, 0);
	if (t->body.state == BODY_DONE)
		t->state = READ_HEAD;
	return (size_t)k;
}

static void
on_client_bytes(struct tunnel *t, const char *bytes, size_t n, uint64_t now)
{
	while (n > 0 && !t->aborted && t->state != LAST_ANSWER) {
		size_t used = n;
		if (t->state == READ_HEAD)
			used = read_head(t, bytes, n, now);
		else if (t->state == READ_BODY)
			used = read_body(t, bytes, n, now);
		else
			flow_send(&t->up, bytes, n, now, 0);
		bytes += used;
		n -= used;
	}
}

static void
read_client(struct tunnel *t, uint64_t now)
{
	size_t max = t->state == READ_HEAD ? HEAD_PIECE_BYTES : link_piece_bytes(t->up.link);
	ssize_t n = recv(t->client, piece, max, 0);
	if (n > 0)
		on_client_bytes(t, piece, (size_t)n, now);
	else if (n == 0 && t->state == LAST_ANSWER)
		t->close_ns = now;
	else if (n == 0 && t->server.state == CONNECT_NONE)
		t->aborted = true;
	else if (n == 0)
		flow_end(&t->up, now, false);
	else if (errno != EAGAIN && errno != EINTR)
		tunnel_abort(t);
}

/* Detects the answer that turns a plain connection into a relay. */
static void
watch_answer(struct tunnel *t, const char *bytes, size_t n, uint64_t now)
{
	size_t needed = sizeof switching - 1;
	while (n-- > 0 && t->n_answer_start < needed)
		t->answer_start[t->n_answer_start++] = *bytes++;
	if (t->n_answer_start < needed)
		return;
	t->upgrade = false;
	if (memcmp(t->answer_start, switching, needed) == 0) {
		struct buf early = t->head;
		t->head = (struct buf){0};
		t->state = RELAY;
		on_client_bytes(t, early.p, early.n, now);
		buf_free(&early);
	}
}

static void
read_server(struct tunnel *t, uint64_t now)
{
	ssize_t n = recv(t->server.fd, piece, link_piece_bytes(t->down.link), 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		flow_end(&t->down, now, n < 0);
		return;
	}
	t->answered = true;
	flow_send(&t->down, piece, (size_t)n, now, 0);
	if (t->upgrade)
		watch_answer(t, piece, (size_t)n, now);
}

/* ---- for the loop ----------------------------------------------------------------------- */

static bool
has_room(const struct flow *f, uint64_t now)
{
	return !f->ended && f->queued_bytes < link_window_bytes(f->link) &&
	    link_opens_at_ns(f->link) <= now;
}

static bool
reads_client(const struct tunnel *t, uint64_t now)
{
	if (t->state == LAST_ANSWER)
		return t->close_ns == 0 || now < t->close_ns;
	/* A head is read whatever the link does: it is sent when it is complete. */
	if (t->state == READ_HEAD)
		return !t->up.ended && t->up.queued_bytes < link_window_bytes(t->up.link);
	return has_room(&t->up, now);
}

static bool
reads_server(const struct tunnel *t, uint64_t now)
{
	bool open = t->server.state == CONNECT_OPEN && t->state != LAST_ANSWER;
	return open && has_room(&t->down, now);
}

bool
tunnel_is_over(struct tunnel *t, uint64_t now)
{
	if (t->aborted || !t->down.done)
		return t->aborted;
	if (t->state == RELAY)
		return t->up.done;
	if (t->state != LAST_ANSWER && t->up.ended)
		return true;
	/* Closing with unread bytes would reset what the client has yet to read. */
	t->state = LAST_ANSWER;
	if (!t->close_ns)
		t->close_ns = now + LINGER_MS * UINT64_C(1000000);
	return now >= t->close_ns;
}

static struct pollfd
poll_slot(int fd, int events)
{
	/* poll() would report hang-ups of a socket without events forever. */
	return (struct pollfd){.fd = events ? fd : -1, .events = (short)events};
}

uint64_t
tunnel_prepare(const struct tunnel *t, struct pollfd slots[TUNNEL_SIDES], bool stalled,
    uint64_t now)
{
	bool connecting = t->server.state == CONNECT_RUNNING;
	int client = 0, server = connecting ? POLLIN : 0;
	uint64_t wake = connecting ? t->server.end_ns : NEVER;
	if (t->close_ns && t->down.done)
		wake = earlier(wake, t->close_ns);
	if (!stalled) {
		client = (reads_client(t, now) ? POLLIN : 0) | (t->down.blocked ? POLLOUT : 0);
		server |= (reads_server(t, now) ? POLLIN : 0) | (t->up.blocked ? POLLOUT : 0);
		wake = earlier(wake, earlier(flow_due_ns(&t->up), flow_due_ns(&t->down)));
	}
	slots[CLIENT_SIDE] = poll_slot(t->client, client);
	slots[SERVER_SIDE] = poll_slot(t->server.fd, server);
	return wake;
}

void
tunnel_write(struct tunnel *t, struct pollfd slots[TUNNEL_SIDES], bool stalled, uint64_t now)
{
	short *server = &slots[SERVER_SIDE].revents;
	if (t->aborted)
		return;
	if (t->server.state == CONNECT_RUNNING) {
		connect_step(&t->server, *server != 0, now);
		on_connect_change(t, now);
		*server = 0;
	}
	if (stalled)
		return;
	if (slots[CLIENT_SIDE].revents)
		t->down.blocked = false;
	if (*server)
		t->up.blocked = false;
	/* A server that accepts nothing more may still answer. */
	if (flow_write(&t->up, now) != 0)
		flow_drop(&t->up);
	if (flow_write(&t->down, now) != 0)
		tunnel_abort(t);
}

bool
tunnel_read(struct tunnel *t, enum tunnel_side side, short revents, uint64_t now)
{
	bool is_client = side == CLIENT_SIDE;
	if (t->aborted || !(revents & (POLLIN | POLLHUP | POLLERR)) ||
	    !(is_client ? reads_client(t, now) : reads_server(t, now)))
		return false;
	if (is_client)
		read_client(t, now);
	else
		read_server(t, now);
	return true;
}

struct tunnel *
tunnel_open(int client, struct link *up, struct link *down)
{
	struct tunnel *t = xmalloc(sizeof *t);
	*t = (struct tunnel){.client = client, .server.fd = -1, .up = {.link = up, .to = -1},
	    .down = {.link = down, .to = client}};
	setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
	return t;
}
