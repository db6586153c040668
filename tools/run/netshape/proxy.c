/* proxy.c: the loop of an HTTP proxy behind a shaped link. */
#include "proxy.h"
#include "base/clock.h"
#include "base/die.h"
#include "net/free_port.h"
#include "net/peer_cred.h"
#include "tunnel.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
	MAX_TUNNELS = 400, OTHER_FILES = 16, BACKLOG = 256, ACCEPT_RETRY_MS = 100, MAX_TRIES = 20,
	TUNNEL_FILES = 4,	/* at most: while a name is being resolved */
	CONTROL_SLOT = 0, LISTENER_SLOT, FIRST_SLOT,
};

struct loop {
	struct proxy *proxy;
	struct tunnel *tunnels[MAX_TUNNELS];
	size_t n, max;
	bool stalled, refusing;
	uint64_t accept_at_ns;	/* later, if the system had no file for one more */
	size_t turn[TUNNEL_SIDES];	/* whose turn it is on the link */
	struct pollfd polled[FIRST_SLOT + TUNNEL_SIDES * MAX_TUNNELS];
};

static struct pollfd *
slots_of(struct loop *l, size_t i)
{
	return &l->polled[FIRST_SLOT + TUNNEL_SIDES * i];
}

static void
accept_clients(struct loop *l, uint64_t now)
{
	struct proxy *p = l->proxy;
	while (l->n < l->max) {
		int fd = accept4(p->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd >= 0 && !peer_cred_trusted(fd)) {
			close(fd);
		} else if (fd >= 0) {
			l->tunnels[l->n++] = tunnel_open(fd, &p->up, &p->down);
			p->connections++;
		} else if (errno != EINTR && errno != ECONNABORTED) {
			if (errno != EAGAIN)
				l->accept_at_ns = now + ACCEPT_RETRY_MS * UINT64_C(1000000);
			return;
		}
	}
}

static void
execute_command(struct loop *l, enum proxy_command command)
{
	switch (command) {
	case PROXY_STALL:
		l->stalled = true;
		break;
	case PROXY_CUT:
		for (size_t i = 0; i < l->n; i++)
			tunnel_abort(l->tunnels[i]);
		break;
	case PROXY_REFUSE:
		/* The socket stays bound, so that no other process can get the port. */
		l->refusing = true;
		shutdown(l->proxy->listener, SHUT_RDWR);
		break;
	case PROXY_GO:
		l->stalled = false;
		if (l->refusing)
			l->refusing = listen(l->proxy->listener, BACKLOG) != 0;
		break;
	}
}

/* False when the holder has ended. */
static bool
read_control(struct loop *l)
{
	char commands[64];
	ssize_t n = read(l->proxy->control, commands, sizeof commands);
	for (ssize_t i = 0; i < n; i++)
		execute_command(l, (enum proxy_command)commands[i]);
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

static bool
is_accepting(const struct loop *l, uint64_t now)
{
	return !l->stalled && !l->refusing && l->n < l->max && now >= l->accept_at_ns;
}

/* Fills in the slots; returns when to wake up at the latest. */
static uint64_t
prepare(struct loop *l, uint64_t now)
{
	const struct link *links[] = {&l->proxy->up, &l->proxy->down};
	uint64_t wake = now < l->accept_at_ns ? l->accept_at_ns : NEVER;
	int listener = is_accepting(l, now) ? l->proxy->listener : -1;
	l->polled[CONTROL_SLOT] = (struct pollfd){.fd = l->proxy->control, .events = POLLIN};
	l->polled[LISTENER_SLOT] = (struct pollfd){.fd = listener, .events = POLLIN};
	for (size_t i = 0; i < l->n; i++)
		wake = earlier(wake, tunnel_prepare(l->tunnels[i], slots_of(l, i), l->stalled,
		    now));
	for (size_t i = 0; i < COUNT(links); i++)
		if (l->n && !l->stalled && link_opens_at_ns(links[i]) > now)
			wake = earlier(wake, link_opens_at_ns(links[i]));
	return wake;
}

/* Serves the tunnels in turn, starting after the one that was served last, as long as the
 * link has room: all get an equal share of it. */
static void
read_all(struct loop *l, enum tunnel_side side, uint64_t now)
{
	size_t start = l->turn[side];
	for (size_t k = 0; k < l->n; k++) {
		size_t i = (start + k) % l->n;
		if (tunnel_read(l->tunnels[i], side, slots_of(l, i)[side].revents, now))
			l->turn[side] = i + 1;
	}
}

static void
step_tunnels(struct loop *l, uint64_t now)
{
	for (size_t i = 0; i < l->n; i++)
		tunnel_write(l->tunnels[i], slots_of(l, i), l->stalled, now);
	if (!l->stalled) {
		read_all(l, CLIENT_SIDE, now);
		read_all(l, SERVER_SIDE, now);
	}
}

static void
free_ended(struct loop *l, uint64_t now)
{
	for (size_t i = 0; i < l->n; ) {
		if (!tunnel_is_over(l->tunnels[i], now)) {
			i++;
			continue;
		}
		tunnel_free(l->tunnels[i]);
		l->tunnels[i] = l->tunnels[--l->n];
	}
}

/* Returns for how many this process may have files; poll() refuses more slots, too. */
static size_t
max_tunnels(void)
{
	struct rlimit r;
	if (getrlimit(RLIMIT_NOFILE, &r) != 0)
		return 1;
	r.rlim_cur = r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
	getrlimit(RLIMIT_NOFILE, &r);
	if (r.rlim_cur < OTHER_FILES + TUNNEL_FILES)
		return 1;
	size_t n = (size_t)(r.rlim_cur - OTHER_FILES) / TUNNEL_FILES;
	return n < MAX_TUNNELS ? n : MAX_TUNNELS;
}

int
proxy_listen(int *port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	/* Bound to a number, not to 0, so that it keeps the port while it refuses. Its own
	 * connections must not prevent it from listening again. */
	for (int tries = 0; tries < MAX_TRIES; tries++) {
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (fd < 0)
			break;
		*port = xfree_port();
		a.sin_port = htons((uint16_t)*port);
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
		if (bind(fd, (struct sockaddr *)&a, sizeof a) == 0 && listen(fd, BACKLOG) == 0)
			return fd;
		int saved = errno;
		close(fd);
		errno = saved;
	}
	return -1;
}

void
proxy_run(struct proxy *proxy)
{
	struct loop *l = xmalloc(sizeof *l);
	*l = (struct loop){.proxy = proxy, .max = max_tunnels()};
	for (bool running = true; running; ) {
		uint64_t now = clock_monotonic_ns(), wake = prepare(l, now);
		uint64_t ns = wake > now ? wake - now : 0;
		struct timespec ts = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
		nfds_t slots = (nfds_t)(FIRST_SLOT + TUNNEL_SIDES * l->n);
		if (ppoll(l->polled, slots, wake == NEVER ? NULL : &ts, NULL) < 0)
			continue;
		now = clock_monotonic_ns();
		if (l->polled[CONTROL_SLOT].revents)
			running = read_control(l);
		step_tunnels(l, now);
		if (l->polled[LISTENER_SLOT].revents && is_accepting(l, now))
			accept_clients(l, now);
		free_ended(l, now);
	}
	while (l->n)
		tunnel_free(l->tunnels[--l->n]);
	free(l);
}
