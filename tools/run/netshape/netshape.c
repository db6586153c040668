/* netshape: runs a command behind a slow, unsteady or broken link.
 * The link is an HTTP proxy on loopback, named in NETSHAPE_PROXY: unlike a browser's own
 * throttling, it also slows WebSockets down. Where no limit is requested there is no proxy,
 * and netshape replaces itself with COMMAND. */
#include "base/die.h"
#include "base/kernel_call.h"
#include "base/opt.h"
#include "process/hold_command.h"
#include "proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static double down = -1, up = -1, latency_ms, jitter_ms;
static long seed = 1;
static bool control;

#define MIN_MB_PER_S 1e-3
#define MAX_MB_PER_S 1e6
#define MAX_MS 60000

static const struct opt opts[] = {
	{0, "down", OPT_REAL, &down, -1, MAX_MB_PER_S, "MB_PER_S",
	    "rate to the client in 10^6 bytes per second; default -1, unlimited"},
	{0, "up", OPT_REAL, &up, -1, MAX_MB_PER_S, "MB_PER_S",
	    "rate from the client; default -1, unlimited"},
	{0, "latency", OPT_REAL, &latency_ms, 0, MAX_MS, "MS",
	    "one-way delay: a round trip takes twice as long"},
	{0, "jitter", OPT_REAL, &jitter_ms, 0, MAX_MS, "MS",
	    "additional delay, drawn uniformly up to this; order is kept"},
	{0, "seed", OPT_INT, &seed, 0, 2147483647, "N", "seed of the jitter; default 1"},
	{0, "control", OPT_FLAG, &control, 0, 0, NULL,
	    "an unlimited link that signals can stall, cut or refuse"},
	{0},
};
static const struct opt_usage usage = {"netshape", "[options] COMMAND...",
	"Runs COMMAND with an HTTP proxy behind a link of a given rate and delay.", opts};

static struct proxy *proxy;	/* in memory shared with the proxy's process */
static int command_fd = -1;	/* to the proxy's process */

static void
on_signal(int sig)
{
	int saved = errno;
	char c = sig == SIGUSR1 ? PROXY_STALL : sig == SIGUSR2 ? PROXY_CUT :
	    sig == SIGCONT ? PROXY_GO : PROXY_REFUSE;
	ssize_t ignored = write(command_fd, &c, 1);
	(void)ignored;
	errno = saved;
}

static void
catch_signals(void)
{
	const int signals[] = {SIGUSR1, SIGUSR2, SIGCONT, SIGRTMIN};
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	/* One at a time: commands reach the proxy in the order of their signals. */
	for (size_t i = 0; i < COUNT(signals); i++)
		sigaddset(&act.sa_mask, signals[i]);
	for (size_t i = 0; i < COUNT(signals); i++)
		sigaction(signals[i], &act, NULL);
}

_Noreturn static void
proxy_main(int listener, int control_fd, pid_t holder)
{
	setsid();
	prctl(PR_SET_NAME, "netshape-proxy");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The kernel's default of 50 us would show in every delay. */
	prctl(PR_SET_TIMERSLACK, 1000uL);
	int null = open("/dev/null", O_RDWR);
	if (getppid() != holder || null < 0)
		_exit(ST_SYSTEM);
	/* Close the holder's files, above all its pipes. */
	dup2(control_fd, 0);
	dup2(null, 1);
	dup2(null, 2);
	dup2(listener, 3);
	kernel_call_close_from(4);
	proxy->control = 0;
	proxy->listener = 3;
	proxy_run(proxy);
	_exit(0);
}

static struct link
make_link(double mb_per_s, uint64_t random)
{
	return (struct link){.bytes_per_s = mb_per_s < 0 ? 0 : mb_per_s * 1e6, .random = random,
	    .latency_ns = (uint64_t)llround(latency_ms * 1e6),
	    .jitter_ns = (uint64_t)llround(jitter_ms * 1e6)};
}

static pid_t
xstart_proxy(void)
{
	int port, fds[2], shared = MAP_SHARED | MAP_ANONYMOUS;
	proxy = mmap(NULL, sizeof *proxy, PROT_READ | PROT_WRITE, shared, -1, 0);
	if (proxy == MAP_FAILED)
		die(ST_SYSTEM, "cannot share memory:");
	proxy->up = make_link(up, 2 * (uint64_t)seed);
	proxy->down = make_link(down, 2 * (uint64_t)seed + 1);
	int listener = proxy_listen(&port);
	if (listener < 0)
		die(ST_SYSTEM, "cannot listen on loopback:");
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0)
		die(ST_SYSTEM, "cannot create a pipe:");
	pid_t holder = getpid(), pid;
	fflush(NULL);
	if ((pid = fork()) < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (pid == 0)
		proxy_main(listener, fds[0], holder);
	hold_exempt(pid);
	close(fds[0]);
	close(listener);
	command_fd = fds[1];
	char *address = xasprintf("http://127.0.0.1:%d", port);
	char *self = xasprintf("%ld", (long)holder);
	xsetenv("NETSHAPE_PROXY", address);
	xsetenv("NETSHAPE_PID", self);
	free(address);
	free(self);
	return pid;
}

/* 0, or ST_SYSTEM if the proxy did not live until now. */
static int
end_proxy(pid_t pid)
{
	int status = 0;
	bool early = waitpid(pid, &status, WNOHANG) != 0;
	close(command_fd);
	while (!early && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	log_at(LOG_LEVEL_INFO, "%ju connections, %ju bytes down, %ju bytes up",
	    (uintmax_t)proxy->connections, (uintmax_t)proxy->down.carried_bytes,
	    (uintmax_t)proxy->up.carried_bytes);
	/* If it was just about to die when the command ended, its status shows it. */
	if (!early && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	/* It has no stderr to report this on, and exits for no other reason. */
	if (WIFEXITED(status) && WEXITSTATUS(status) == ST_SYSTEM)
		warn("the proxy ended before the command: out of memory");
	else if (WIFSIGNALED(status))
		warn("the proxy ended before the command (signal %d)", WTERMSIG(status));
	else
		warn("the proxy ended before the command (status %d)", WEXITSTATUS(status));
	return ST_SYSTEM;
}

_Noreturn static void
become_command(char **argv)
{
	unsetenv("NETSHAPE_PROXY");
	unsetenv("NETSHAPE_PID");
	execvp(argv[0], argv);
	int status = errno == ENOENT ? 127 : 126;
	warn("cannot run '%s':", argv[0]);
	exit(status);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (first >= argc)
		opt_die(&usage, "no command given");
	const double rates[] = {down, up};
	for (size_t i = 0; i < COUNT(rates); i++)
		if (rates[i] >= 0 ? rates[i] < MIN_MB_PER_S : rates[i] > -1)
			opt_die(&usage, "--%s must be -1 or at least %g, not %g", i ? "up" : "down",
			    MIN_MB_PER_S, rates[i]);
	if (down < 0 && up < 0 && latency_ms <= 0 && jitter_ms <= 0 && !control)
		become_command(argv + first);
	pid_t pid = xstart_proxy();
	catch_signals();
	int status = hold_command(argv + first, NULL), failure = end_proxy(pid);
	return failure ? failure : status;
}
