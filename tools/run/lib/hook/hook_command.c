/* hook_command.c: runs a command whose driver asks this program around each cell. */
#include "hook/hook_command.h"
#include "base/die.h"
#include "base/kernel_call.h"
#include "hook/hook_driver.h"
#include "json/lines.h"
#include "process/hold_command.h"
#include "process/reaper.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OWN_SOCKET = 3 };	/* its number in the process that answers */

/* It ends with the driver, or with the holder. */
_Noreturn static void
answer_questions(int socket, pid_t holder, json_t *(*on_question)(const char *, const json_t *))
{
	json_t *question;
	reaper_detach();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (getppid() != holder || null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
	    dup2(socket, OWN_SOCKET) < 0)
		_exit(ST_SYSTEM);
	kernel_call_close_from(OWN_SOCKET + 1);
	hook_driver_open(OWN_SOCKET);
	while ((question = hook_driver_next())) {
		hook_driver_done(on_question(lines_record_type(question), question));
		json_decref(question);
	}
	_exit(ST_OK);
}

int
hook_command(char *const argv[], json_t *(*on_question)(const char *, const json_t *))
{
	int pair[2];
	const char *outer = getenv("CELL_HOOK");
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		die(ST_SYSTEM, "cannot create a socket:");
	fflush(NULL);
	pid_t holder = getpid(), hook = fork();
	if (hook < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (hook == 0)
		answer_questions(pair[0], holder, on_question);
	close(pair[0]);
	fcntl(pair[1], F_SETFD, 0);
	xsetenv("CELL_HOOK", xasprintf("%s%s%d", outer ? outer : "", outer && *outer ? "," : "",
	    pair[1]));
	hold_exempt(hook);
	int status = hold_command(argv, NULL);
	kill(hook, SIGKILL);
	waitpid(hook, NULL, 0);
	return status;
}
