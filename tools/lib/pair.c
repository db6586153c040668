/* pair.c: one client of the proxy, and the server that it now talks to.
 * Only requests are read (their head, how much body): what a server answers
 * goes back as it is, since a client's connection has one server's at a time. */
#include "proxy.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { HEAD_PIECE_BYTES = 16 << 10, SCRATCH_BYTES = 256 << 10, LINGER_MS = 2000 };
static const char switching[] = "HTTP/1.1 101";

enum pair_state { READ_HEAD, READ_BODY, TUNNEL, LAST_WORDS };
struct pair {
	int client;
	enum pair_state state;
	struct dial server;
	char host[256], port[6];
	struct flow up, down;
	struct buf head;
	struct body body;
	bool upgrade;		/* the answer may switch protocols */
	bool answered;		/* something of it came */
	char start[sizeof switching];
	size_t n_start;
	uint64_t answer_ns;	/* no answer of our own comes earlier */
	uint64_t close_ns;	/* LAST_WORDS: the client's time to hear them is over */
	bool over;
};
static char scratch[SCRATCH_BYTES];

static void
reset_socket(int fd)
{
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
}

/* Both sides see a reset, as when a link is cut. */
void
pair_abort(struct pair *p)
{
	reset_socket(p->client);
	if (p->server.state == DIAL_OPEN)
		reset_socket(p->server.fd);
	p->over = true;
}

void
pair_free(struct pair *p)
{
	close(p->client);
	dial_close(&p->server);
	flow_drop(&p->up);
	flow_drop(&p->down);
	buf_free(&p->head);
	free(p);
}

static void
say_error(struct pair *p, const char *status, const char *text, uint64_t now)
{
	char *body = xasprintf("netshape: %s\n", text);
	char *answer = xasprintf("HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n"
	    "Connection: close\r\n\r\n%s", status, strlen(body), body);
	flow_drop(&p->up);
	flow_say(&p->down, answer, strlen(answer), now, p->answer_ns);
	flow_end(&p->down, now, false);
	p->state = LAST_WORDS;
	free(answer);
	free(body);
}

/* ---- the server's side ---------------------------------------------------------- */

static void
dialled(struct pair *p, uint64_t now)
{
	static const char yes[] = "HTTP/1.1 200 Connection established\r\n\r\n";
	if (p->server.state == DIAL_OPEN) {
		p->up.to = p->server.fd;
		if (p->state == TUNNEL)
			flow_say(&p->down, yes, sizeof yes - 1, now, p->answer_ns);
	} else if (p->server.state == DIAL_FAILED) {
		char *text = xasprintf("cannot connect to '%s:%s': %s", p->host, p->port, p->server.reason);
		logline(LV_INFO, "%s", text);
		say_error(p, p->server.late ? "504 Gateway Timeout" : "502 Bad Gateway", text, now);
		free(text);
	}
}

/* A connection costs a round trip, as TCP's handshake does; so does a refusal. */
static uint64_t
round_trip_ns(struct pair *p, uint64_t now)
{
	uint64_t ns = link_delay_ns(p->up.link) + link_delay_ns(p->down.link);
	p->answer_ns = now + ns;
	return ns;
}

static uint64_t
open_server(struct pair *p, const struct reqhead *r, uint64_t now)
{
	memcpy(p->host, r->host, sizeof p->host);
	memcpy(p->port, r->port, sizeof p->port);
	p->up.to = -1;
	dial_start(&p->server, p->host, p->port, now);
	return round_trip_ns(p, now);
}

/* A kept connection now asks for another server.  False if the last answer is
 * not through: the next one must not be taken for it. */
static bool
leave_server(struct pair *p)
{
	if (p->server.state == DIAL_NONE)
		return true;
	if (p->server.state != DIAL_OPEN || !p->answered || p->up.first || p->down.first || p->down.ended)
		return false;
	dial_close(&p->server);
	return true;
}

/* ---- the client's side ----------------------------------------------------------- */

static void
take_request(struct pair *p, uint64_t now)
{
	struct reqhead r;
	const char *wrong = reqhead_parse(p->head.p, p->head.n, &r);
	p->head.n = 0;
	bool same = !wrong && !r.tunnel && p->server.state != DIAL_NONE &&
	    strcasecmp(r.host, p->host) == 0 && strcmp(r.port, p->port) == 0;
	if (wrong) {
		round_trip_ns(p, now);
		say_error(p, "400 Bad Request", wrong, now);
	} else if (!same && !leave_server(p)) {
		pair_abort(p);
	} else {
		uint64_t extra_ns = same ? 0 : open_server(p, &r, now);
		p->answered = false;
		p->n_start = 0;
		p->upgrade = r.upgrade;
		p->body = r.body;
		p->state = r.tunnel ? TUNNEL : r.body.state == BODY_DONE ? READ_HEAD : READ_BODY;
		if (!r.tunnel)
			flow_put(&p->up, r.head.p, r.head.n, now, extra_ns);
		if (!same)
			dialled(p, now);
	}
	buf_free(&r.head);
}

/* How many of these bytes belong to the present head. */
static size_t
take_head(struct pair *p, const char *bytes, size_t n, uint64_t now)
{
	size_t blank = 0, before = p->head.n;
	/* Empty lines before a request are allowed. */
	while (!before && blank < n && (bytes[blank] == '\r' || bytes[blank] == '\n'))
		blank++;
	if (blank)
		return blank;
	buf_add(&p->head, bytes, n);
	size_t from = before > 3 ? before - 3 : 0, end = reqhead_end(p->head.p + from, p->head.n - from);
	if (!end && p->head.n <= HEAD_LIMIT_BYTES)
		return n;
	if (!end || from + end > HEAD_LIMIT_BYTES) {
		round_trip_ns(p, now);
		say_error(p, "431 Request Header Fields Too Large", "a head of more than 64 KiB", now);
		return n;
	}
	p->head.n = from + end;
	take_request(p, now);
	return from + end - before;
}

static void
feed(struct pair *p, const char *bytes, size_t n, uint64_t now)
{
	while (n > 0 && !p->over && p->state != LAST_WORDS) {
		size_t used = n;
		if (p->state == READ_HEAD) {
			used = take_head(p, bytes, n, now);
		} else if (p->state == READ_BODY) {
			ssize_t k = body_take(&p->body, bytes, n);
			if (k < 0 && p->answered)
				pair_abort(p);
			else if (k < 0)
				say_error(p, "400 Bad Request", "malformed chunks", now);
			if (k < 0)
				return;
			used = (size_t)k;
			flow_put(&p->up, bytes, used, now, 0);
			if (p->body.state == BODY_DONE)
				p->state = READ_HEAD;
		} else {
			flow_put(&p->up, bytes, n, now, 0);
		}
		bytes += used;
		n -= used;
	}
}

static void
read_client(struct pair *p, uint64_t now)
{
	size_t most = p->state == READ_HEAD ? HEAD_PIECE_BYTES : link_piece(p->up.link);
	ssize_t n = recv(p->client, scratch, most, 0);
	if (n > 0)
		feed(p, scratch, (size_t)n, now);
	else if (n == 0 && p->state == LAST_WORDS)
		p->close_ns = now;
	else if (n == 0 && p->server.state == DIAL_NONE)
		p->over = true;
	else if (n == 0)
		flow_end(&p->up, now, false);
	else if (errno != EAGAIN && errno != EINTR)
		pair_abort(p);
}

/* Is this the answer that makes a tunnel of a plain connection? */
static void
watch_answer(struct pair *p, const char *bytes, size_t n, uint64_t now)
{
	size_t want = sizeof switching - 1;
	while (n-- > 0 && p->n_start < want)
		p->start[p->n_start++] = *bytes++;
	if (p->n_start < want)
		return;
	p->upgrade = false;
	if (memcmp(p->start, switching, want) == 0) {
		struct buf early = p->head;
		p->head = (struct buf){0};
		p->state = TUNNEL;
		feed(p, early.p, early.n, now);
		buf_free(&early);
	}
}

static void
read_server(struct pair *p, uint64_t now)
{
	ssize_t n = recv(p->server.fd, scratch, link_piece(p->down.link), 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		flow_end(&p->down, now, n < 0);
		return;
	}
	p->answered = true;
	flow_put(&p->down, scratch, (size_t)n, now, 0);
	if (p->upgrade)
		watch_answer(p, scratch, (size_t)n, now);
}

/* ---- the loop's view ----------------------------------------------------------------- */

static bool
wants_client(const struct pair *p, uint64_t now)
{
	if (p->state == LAST_WORDS)
		return p->close_ns == 0 || now < p->close_ns;
	return !p->up.ended && p->up.queued < link_window(p->up.link) &&
	    (p->state == READ_HEAD || link_open(p->up.link, now));
}

static bool
wants_server(const struct pair *p, uint64_t now)
{
	return p->server.state == DIAL_OPEN && !p->down.ended && p->state != LAST_WORDS &&
	    p->down.queued < link_window(p->down.link) && link_open(p->down.link, now);
}

bool
pair_over(struct pair *p, uint64_t now)
{
	if (p->over || !p->down.done)
		return p->over;
	if (p->state == TUNNEL)
		return p->up.done;
	if (p->state != LAST_WORDS && p->up.ended)
		return true;
	/* Closing with bytes unread would reset what the client has yet to read. */
	p->state = LAST_WORDS;
	if (!p->close_ns)
		p->close_ns = now + (uint64_t)LINGER_MS * 1000000u;
	return now >= p->close_ns;
}

static void
want(struct pollfd *slot, int fd, int events)
{
	/* Without the -1, poll would report hang-ups for ever. */
	*slot = (struct pollfd){.fd = events ? fd : -1, .events = (short)events};
}

uint64_t
pair_prepare(const struct pair *p, struct pollfd slots[PAIR_SIDES], bool stalled, uint64_t now)
{
	int client = 0, server = dial_events(&p->server);
	uint64_t wake = dial_deadline(&p->server);
	if (p->close_ns && p->down.done)
		wake = earlier(wake, p->close_ns);
	if (!stalled) {
		client = (wants_client(p, now) ? POLLIN : 0) | (p->down.blocked ? POLLOUT : 0);
		server |= (wants_server(p, now) ? POLLIN : 0) | (p->up.blocked ? POLLOUT : 0);
		wake = earlier(wake, earlier(flow_due(&p->up), flow_due(&p->down)));
	}
	want(&slots[CLIENT_SIDE], p->client, client);
	want(&slots[SERVER_SIDE], p->server.fd, server);
	return wake;
}

void
pair_write(struct pair *p, struct pollfd slots[PAIR_SIDES], bool stalled, uint64_t now)
{
	if (p->over)
		return;
	if (dial_events(&p->server) && (slots[SERVER_SIDE].revents || now >= dial_deadline(&p->server))) {
		dial_step(&p->server, slots[SERVER_SIDE].revents != 0, now);
		dialled(p, now);
		slots[SERVER_SIDE].revents = 0;
	}
	if (stalled)
		return;
	if (slots[CLIENT_SIDE].revents)
		p->down.blocked = false;
	if (slots[SERVER_SIDE].revents)
		p->up.blocked = false;
	/* A server that takes no more may still answer. */
	if (flow_write(&p->up, now) != 0)
		flow_drop(&p->up);
	if (flow_write(&p->down, now) != 0)
		pair_abort(p);
}

bool
pair_read(struct pair *p, enum pair_side side, short revents, uint64_t now)
{
	if (p->over || !(revents & (POLLIN | POLLHUP | POLLERR)))
		return false;
	if (side == CLIENT_SIDE ? !wants_client(p, now) : !wants_server(p, now))
		return false;
	if (side == CLIENT_SIDE)
		read_client(p, now);
	else
		read_server(p, now);
	return true;
}

struct pair *
pair_open(struct proxy *proxy, int client)
{
	int on = 1;
	struct pair *p = xmalloc(sizeof *p);
	*p = (struct pair){.client = client, .server.fd = -1};
	p->up = (struct flow){.link = &proxy->up, .to = -1, .bytes = &proxy->traffic->up_bytes};
	p->down = (struct flow){.link = &proxy->down, .to = client, .bytes = &proxy->traffic->down_bytes};
	setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	return p;
}
