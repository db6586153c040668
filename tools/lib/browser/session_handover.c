/* porter.c: a browser that is handed over early and given back early. */
#include "porter.h"
#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char variable[] = "WD_HANDOVER";
enum { LINE_BYTES = 64 << 10 };

/* ---- the holder's side ----------------------------------------------------------- */

static int ours = -1;
static pid_t porter;

/* Waits for the end of what the command says, which is nothing. */
static void
wait_back(int fd)
{
	char byte;
	ssize_t n;
	while ((n = recv(fd, &byte, sizeof byte, 0)) > 0 || (n < 0 && errno == EINTR))
		continue;
}

_Noreturn static void
serve(int fd, json_t *(*open_browser)(void *), void *arg)
{
	/* A key that a person pressed is the command's business; so is all output. */
	stand_apart();
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(fd, 3) < 0)
		_exit(ST_SYSTEM);
	close_range(4, ~0u, 0);
	json_t *variables = open_browser(arg);
	char *line = json_text(variables);
	size_t n = strlen(line);
	line[n++] = '\n';
	if (send_all(3, line, n) == 0)
		wait_back(3);
	_exit(ST_OK);
}

void
porter_start(json_t *(*open_browser)(void *), void *arg)
{
	int pair[2];
	char text[16];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		die(ST_SYSTEM, "cannot make a socket for the browser's session:");
	/* The command's end stays open here, too, which does no harm. */
	fcntl(pair[1], F_SETFD, 0);
	snprintf(text, sizeof text, "%d", pair[1]);
	xsetenv(variable, text);
	fflush(NULL);
	porter = fork();
	if (porter < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (porter == 0)
		serve(pair[0], open_browser, arg);
	ours = pair[0];
	hold_spare(porter);
}

bool
porter_ended(void)
{
	if (porter <= 0 || waitpid(porter, NULL, WNOHANG) == 0)
		return false;
	porter = 0;
	return true;
}

void
porter_close(void)
{
	/* Of a browser that nobody waits for any more there is nothing to say. */
	if (porter > 0 && kill(porter, SIGKILL) == 0)
		waitpid(porter, NULL, 0);
	porter = 0;
	if (ours >= 0)
		close(ours);
	ours = -1;
}

/* ---- the command's side ------------------------------------------------------------ */

static int theirs = -1;

bool
porter_expected(void)
{
	const char *text = getenv(variable);
	char *end;
	if (theirs >= 0 || !text || !*text)
		return theirs >= 0;
	long fd = strtol(text, &end, 10);
	int kind;
	if (*end || fd < 3 || fd > 1 << 20 || getsockopt((int)fd, SOL_SOCKET, SO_TYPE, &kind, &(socklen_t){sizeof kind}) != 0)
		return false;
	theirs = (int)fd;
	fcntl(theirs, F_SETFD, FD_CLOEXEC);
	unsetenv(variable);
	return true;
}

int
porter_take(void)
{
	char *line = xmalloc(LINE_BYTES);
	size_t n = 0;
	while (n < LINE_BYTES && (n == 0 || line[n - 1] != '\n') && !http_stop) {
		ssize_t k = recv(theirs, line + n, LINE_BYTES - n, 0);
		if (k == 0 || (k < 0 && errno != EINTR))
			break;
		n += k > 0 ? (size_t)k : 0;
	}
	json_t *variables = n && line[n - 1] == '\n' ? json_loadb(line, n, 0, NULL) : NULL;
	size_t set = variables ? xsetenv_all(variables) : 0;
	json_decref(variables);
	free(line);
	return set ? 0 : -1;
}

bool
porter_give_back(void)
{
	return theirs >= 0 && shutdown(theirs, SHUT_WR) == 0;
}

bool
porter_gone(int most_ms)
{
	uint64_t end = now_ns() + (uint64_t)most_ms * 1000000u;
	char byte;
	for (;;) {
		uint64_t now = now_ns();
		if (now >= end)
			return false;
		int ms = (int)((end - now) / 1000000u) + 1;
		if (poll(&(struct pollfd){.fd = theirs, .events = POLLIN}, 1, ms) > 0 && recv(theirs, &byte, 1, MSG_DONTWAIT) == 0)
			return true;
	}
}
