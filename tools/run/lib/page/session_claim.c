/* session_claim.c: gets a browser that is handed over late, and returns it early. */
#include "page/session_claim.h"
#include "base/clock.h"
#include "browser/session_variables.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int handover = -1;	/* the end of the socket */

/* The keeper of browsers, if there is one and it still runs. */
static bool
connect_keeper(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = path && *path ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
	if (fd < 0)
		return false;
	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
		handover = fd;
	else
		close(fd);
	return handover == fd;
}

bool
session_claim_expected(void)
{
	const char *text = getenv(SESSION_HANDOVER);
	char *end;
	int kind;
	socklen_t n = sizeof kind;
	if (handover >= 0 || !text || !*text)
		return handover >= 0 || connect_keeper(getenv(SESSION_KEEPER));
	long fd = strtol(text, &end, 10);
	bool in_range = !*end && fd >= 3 && fd <= INT_MAX;
	if (!in_range || getsockopt((int)fd, SOL_SOCKET, SO_TYPE, &kind, &n) != 0)
		return false;
	handover = (int)fd;
	fcntl(handover, F_SETFD, FD_CLOEXEC);
	unsetenv(SESSION_HANDOVER);
	return true;
}

int
session_claim_receive(void)
{
	return session_variables_receive(handover);
}

void
session_claim_keep(void)
{
	static const char kept = SESSION_KEPT;
	/* A keeper that does not get this closes the browser. */
	if (send(handover, &kept, 1, MSG_NOSIGNAL) == 1)
		shutdown(handover, SHUT_WR);
}

bool
session_claim_return(void)
{
	return handover >= 0 && shutdown(handover, SHUT_WR) == 0;
}

bool
session_claim_wait_closed(int max_ms)
{
	uint64_t now, end_ns = clock_monotonic_ns() + (uint64_t)max_ms * 1000000u;
	char byte;
	while ((now = clock_monotonic_ns()) < end_ns) {
		struct pollfd p = {.fd = handover, .events = POLLIN};
		int ms = (int)((end_ns - now) / 1000000u) + 1;
		if (poll(&p, 1, ms) > 0 && recv(handover, &byte, 1, MSG_DONTWAIT) == 0)
			return true;
	}
	return false;
}
