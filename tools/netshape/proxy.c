/* proxy.c: the loop of an HTTP proxy behind a shaped link. */
#include "proxy.h"
#include "peer.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
	MOST_PAIRS = 400, OTHER_FILES = 16, BACKLOG = 256, ACCEPT_AGAIN_MS = 100, MOST_TRIES = 20,
	CONTROL_SLOT = 0, LISTENER_SLOT, FIRST_SLOT,
};

struct loop {
	struct proxy *proxy;
	struct pair *pairs[MOST_PAIRS];
	size_t n, most;
	bool stalled, refusing;
	uint64_t accept_at_ns;	/* after the system had no file for one more */
	size_t turn[PAIR_SIDES];	/* whose turn it is on the link */
	struct pollfd polled[FIRST_SLOT + PAIR_SIDES * MOST_PAIRS];
};

static struct pollfd *
slots_of(struct loop *l, size_t i)
{
	return &l->polled[FIRST_SLOT + PAIR_SIDES * i];
}

static void
accept_all(struct loop *l, uint64_t now)
{
	while (l->n < l->most) {
		int fd = accept4(l->proxy->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd >= 0 && !peer_is_ours(fd)) {
			close(fd);
		} else if (fd >= 0) {
			l->pairs[l->n++] = pair_open(l->proxy, fd);
			l->proxy->traffic->connections++;
		} else if (errno != EINTR && errno != ECONNABORTED) {
			if (errno != EAGAIN)
				l->accept_at_ns = now + (uint64_t)ACCEPT_AGAIN_MS * 1000000u;
			return;
		}
	}
}

static void
obey(struct loop *l, char command)
{
	switch (command) {
	case PROXY_STALL:
		l->stalled = true;
		break;
	case PROXY_CUT:
		for (size_t i = 0; i < l->n; i++)
			pair_abort(l->pairs[i]);
		break;
	case PROXY_REFUSE:
		/* It stays bound: nobody else can take the port meanwhile. */
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
		obey(l, commands[i]);
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

static bool
accepting(const struct loop *l, uint64_t now)
{
	return !l->stalled && !l->refusing && l->n < l->most && now >= l->accept_at_ns;
}

/* Fills the slots; returns when to wake at the latest. */
static uint64_t
prepare(struct loop *l, uint64_t now)
{
	const struct link *links[] = {&l->proxy->up, &l->proxy->down};
	uint64_t wake = now < l->accept_at_ns ? l->accept_at_ns : NEVER;
	l->polled[CONTROL_SLOT] = (struct pollfd){.fd = l->proxy->control, .events = POLLIN};
	l->polled[LISTENER_SLOT] = (struct pollfd){.fd = accepting(l, now) ? l->proxy->listener : -1, .events = POLLIN};
	for (size_t i = 0; i < l->n; i++)
		wake = earlier(wake, pair_prepare(l->pairs[i], slots_of(l, i), l->stalled, now));
	for (size_t i = 0; i < COUNT(links); i++)
		if (l->n && !l->stalled && !link_open(links[i], now))
			wake = earlier(wake, link_opens_at(links[i]));
	return wake;
}

/* Each pair in turn, beginning after the one that was served last, as long as
 * the link takes more: all share it alike. */
static void
read_round(struct loop *l, size_t n, enum pair_side side, uint64_t now)
{
	size_t start = l->turn[side];
	for (size_t k = 0; k < n; k++) {
		size_t i = (start + k) % n;
		if (pair_read(l->pairs[i], side, slots_of(l, i)[side].revents, now))
			l->turn[side] = i + 1;
	}
}

static void
step_pairs(struct loop *l, uint64_t now)
{
	for (size_t i = 0; i < l->n; i++)
		pair_write(l->pairs[i], slots_of(l, i), l->stalled, now);
	if (!l->stalled) {
		read_round(l, l->n, CLIENT_SIDE, now);
		read_round(l, l->n, SERVER_SIDE, now);
	}
}

static void
sweep(struct loop *l, uint64_t now)
{
	for (size_t i = 0; i < l->n; ) {
		if (!pair_over(l->pairs[i], now)) {
			i++;
			continue;
		}
		pair_free(l->pairs[i]);
		l->pairs[i] = l->pairs[--l->n];
	}
}

/* poll refuses more slots than a process may have files. */
static size_t
most_pairs(void)
{
	struct rlimit r;
	if (getrlimit(RLIMIT_NOFILE, &r) != 0)
		return 1;
	r.rlim_cur = r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
	getrlimit(RLIMIT_NOFILE, &r);
	size_t fit = r.rlim_cur > OTHER_FILES + PAIR_SIDES ? (size_t)(r.rlim_cur - OTHER_FILES) / PAIR_SIDES : 1;
	return fit < MOST_PAIRS ? fit : MOST_PAIRS;
}

int
proxy_listen(int *port)
{
	/* Bound to its number, not to 0: so it keeps it while it refuses.  Its own
	 * connections must not hinder it then from listening again. */
	for (int tries = 0; tries < MOST_TRIES; tries++) {
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
		if (fd < 0)
			break;
		*port = free_port();
		struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port),
		    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
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
	*l = (struct loop){.proxy = proxy, .most = most_pairs()};
	for (bool going = true; going; ) {
		uint64_t now = now_ns(), wake = prepare(l, now), wait_ns = wake > now ? wake - now : 0;
		struct timespec ts = {(time_t)(wait_ns / 1000000000u), (long)(wait_ns % 1000000000u)};
		nfds_t slots = (nfds_t)(FIRST_SLOT + PAIR_SIDES * l->n);
		if (ppoll(l->polled, slots, wake == NEVER ? NULL : &ts, NULL) < 0)
			continue;
		now = now_ns();
		if (l->polled[CONTROL_SLOT].revents)
			going = read_control(l);
		step_pairs(l, now);
		if (l->polled[LISTENER_SLOT].revents && accepting(l, now))
			accept_all(l, now);
		sweep(l, now);
	}
	while (l->n)
		pair_free(l->pairs[--l->n]);
	free(l);
}
