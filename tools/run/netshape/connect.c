/* connect.c: from a name to a connected socket, without blocking, within a time limit.
 * A thread of its own resolves the name and tries its addresses, each for its share of the
 * time: getaddrinfo() can only block. */
#include "connect.h"
#include "base/clock.h"
#include "base/die.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { CONNECT_MS = 10000 };

struct connect_attempt {
	char *host, *port;
	uint64_t end_ns;
	int socket;		/* the result; -1: see reason */
	bool timed_out;
	const char *reason;
	atomic_bool done;	/* the thread is; then this eventfd is readable */
	int done_fd;
	atomic_bool has_one_user;	/* of loop and thread: the last one frees it */
};

static void
release_attempt(struct connect_attempt *a)
{
	if (!atomic_exchange(&a->has_one_user, true))
		return;
	if (a->socket >= 0)
		close(a->socket);
	if (a->done_fd >= 0)
		close(a->done_fd);
	free(a->host);
	free(a->port);
	free(a);
}

static bool
is_localhost(const char *host)
{
	const char *dot = strrchr(host, '.');
	return strcasecmp(dot ? dot + 1 : host, "localhost") == 0;
}

static bool
connect_address(struct connect_attempt *a, const struct addrinfo *to, uint64_t limit_ns)
{
	struct timeval limit = {(time_t)(limit_ns / 1000000000u),
	    (suseconds_t)(limit_ns % 1000000000u / 1000 + 1)};
	int fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0 &&
	    connect(fd, to->ai_addr, to->ai_addrlen) == 0) {
		a->socket = fd;
		return true;
	}
	a->timed_out = errno == EINPROGRESS;
	a->reason = strerror(a->timed_out ? ETIMEDOUT : errno);
	if (fd >= 0)
		close(fd);
	return false;
}

static void *
attempt_main(void *arg)
{
	struct connect_attempt *a = arg;
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	struct addrinfo *all = NULL;
	/* A resolver is never asked for localhost, as in browsers (RFC 6761): NULL is loopback. */
	int error = getaddrinfo(is_localhost(a->host) ? NULL : a->host, a->port, &hints, &all);
	a->timed_out = !error;
	a->reason = error ? gai_strerror(error) : strerror(ETIMEDOUT);
	uint64_t left = 0, now;
	for (struct addrinfo *to = all; to; to = to->ai_next)
		left++;
	for (struct addrinfo *to = all; to; to = to->ai_next)
		if ((now = clock_monotonic_ns()) >= a->end_ns ||
		    connect_address(a, to, (a->end_ns - now) / left--))
			break;
	if (all)
		freeaddrinfo(all);
	a->done = true;
	eventfd_write(a->done_fd, 1);
	release_attempt(a);
	return NULL;
}

void
connect_close(struct connect *c)
{
	if (c->state == CONNECT_OPEN)
		close(c->fd);
	if (c->attempt)
		release_attempt(c->attempt);
	*c = (struct connect){.fd = -1};
}

static void
fail_connect(struct connect *c, const char *reason, bool timed_out)
{
	connect_close(c);
	c->state = CONNECT_FAILED;
	c->reason = reason;
	c->timed_out = timed_out;
}

void
connect_start(struct connect *c, const char *host, const char *port, uint64_t now)
{
	pthread_t thread;
	uint64_t end_ns = now + CONNECT_MS * UINT64_C(1000000);
	struct connect_attempt *a = xmalloc(sizeof *a);
	*a = (struct connect_attempt){.host = xstrdup(host), .port = xstrdup(port), .socket = -1,
	    .end_ns = end_ns, .done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
	*c = (struct connect){CONNECT_RUNNING, .fd = a->done_fd, .end_ns = end_ns, .attempt = a};
	int error = a->done_fd < 0 ? errno : pthread_create(&thread, NULL, attempt_main, a);
	if (error) {
		a->has_one_user = true;
		fail_connect(c, strerror(error), false);
	} else {
		pthread_detach(thread);
	}
}

void
connect_step(struct connect *c, bool ready, uint64_t now)
{
	struct connect_attempt *a = c->attempt;
	ready = ready && a->done;
	if (ready && a->socket >= 0) {
		c->fd = a->socket;
		c->state = CONNECT_OPEN;
		c->attempt = NULL;
		a->socket = -1;
		release_attempt(a);
		fcntl(c->fd, F_SETFL, O_NONBLOCK);
		setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
	} else if (ready) {
		fail_connect(c, a->reason, a->timed_out);
	} else if (now >= c->end_ns) {
		fail_connect(c, strerror(ETIMEDOUT), true);
	}
}
