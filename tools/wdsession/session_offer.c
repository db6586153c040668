/* session_offer.c: hands a browser over to a command that already runs, and takes it back. */
#include "session_offer.h"
#include "base/die.h"
#include "base/output.h"
#include "browser/session_variables.h"
#include "json/json_text.h"
#include "process/hold_command.h"
#include "process/reaper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int ours = -1;	/* the end of the socket */
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
xsession_offer_start(json_t *(*open_browser)(void *), void *arg)
{
	int pair[2];
	char text[16];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		die(ST_SYSTEM, "cannot make a socket for the browser's session:");
	/* The command's end also stays open here, which does no harm. */
	fcntl(pair[1], F_SETFD, 0);
	snprintf(text, sizeof text, "%d", pair[1]);
	xsetenv(SESSION_HANDOVER, text);
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
session_offer_ended(void)
{
	if (process <= 0 || waitpid(process, NULL, WNOHANG) == 0)
		return false;
	process = 0;
	return true;
}

void
session_offer_stop(void)
{
	/* Killed, so that it reports nothing about a browser that is not needed any more. */
	if (process > 0 && kill(process, SIGKILL) == 0)
		waitpid(process, NULL, 0);
	process = 0;
	if (ours >= 0)
		close(ours);
	ours = -1;
}
