/* dial.c: from a name to a connected socket, never blocking, with an end.
 * The resolver can only block, so it runs in a process of its own that ends by
 * itself.  Each of a name's addresses gets its share of the time. */
#include "proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <unistd.h>

struct names {	/* smaller than PIPE_BUF: comes whole or not at all */
	int error, n;
	struct sockaddr_storage to[MOST_ADDRESSES];
};

static socklen_t
length_of(const struct sockaddr_storage *a)
{
	return a->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

static void
look_up(const char *host, const char *port, int flags, struct names *names)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV}, *list = NULL;
	*names = (struct names){.error = getaddrinfo(host, port, &hints, &list)};
	if (names->error)
		return;
	for (struct addrinfo *a = list; a && names->n < MOST_ADDRESSES; a = a->ai_next)
		if (a->ai_addrlen <= sizeof *names->to)
			memcpy(&names->to[names->n++], a->ai_addr, a->ai_addrlen);
	freeaddrinfo(list);
}

_Noreturn static void
resolver_main(const char *host, const char *port, int report)
{
	struct names names;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "netshape-names");
	/* The client's sockets must close when the proxy closes them. */
	dup2(report, 3);
	close_range(4, ~0u, 0);
	signal(SIGALRM, SIG_DFL);
	alarm(DIAL_MS / 1000 + 1);
	look_up(host, port, 0, &names);
	ssize_t ignored = write(3, &names, sizeof names);
	(void)ignored;
	_exit(0);
}

static void
fail(struct dial *d, const char *reason, bool late)
{
	dial_close(d);
	d->state = DIAL_FAILED;
	d->reason = reason;
	d->late = late;
}

static void
start_resolver(struct dial *d, const char *host, const char *port)
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0) {
		fail(d, strerror(errno), false);
		return;
	}
	pid_t pid = fork();
	if (pid == 0)
		resolver_main(host, port, fds[1]);
	int saved = errno;
	close(fds[1]);
	d->fd = fds[0];
	d->state = DIAL_NAMES;
	if (pid < 0)
		fail(d, strerror(saved), false);
}

static void
opened(struct dial *d)
{
	int on = 1;
	setsockopt(d->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	d->state = DIAL_OPEN;
}

static void
try_next(struct dial *d, uint64_t now)
{
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
	while (d->next < d->n_to) {
		struct sockaddr_storage *to = &d->to[d->next++];
		d->fd = socket(to->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		d->state = DIAL_CONNECTING;
		d->try_end_ns = now + (d->end_ns - now) / (uint64_t)(d->n_to - d->next + 1);
		int got = d->fd < 0 ? -1 : connect(d->fd, (struct sockaddr *)to, length_of(to));
		if (got == 0)
			opened(d);
		if (got == 0 || (d->fd >= 0 && errno == EINPROGRESS))
			return;
		d->reason = strerror(errno);
		if (d->fd >= 0)
			close(d->fd);
		d->fd = -1;
	}
	fail(d, d->reason, d->late);
}

static bool
is_localhost(const char *host)
{
	size_t n = strlen(host), m = strlen("localhost");
	return n >= m && strcasecmp(host + n - m, "localhost") == 0 && (n == m || host[n - m - 1] == '.');
}

void
dial_start(struct dial *d, const char *host, const char *port, uint64_t now)
{
	struct names names;
	*d = (struct dial){.fd = -1, .end_ns = now + (uint64_t)DIAL_MS * 1000000u};
	look_up(host, port, AI_NUMERICHOST, &names);
	if (is_localhost(host)) {
		/* As browsers do (RFC 6761): never asked of a resolver. */
		struct names six;
		look_up("127.0.0.1", port, AI_NUMERICHOST, &names);
		look_up("::1", port, AI_NUMERICHOST, &six);
		for (int i = 0; i < six.n && names.n < MOST_ADDRESSES; i++)
			names.to[names.n++] = six.to[i];
	}
	if (!names.n) {
		start_resolver(d, host, port);
		return;
	}
	memcpy(d->to, names.to, sizeof d->to);
	d->n_to = names.n;
	try_next(d, now);
}

short
dial_events(const struct dial *d)
{
	return d->state == DIAL_NAMES ? POLLIN : d->state == DIAL_CONNECTING ? POLLOUT : 0;
}

uint64_t
dial_deadline(const struct dial *d)
{
	return d->state == DIAL_NAMES ? d->end_ns : d->state == DIAL_CONNECTING ? d->try_end_ns : NEVER;
}

static void
take_names(struct dial *d, uint64_t now)
{
	struct names names;
	ssize_t n = read(d->fd, &names, sizeof names);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n != (ssize_t)sizeof names) {
		fail(d, "the resolver failed", false);
	} else if (names.error || !names.n) {
		fail(d, gai_strerror(names.error), false);
	} else {
		memcpy(d->to, names.to, sizeof d->to);
		d->n_to = names.n;
		try_next(d, now);
	}
}

void
dial_step(struct dial *d, bool ready, uint64_t now)
{
	if (now >= d->end_ns) {
		fail(d, strerror(ETIMEDOUT), true);
	} else if (d->state == DIAL_NAMES && ready) {
		take_names(d, now);
	} else if (d->state == DIAL_CONNECTING) {
		int error = 0;
		socklen_t n = sizeof error;
		if (ready && getsockopt(d->fd, SOL_SOCKET, SO_ERROR, &error, &n) == 0 && !error) {
			opened(d);
		} else if (ready || now >= d->try_end_ns) {
			d->late = !ready;
			d->reason = strerror(ready ? error : ETIMEDOUT);
			try_next(d, now);
		}
	}
}

void
dial_close(struct dial *d)
{
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
	d->state = DIAL_NONE;
}
