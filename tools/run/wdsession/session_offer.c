/* session_offer.c: hands a browser over to a command that already runs, and takes it back. */
#include "session_offer.h"
#include "base/die.h"
#include "base/kernel_call.h"
#include "base/output.h"
#include "browser/session_variables.h"
#include "json/json_text.h"
#include "process/hold_command.h"
#include "process/reaper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BACKLOG = 8 };

static int ours = -1;	/* the end of the socket */
static pid_t process;

/* Key presses of the user are for the command; so is the output. The socket becomes 3. */
static void
detach_with(int fd)
{
	reaper_detach();
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(fd, 3) < 0)
		_exit(ST_SYSTEM);
	kernel_call_close_from(4);
}

/* Returns when the command has ended its stream: the last byte that it sent, 0 if none. */
static char
hand_over(int fd, const json_t *variables)
{
	char byte = 0, *line = json_text_of(variables);
	ssize_t k = -1;
	size_t n = strlen(line);
	line[n++] = '\n';
	if (output_send_all(fd, line, n) == 0)
		while ((k = recv(fd, &byte, 1, 0)) > 0 || (k < 0 && errno == EINTR))
			continue;
	free(line);
	return k == 0 ? byte : 0;
}

_Noreturn static void
process_main(int fd, json_t *(*open_browser)(void *), void *arg)
{
	detach_with(fd);
	hand_over(3, open_browser(arg));
	_exit(ST_OK);
}

_Noreturn static void
keeper_main(int fd, json_t *(*open_browser)(void *), void (*close_browser)(const json_t *))
{
	detach_with(fd);
	for (json_t *variables = open_browser(NULL); ; ) {
		int client = accept4(3, NULL, NULL, SOCK_CLOEXEC);
		if (client < 0 && errno == EINTR)
			continue;
		if (client < 0)
			_exit(ST_SYSTEM);
		if (!variables)
			variables = open_browser(NULL);
		if (hand_over(client, variables) != SESSION_KEPT) {
			close_browser(variables);
			json_decref(variables);
			variables = NULL;
		}
		close(client);
	}
}

/* True in the new process. */
static bool
xfork_process(void)
{
	fflush(NULL);
	process = fork();
	if (process < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (process > 0)
		hold_exempt(process);
	return process == 0;
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
	if (xfork_process())
		process_main(pair[0], open_browser, arg);
	ours = pair[0];
}

void
xsession_offer_keep(const char *path, json_t *(*open_browser)(void *),
    void (*close_browser)(const json_t *))
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
	    listen(fd, BACKLOG) != 0)
		die(ST_SYSTEM, "cannot make the socket '%s':", path);
	xsetenv(SESSION_KEEPER, path);
	pid_t holder = getpid();
	if (xfork_process()) {
		/* Nobody else ends it if the holder is killed. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == holder)
			keeper_main(fd, open_browser, close_browser);
		_exit(ST_SYSTEM);
	}
	close(fd);
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

/* ---- for the holder itself -------------------------------------------------------------- */

/* The lender outlives this process, as a reaper does. */
_Noreturn static void
lender_main(int fd, json_t *(*open_browser)(void *), void (*close_browser)(const json_t *))
{
	detach_with(fd);
	prctl(PR_SET_NAME, REAPER_NAME);
	json_t *variables = open_browser(NULL);
	hand_over(3, variables);
	close_browser(variables);
	_exit(ST_OK);
}

void
xsession_offer_take(json_t *(*open_browser)(void *), void (*close_browser)(const json_t *))
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		die(ST_SYSTEM, "cannot make a socket for the browser's session:");
	if (xfork_process())
		lender_main(pair[0], open_browser, close_browser);
	/* Its end is the end of the stream. */
	close(pair[0]);
	ours = pair[1];
	if (session_variables_receive(ours) != 0)
		exit(ST_SYSTEM);	/* it has reported why */
}

void
session_offer_return(void)
{
	reaper_end(ours, process, 0);
	ours = -1;
}
