/* cellprofile: runs COMMAND, whose driver runs cells under profilers.
 * The driver (cellrun or kernelrun) asks before and after each cell, on the socket that CELL_HOOK
 * names; this process starts the profilers, in the kernel and in the browser through the driver,
 * and has it write their records. */
#include "base/die.h"
#include "base/opt.h"
#include "driver.h"
#include "process/hold_command.h"
#include "process/reaper.h"
#include "profiling.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HOOK = 3 };	/* the number of its socket in the process of the hook */

static const struct opt opts[] = {{0}};
static const struct opt_usage usage = {"cellprofile", "FILE COMMAND...",
	"Runs COMMAND, whose driver runs cells under the profilers that FILE names.", opts};

/* ---- the hook -------------------------------------------------------------------------- */

static void
answer_question(struct profiling *p, const json_t *question)
{
	const char *type = json_string_value(json_object_get(question, "type"));
	size_t cell = (size_t)json_integer_value(json_object_get(question, "cell"));
	json_t *members = NULL;
	if (strcmp(type, "settings") == 0)
		members = json_pack("{s:O}", "settings", profiling_settings(p));
	else if (strcmp(type, "open") == 0)
		profiling_open(p, question);
	else if (strcmp(type, "before") == 0 && profiling_before(p, cell))
		members = json_pack("{s:s}", "mark", "profiler");
	else if (strcmp(type, "after") == 0)
		profiling_after(p, cell,
		    json_string_value(json_object_get(question, "status")));
	driver_done(members);
}

/* It ends with the driver, or with this process. */
_Noreturn static void
hook_main(int socket, struct profiling *p, pid_t holder)
{
	json_t *question;
	reaper_detach();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (getppid() != holder || null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
	    dup2(socket, HOOK) < 0)
		_exit(ST_SYSTEM);
	close_range(HOOK + 1, ~0u, 0);
	driver_open(HOOK);
	while ((question = driver_next())) {
		answer_question(p, question);
		json_decref(question);
	}
	_exit(ST_OK);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage), pair[2];
	char number[16];
	if (argc - first < 2)
		opt_die(&usage, "FILE and COMMAND are required");
	struct profiling *profiling = xprofiling_read(argv[first]);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		die(ST_SYSTEM, "cannot create a socket:");
	fflush(NULL);
	pid_t holder = getpid(), hook = fork();
	if (hook < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (hook == 0) {
		close(pair[1]);
		hook_main(pair[0], profiling, holder);
	}
	close(pair[0]);
	fcntl(pair[1], F_SETFD, 0);
	snprintf(number, sizeof number, "%d", pair[1]);
	xsetenv("CELL_HOOK", number);
	hold_exempt(hook);
	int status = hold_command(argv + first + 1, NULL);
	kill(hook, SIGKILL);
	waitpid(hook, NULL, 0);
	return status;
}
