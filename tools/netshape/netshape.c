/* netshape: holds a slow, shaky or broken link around a command.
 * The link is an HTTP proxy on loopback, named in NETSHAPE_PROXY: a browser's
 * own throttling does not reach its WebSockets, a proxy's reaches all.  Where
 * nothing of it is asked for, there is no proxy and no netshape: just COMMAND. */
#include "proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static double down = -1, up = -1, latency_ms, jitter_ms;
static long seed = 1;
static bool control;

#define MOST_MB_PER_S 1e6
#define LEAST_MB_PER_S 1e-3
#define MOST_MS 60000

static const struct opt opts[] = {
	{'d', "down", OPT_REAL, &down, -1, MOST_MB_PER_S, "MB_PER_S", "rate to the client, 10^6 bytes a second; -1 unlimited"},
	{'u', "up", OPT_REAL, &up, -1, MOST_MB_PER_S, "MB_PER_S", "rate from the client; -1 unlimited"},
	{'l', "latency", OPT_REAL, &latency_ms, 0, MOST_MS, "MS", "one way: a round trip takes twice that"},
	{'j', "jitter", OPT_REAL, &jitter_ms, 0, MOST_MS, "MS", "up to so much more, evenly drawn, order kept"},
	{'s', "seed", OPT_INT, &seed, 0, 2147483647, "N", "of the jitter's draws, default 1"},
	{'c', "control", OPT_FLAG, &control, 0, 0, NULL, "a link without limits that signals can cut, stall, refuse"},
	{0},
};
static const struct usage usage = {"netshape", "[options] COMMAND...",
	"Runs COMMAND with NETSHAPE_PROXY naming an HTTP proxy behind a link of a given rate and delay.", opts};

static struct proxy proxy;
static int commands = -1;	/* to the proxy's process */

static void
on_signal(int sig)
{
	int saved = errno;
	char c = sig == SIGUSR1 ? PROXY_STALL : sig == SIGUSR2 ? PROXY_CUT : sig == SIGCONT ? PROXY_GO : PROXY_REFUSE;
	ssize_t ignored = write(commands, &c, 1);
	(void)ignored;
	errno = saved;
}

static void
listen_to_signals(void)
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
proxy_main(int control_fd, pid_t holder)
{
	setsid();
	prctl(PR_SET_NAME, "netshape-proxy");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The kernel's default of 50 us would show in every delay. */
	prctl(PR_SET_TIMERSLACK, 1000uL);
	/* Resolvers are not waited for. */
	signal(SIGCHLD, SIG_IGN);
	int null = open("/dev/null", O_RDWR);
	if (getppid() != holder || null < 0)
		_exit(ST_SYSTEM);
	/* Nothing of the holder's is kept open, least of all its pipes. */
	dup2(control_fd, 0);
	dup2(null, 1);
	dup2(null, 2);
	dup2(proxy.listener, 3);
	close_range(4, ~0u, 0);
	proxy.control = 0;
	proxy.listener = 3;
	proxy_run(&proxy);
	_exit(0);
}

static struct link
make_link(double mb_per_s, uint64_t random)
{
	return (struct link){.bytes_per_s = mb_per_s < 0 ? 0 : mb_per_s * 1e6, .random = random,
	    .latency_ns = (uint64_t)llround(latency_ms * 1e6), .jitter_ns = (uint64_t)llround(jitter_ms * 1e6)};
}

static pid_t
xstart_proxy(void)
{
	int port, fds[2];
	proxy.up = make_link(up, 2 * (uint64_t)seed);
	proxy.down = make_link(down, 2 * (uint64_t)seed + 1);
	proxy.traffic = mmap(NULL, sizeof *proxy.traffic, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (proxy.traffic == MAP_FAILED)
		die(ST_SYSTEM, "cannot share memory:");
	if ((proxy.listener = proxy_listen(&port)) < 0)
		die(ST_SYSTEM, "cannot listen on loopback:");
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0)
		die(ST_SYSTEM, "cannot make a pipe:");
	pid_t holder = getpid(), pid;
	fflush(NULL);
	if ((pid = fork()) < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (pid == 0)
		proxy_main(fds[0], holder);
	hold_spare(pid);
	close(fds[0]);
	close(proxy.listener);
	commands = fds[1];
	char *address = xasprintf("http://127.0.0.1:%d", port), *self = xasprintf("%ld", (long)holder);
	xsetenv("NETSHAPE_PROXY", address);
	xsetenv("NETSHAPE_PID", self);
	free(address);
	free(self);
	return pid;
}

/* 0, or ST_SYSTEM when the proxy had not lived until now. */
static int
end_proxy(pid_t pid)
{
	int status = 0;
	bool early = waitpid(pid, &status, WNOHANG) != 0;
	close(commands);
	while (!early && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	logline(LV_INFO, "%llu connections, %llu bytes down, %llu bytes up",
	    (unsigned long long)proxy.traffic->connections,
	    (unsigned long long)proxy.traffic->down_bytes, (unsigned long long)proxy.traffic->up_bytes);
	/* It may have been about to die when the command, which it failed, had ended. */
	if (!early && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	/* It has no file to say it to, and dies of nothing else. */
	if (WIFEXITED(status) && WEXITSTATUS(status) == ST_SYSTEM)
		warn("the proxy ended before the command: out of memory");
	else
		warn("the proxy ended before the command (%s %d)", WIFSIGNALED(status) ? "signal" : "status",
		    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return ST_SYSTEM;
}

_Noreturn static void
become(char **argv)
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
	int first = options(argc, argv, &usage);
	if (first >= argc)
		die_usage(&usage, "no command given");
	const double rates[] = {down, up};
	for (size_t i = 0; i < COUNT(rates); i++)
		if (rates[i] >= 0 ? rates[i] < LEAST_MB_PER_S : rates[i] > -1)
			die_usage(&usage, "--%s must be -1 or at least %g, not %g", i ? "up" : "down", LEAST_MB_PER_S, rates[i]);
	if (down < 0 && up < 0 && latency_ms <= 0 && jitter_ms <= 0 && !control)
		become(argv + first);
	pid_t pid = xstart_proxy();
	listen_to_signals();
	int status = hold_command(argv + first), trouble = end_proxy(pid);
	return trouble ? trouble : status;
}
