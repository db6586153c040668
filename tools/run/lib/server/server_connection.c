/* server_connection.c: the Jupyter server of a run. */
#include "server/server_connection.h"
#include "base/clock.h"
#include "base/die.h"
#include "jupyter/dotenv.h"
#include "notebook/run_options.h"
#include "process/process_entry.h"

#include <unistd.h>

enum { REOPEN_MS = 200 };

void
server_connection_check(void)
{
	const char *text = getenv("LABSERVE_PID");
	pid_t pid = text ? (pid_t)strtol(text, NULL, 10) : 0, p = getppid();
	/* Only if it is an ancestor: the number may belong to another process now. */
	while (p > 1 && p != pid)
		p = process_entry_parent(p);
	if (p > 1)
		kill(p, SIGUSR1);
}

/* A server that answered in an earlier attempt may come back. */
static struct lab *
reopen_server(char error[512])
{
	uint64_t wait_ns = (uint64_t)run_options.ready_timeout_s * UINT64_C(1000000000);
	uint64_t end_ns = clock_monotonic_ns() + wait_ns;
	struct lab *l;
	while (!(l = lab_open(error)) && clock_monotonic_ns() < end_ns && !http_stop)
		clock_pause_ms(REOPEN_MS);
	return l;
}

struct lab *
xserver_connection_open(void)
{
	char error[512];
	xdotenv_load(".env");
	if (!getenv("JUPYTERLAB_URL"))
		return NULL;
	bool retry = run_options.attempt > 1;
	if (retry)
		server_connection_check();
	struct lab *l = retry ? reopen_server(error) : lab_open(error);
	if (!l) {
		server_connection_check();
		die(ST_SYSTEM, "%s", error);
	}
	return l;
}
