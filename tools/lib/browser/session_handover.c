/* session_handover.c: a browser that is handed over while its command already runs, and
 * returned before that command ends. */
#include "browser/session_handover.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/output.h"
#include "json/json_text.h"
#include "net/http.h"
#include "process/hold_command.h"
#include "process/reaper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char variable[] = "WD_HANDOVER";
enum { MAX_LINE_BYTES = 64 << 10 };

static int ours = -1, theirs = -1;	/* the holder's end; the command's, in the command */

/* ---- the holder's side ------------------------------------------------------------------ */

static pid_t process;

_Noreturn static void
process_main(int fd, json_t *(*open_browser)(void *), void *arg)
{
	char byte;
	ssize_t k;
	/* Key presses of the user are for the command; so is the output. */
	reaper_detach();
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(fd, 3) < 0)
		_exit(ST_SYSTEM);
	close_range(4, ~0u, 0);
	char *line = json_text_of(open_browser(arg));
	size_t n = strlen(line);
	line[n++] = '\n';
	/* The command sends nothing but the end of its stream. */
	if (output_send_all(3, line, n) == 0)
		while ((k = recv(3, &byte, 1, 0)) > 0 || (k < 0 && errno == EINTR))
			continue;
	_exit(ST_OK);
}

void
xsession_handover_start(json_t *(*open_browser)(void *), void *arg)
{
	int pair[2];
	char text[16];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		die(ST_SYSTEM, "cannot make a socket for the browser's session:");
	/* The command's end also stays open here, which does no harm. */
	fcntl(pair[1], F_SETFD, 0);
	snprintf(text, sizeof text, "%d", pair[1]);
	xsetenv(variable, text);
	fflush(NULL);
	process = fork();
	if (process < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (process == 0)
		process_main(pair[0], open_browser, arg);
	ours = pair[0];
	hold_exempt(process);
}

bool
session_handover_ended(void)
{
	if (process <= 0 || waitpid(process, NULL, WNOHANG) == 0)
		return false;
	process = 0;
	return true;
}

void
session_handover_stop(void)
{
	/* Killed, so that it reports nothing about a browser that is not needed any more. */
	if (process > 0 && kill(process, SIGKILL) == 0)
		waitpid(process, NULL, 0);
	process = 0;
	if (ours >= 0)
		close(ours);
	ours = -1;
}

/* ---- the command's side ----------------------------------------------------------------- */

bool
session_handover_expected(void)
{
	const char *text = getenv(variable);
	char *end;
	int kind;
	socklen_t n = sizeof kind;
	if (theirs >= 0 || !text || !*text)
		return theirs >= 0;
	long fd = strtol(text, &end, 10);
	bool in_range = !*end && fd >= 3 && fd <= INT_MAX;
	if (!in_range || getsockopt((int)fd, SOL_SOCKET, SO_TYPE, &kind, &n) != 0)
		return false;
	theirs = (int)fd;
	fcntl(theirs, F_SETFD, FD_CLOEXEC);
	unsetenv(variable);
	return true;
}

size_t
session_handover_set(json_t *all)
{
	size_t set = 0;
	const char *name;
	json_t *value;
	json_object_foreach(all, name, value)
		if (json_is_string(value)) {
			xsetenv(name, json_string_value(value));
			set++;
		}
	return set;
}

int
session_handover_receive(void)
{
	char *line = xmalloc(MAX_LINE_BYTES);
	size_t n = 0;
	while (n < MAX_LINE_BYTES && (n == 0 || line[n - 1] != '\n') && !http_stop) {
		ssize_t k = recv(theirs, line + n, MAX_LINE_BYTES - n, 0);
		if (k == 0 || (k < 0 && errno != EINTR))
			break;
		n += k > 0 ? (size_t)k : 0;
	}
	json_t *all = n && line[n - 1] == '\n' ? json_loadb(line, n, 0, NULL) : NULL;
	size_t set = session_handover_set(all);
	json_decref(all);
	free(line);
	return set ? 0 : -1;
}

bool
session_handover_return(void)
{
	return theirs >= 0 && shutdown(theirs, SHUT_WR) == 0;
}

bool
session_handover_wait_closed(int max_ms)
{
	uint64_t now, end_ns = clock_monotonic_ns() + (uint64_t)max_ms * 1000000u;
	char byte;
	while ((now = clock_monotonic_ns()) < end_ns) {
		struct pollfd p = {.fd = theirs, .events = POLLIN};
		int ms = (int)((end_ns - now) / 1000000u) + 1;
		if (poll(&p, 1, ms) > 0 && recv(theirs, &byte, 1, MSG_DONTWAIT) == 0)
			return true;
	}
	return false;
}
