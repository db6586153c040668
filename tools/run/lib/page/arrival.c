/* arrival.c: when a cell's last message reached this machine. */
#include "page/arrival.h"
#include "base/clock.h"
#include "base/die.h"
#include "json/json_value.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* ---- what the system knows of TCP connections ---- */

struct tcp_diag {
	uint8_t family;
	struct inet_diag_sockid id;
	uint64_t received_bytes;	/* since it was opened; read or not yet read */
	double received_t;	/* Unix s when the tick ended in which the last of them came */
};

enum { ESTABLISHED = 1, ANSWER_BYTES = 32768 };

struct question {
	struct nlmsghdr head;
	struct inet_diag_req_v2 ask;
};

/* A socket to ask with; -1: not possible here. */
static int
tcp_diag_open(void)
{
	const struct timeval limit = {.tv_sec = 1};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	return fd;
}

static bool
ask_system(int fd, int flags, uint8_t family, const struct inet_diag_sockid *id)
{
	struct question q = {
		.head = {.nlmsg_len = sizeof q, .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			.nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags)},
		.ask = {.sdiag_family = family, .sdiag_protocol = IPPROTO_TCP,
			.idiag_ext = 1 << (INET_DIAG_INFO - 1),
			.idiag_states = 1 << ESTABLISHED, .id = *id},
	};
	return send(fd, &q, sizeof q, 0) == sizeof q;
}

static bool
read_answer(const struct nlmsghdr *head, struct tcp_diag *c)
{
	const struct inet_diag_msg *m = NLMSG_DATA(head);
	size_t n = head->nlmsg_len - NLMSG_LENGTH(sizeof *m);
	struct tcp_info info;
	if (head->nlmsg_type != SOCK_DIAG_BY_FAMILY)
		return false;
	for (const struct rtattr *a = (const void *)(m + 1); RTA_OK(a, n); a = RTA_NEXT(a, n)) {
		/* Older systems know fewer members. */
		if (a->rta_type != INET_DIAG_INFO || RTA_PAYLOAD(a) <
		    offsetof(struct tcp_info, tcpi_bytes_received) + sizeof(uint64_t))
			continue;
		memcpy(&info, RTA_DATA(a), offsetof(struct tcp_info, tcpi_segs_out));
		*c = (struct tcp_diag){.family = m->idiag_family, .id = m->id,
			.received_bytes = info.tcpi_bytes_received,
			.received_t = clock_tick_end_s() - info.tcpi_last_data_recv / 1e3};
		return true;
	}
	return false;
}

static size_t
list_family(int fd, uint8_t family, uint16_t port, struct tcp_diag *v, size_t max)
{
	const struct inet_diag_sockid to_port = {.idiag_dport = htons(port)};
	static _Alignas(struct nlmsghdr) char answer[ANSWER_BYTES];
	size_t n = 0;
	ssize_t got = 0;
	bool more = ask_system(fd, NLM_F_DUMP, family, &to_port);
	while (more && (got = recv(fd, answer, sizeof answer, 0)) > 0) {
		size_t left = (size_t)got;
		for (const struct nlmsghdr *h = (const void *)answer; NLMSG_OK(h, left);
		    h = NLMSG_NEXT(h, left)) {
			more = more && h->nlmsg_type != NLMSG_DONE && h->nlmsg_type != NLMSG_ERROR;
			n += more && n < max && read_answer(h, &v[n]);
		}
	}
	return n;
}

/* Fills v with the open connections to this remote port, at most max; returns their number. */
static size_t
tcp_diag_list(int fd, uint16_t port, struct tcp_diag *v, size_t max)
{
	size_t n = list_family(fd, AF_INET, port, v, max);
	return n + list_family(fd, AF_INET6, port, v + n, max - n);
}

/* Reads the connection again: 0; -1: it is closed. */
static int
tcp_diag_read(int fd, struct tcp_diag *c)
{
	_Alignas(struct nlmsghdr) char answer[2048];
	const struct nlmsghdr *h = (const void *)answer;
	if (!ask_system(fd, 0, c->family, &c->id))
		return -1;
	ssize_t got = recv(fd, answer, sizeof answer, 0);
	return got > 0 && NLMSG_OK(h, (size_t)got) && read_answer(h, c) ? 0 : -1;
}

enum { PERIOD_MS = 10, MAX_CONNECTIONS = 32 };
#define SAME_S 0.02	/* two ticks of the system */

struct growth {
	size_t connection;
	uint64_t bytes;
	double t;	/* Unix seconds when they had arrived */
};
static struct {
	int fd;		/* 0: not yet open */
	struct tcp_diag connections[MAX_CONNECTIONS];	/* one, once it is known which */
	uint64_t before_bytes[MAX_CONNECTIONS];
	size_t n;
	bool known, tls;
	double other_bytes;	/* of that one, at the last end: received, but not in messages */
	struct growth *v;
	size_t n_growths;
	pthread_t thread;
	int stop;	/* an event: it is readable when the thread is to end */
	bool running;
} reader;

static void
read_connections(void)
{
	for (size_t i = 0; i < reader.n; i++) {
		struct tcp_diag *c = &reader.connections[i];
		uint64_t before = c->received_bytes;
		if (tcp_diag_read(reader.fd, c) != 0 || c->received_bytes == before)
			continue;
		*XAPPEND(reader.v, reader.n_growths) =
		    (struct growth){i, c->received_bytes, c->received_t};
	}
}

static void *
read_until_stopped(void *unused)
{
	struct pollfd stop = {reader.stop, POLLIN, 0};
	(void)unused;
	do
		read_connections();
	while (poll(&stop, 1, PERIOD_MS) == 0);
	read_connections();
	return NULL;
}

/* The port of a URL, or of HOST:PORT. */
static uint16_t
url_port(const char *url)
{
	const char *scheme = strstr(url, "://"), *host = scheme ? scheme + 3 : url;
	const char *end = host + strcspn(host, "/"), *colon = end;
	while (colon > host && *colon != ':' && *colon != ']')
		colon--;
	return *colon == ':' ? (uint16_t)strtoul(colon + 1, NULL, 10) :
	    strncmp(url, "https:", 6) == 0 ? 443 : 80;
}

static void
list_connections(const char *server_url)
{
	const char *proxy = getenv("NETSHAPE_PROXY");
	const char *url = proxy && *proxy ? proxy : server_url;
	reader.n = tcp_diag_list(reader.fd, url_port(url), reader.connections, MAX_CONNECTIONS);
	reader.known = false;
	reader.tls = strncmp(server_url, "https:", 6) == 0;
}

static void
stop_thread(void)
{
	if (!reader.running)
		return;
	eventfd_write(reader.stop, 1);
	pthread_join(reader.thread, NULL);
	close(reader.stop);
	reader.running = false;
}

void
arrival_continue(void)
{
	sigset_t all, before;
	if (reader.running || reader.fd <= 0)
		return;
	reader.stop = eventfd(0, EFD_CLOEXEC);
	/* Signals interrupt the calls of the main thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	reader.running = pthread_create(&reader.thread, NULL, read_until_stopped, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void
arrival_begin(const char *server_url)
{
	stop_thread();	/* a key press that is repeated */
	if (server_url && !reader.fd)
		reader.fd = tcp_diag_open();
	if (!server_url || reader.fd < 0)
		return;
	if (!reader.known || tcp_diag_read(reader.fd, reader.connections) != 0)
		list_connections(server_url);
	for (size_t i = 0; i < reader.n; i++)
		reader.before_bytes[i] = reader.connections[i].received_bytes;
	reader.n_growths = 0;
	arrival_continue();
}

/* Apart from the messages that the page counts, a WebSocket's connection has received its
 * handshake only, so it is the one with the fewest other bytes; *fewest is their number. */
static size_t
choose_connection(double page_bytes, double *fewest)
{
	size_t best = reader.n;
	*fewest = INFINITY;
	for (size_t i = 0; i < reader.n; i++) {
		double others = (double)reader.connections[i].received_bytes - page_bytes;
		if (others >= 0 && others < *fewest) {
			*fewest = others;
			best = i;
		}
	}
	return best;
}

/* When the connection had received this many bytes; NaN: it has not. */
static double
time_of(size_t connection, double bytes)
{
	for (size_t i = 0; i < reader.n_growths; i++)
		if (reader.v[i].connection == connection && (double)reader.v[i].bytes >= bytes)
			return reader.v[i].t;
	return NAN;
}

/* What arrives between our reading and the page's count makes the other bytes too many after the
 * cell, and too few before it.  In records of TLS before 1.3 a message has more bytes than the page
 * knows, so they grow within the cell: then both bounds must give the same time. */
void
arrival_end(json_t *seen)
{
	double before = json_value_real_at(seen, "bytesBefore");	/* null while listening */
	double received = json_value_real_at(seen, "bytesReceived"), others;
	stop_thread();
	size_t chosen = choose_connection(json_value_real_at(seen, "bytesEnd"), &others);
	if (chosen == reader.n || isnan(received))
		return;
	double least = fmax(reader.known ? fmin(reader.other_bytes, others) : others,
	    (double)reader.before_bytes[chosen] - before);
	double t = time_of(chosen, received + least);
	reader.other_bytes = others;
	reader.known = !isnan(t);
	if (!reader.known)
		return;
	double latest = reader.tls ? time_of(chosen, received + fmax(least, others)) : t;
	reader.connections[0] = reader.connections[chosen];
	reader.n = 1;
	if (latest - t <= SAME_S)
		json_object_set_new(seen, "arrived",
		    json_real(latest * 1000 - json_value_real_at(seen, "origin")));
}
