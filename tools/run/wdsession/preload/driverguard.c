/* driverguard: loaded into a WebDriver's process, and its Chromium's, by wdsession.
 * A driver has no password and starts any program for any client of its port, and DevTools do
 * anything in a browser: this library accepts connections of its own user and of root only. */
#include "net/peer_cred.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What the browser starts is not guarded. A script that starts either is neither. */
__attribute__((constructor)) static void
restore_preload(void)
{
	const char *set = getenv("LD_PRELOAD"), *more = set ? strchr(set, ':') : NULL;
	const char *name = program_invocation_short_name;
	if (strcmp(name, "chromedriver") == 0 || !(strstr(name, "chrom") || strstr(name, "gecko")))
		return;
	if (more)
		setenv("LD_PRELOAD", more + 1, 1);
	else
		unsetenv("LD_PRELOAD");
}

static int
refuse_others(int fd)
{
	struct sockaddr_storage a;
	socklen_t n = sizeof a;
	if (fd < 0 || getsockname(fd, (struct sockaddr *)&a, &n) != 0 || a.ss_family == AF_UNIX ||
	    peer_cred_trusted(fd))
		return fd;
	close(fd);
	errno = ECONNABORTED;
	return -1;
}

int
accept(int fd, __SOCKADDR_ARG a, socklen_t *restrict n)
{
	int (*next)(int, struct sockaddr *, socklen_t *restrict);
	void *found = dlsym(RTLD_NEXT, "accept");
	memcpy(&next, &found, sizeof next);
	return refuse_others(next(fd, a.__sockaddr__, n));
}

int
accept4(int fd, __SOCKADDR_ARG a, socklen_t *restrict n, int flags)
{
	int (*next)(int, struct sockaddr *, socklen_t *restrict, int);
	void *found = dlsym(RTLD_NEXT, "accept4");
	memcpy(&next, &found, sizeof next);
	return refuse_others(next(fd, a.__sockaddr__, n, flags));
}
