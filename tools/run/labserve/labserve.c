/* labserve: runs a command with a Jupyter server.
 * Starts a JupyterLab with fresh folders and a fresh token, or checks the server that
 * JUPYTERLAB_URL names, runs COMMAND with the address and the token in its environment, and
 * leaves no process and no file behind. */
#include "base/clock.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/random_hex.h"
#include "base/str.h"
#include "json/json_value.h"
#include "jupyter/dotenv.h"
#include "jupyter/lab.h"
#include "net/free_port.h"
#include "process/hold.h"
#include "process/hold_command.h"
#include "pyenv.h"
#include "server_address.h"
#include "server_store.h"

#include <signal.h>
#include <unistd.h>

enum {
	TOKEN_DIGITS = 48, ANSWER_MS = 5000, LOG_TAIL_BYTES = 600, MAX_TRIES = 3,
	LAST_GRACE_MS = 1000, MAX_RESTARTS = 50, RETRY_MS = 300,
};

static const char *venv, *host;
static long start_timeout_s = 60;
static double kernel_memory_mb;
static const char *kernel_prefix;

static const struct opt opts[] = {
	{0, "venv", OPT_STRING, &venv, 0, 0, "PATH",
	    "profile this Python environment, unchanged; env VENV"},
	{0, "insecure", OPT_FLAG, &lab_insecure, 0, 0, NULL,
	    "accept any TLS certificate, with a warning; not inherited by COMMAND"},
	{0, "kernel-memory", OPT_REAL, &kernel_memory_mb, 16, 1e9, "MB",
	    "kill a kernel that uses more than this, in 10^6 bytes; env KERNEL_MEMORY"},
	{0, "kernel-prefix", OPT_STRING, &kernel_prefix, 0, 0, "COMMAND",
	    "start each kernel under this command; env KERNEL_PREFIX"},
	{0, "host", OPT_STRING, &host, 0, 0, "HOST",
	    "listen at this address or name of this machine, with TLS; env LAB_HOST"},
	{0, "start-timeout", OPT_INT, &start_timeout_s, 1, 3600, "S",
	    "how long JupyterLab may take to start; default 60"},
	{0},
};
static const struct opt_usage usage = {"labserve", "[options] COMMAND...",
	"Starts a JupyterLab (or checks that of JUPYTERLAB_URL), runs COMMAND with it, ends it.",
	opts};

/* ---- nbscope's own server --------------------------------------------------------------- */

static struct server {
	const char *dir;	/* the held folder of all its files */
	struct pyenv py;
	struct server_address address;
	int port;
	char token[TOKEN_DIGITS + 1];
	char *log, *serve, *settings;	/* files */
	pid_t pid;
	int restarts;
} own;

static uint64_t
start_deadline_ns(void)
{
	return clock_monotonic_ns() + (uint64_t)start_timeout_s * 1000000000u;
}

/* The driver of a run names the path for {run} in a file of this one (server/kernel_prefix.h). */
static void
set_prefix(const struct server *s, json_t *settings)
{
	char *folder = getcwd(NULL, 0), *files = xasprintf("%s/kernel-files", s->dir);
	if (kernel_prefix) {
		xsetenv("LABSERVE_KERNEL_PREFIX", kernel_prefix);
		xsetenv("LABSERVE_KERNEL_FILES", files);
	}
	json_object_set_new(settings, "kernel_prefix", json_value_text(kernel_prefix));
	json_object_set_new(settings, "kernel_files", json_string(files));
	json_object_set_new(settings, "run_folder", json_string(folder ? folder : "/"));
	free(folder);
	free(files);
}

/* The token is passed in this file, mode 600: argument lists are public, and every kernel
 * inherits the server's environment. */
static void
xwrite_settings(struct server *s)
{
	xrandom_hex(s->token, TOKEN_DIGITS);
	s->port = xfree_port();
	json_t *all = json_pack("{s:s, s:i, s:s, s:b, s:O, s:I}", "token", s->token,
	    "port", s->port, "environment", s->py.dir, "borrowed", s->py.borrowed,
	    "data", s->py.data, "kernel_memory_bytes", (json_int_t)(kernel_memory_mb * 1e6));
	set_prefix(s, all);
	server_address_describe(&s->address, all);
	char *text = json_dumps(all, JSON_COMPACT);
	free(s->settings);
	s->settings = xhold_put_file(s->dir, "settings.json", text, strlen(text));
	json_decref(all);
	free(text);
}

static void
xstart_server(struct server *s)
{
	static char *const removed[] = {"PYTHONHOME", "JUPYTER_TOKEN", "JUPYTER_TOKEN_FILE",
	    "JUPYTERLAB_TOKEN", "JUPYTERLAB_USERNAME", "JUPYTERLAB_PASSWORD", "WEBDRIVER_URL",
	    "WD_SESSION", NULL};
	char *argv[] = {s->py.lab_python, s->serve, s->py.own ? "own" : "env", s->settings, NULL};
	s->pid = hold_spawn(argv, removed, s->log);
	if (s->pid < 0)
		die(ST_SYSTEM, "cannot start '%s':", s->py.lab_python);
}

static bool
answers(const struct server *s)
{
	struct http_reply r;
	struct http *h = http_open();
	char *base = server_address_url(&s->address, s->port);
	char *url = xasprintf("%sapi/status", base);
	char *value = xasprintf("token %s", s->token);
	http_header(h, "Authorization", value);
	http_trust(h, s->address.certificate);
	http_call(h, &(struct http_request){.method = "GET", .url = url,
	    .timeout_ms = ANSWER_MS}, &r);
	bool good = r.status == 200;
	http_reply_free(&r);
	http_close(h);
	free(value);
	free(url);
	free(base);
	return good;
}

/* False if it ended, or when the time is over. */
static bool
wait_ready(const struct server *s, uint64_t end_ns)
{
	long ms = 10;
	while (!answers(s)) {
		if (!hold_alive(s->pid) || clock_monotonic_ns() >= end_ns || hold_stop_requested())
			return false;
		clock_pause_ms(ms);
		ms += ms < 50 ? 10 : 0;
	}
	return hold_alive(s->pid);
}

static void
xserve_own(struct server *s)
{
	uint64_t start_ns = clock_monotonic_ns(), end_ns = start_deadline_ns();
	s->dir = xhold_tempdir("nbscope-lab");
	s->log = xasprintf("%s/server.log", s->dir);
	xpyenv_find(&s->py, venv, s->dir, end_ns);
	s->serve = xpyenv_put_files(s->dir);
	xserver_address_secure(&s->address, s->dir);
	for (int tries = 1; ; tries++) {
		xwrite_settings(s);
		xstart_server(s);
		if (wait_ready(s, end_ns))
			break;
		bool alive = hold_alive(s->pid);
		char *tail = hold_log_tail(s->log, LOG_TAIL_BYTES);
		/* Another process may have bound the port since xfree_port(). */
		if (alive || tries == MAX_TRIES || !strstr(tail, "is not available"))
			die(ST_SYSTEM, "JupyterLab of '%s' %s: %s", s->py.dir,
			    alive ? "did not start in time" : "ended at once", tail);
		hold_end(s->pid, 0);
		free(tail);
	}
	char *url = server_address_url(&s->address, s->port);
	server_address_warn(url);
	xsetenv("JUPYTERLAB_URL", url);
	xsetenv("LABSERVE_URL", url);
	xsetenv("JUPYTERLAB_TOKEN", s->token);
	char *caches = xasprintf("%s/caches", s->dir);
	xsetenv("LABSERVE_CACHES", caches);
	free(caches);
	log_at(LOG_LEVEL_INFO, "JupyterLab of '%s' answers at '%s' after %.1f s", s->py.dir, url,
	    (double)(clock_monotonic_ns() - start_ns) / 1e9);
	free(url);
}

/* A server that ended, or that does not answer when cellrun reports it, is restarted with the
 * same address and token, for the next notebook. Its kernels are lost. */
static bool
on_own_event(int sig)
{
	if (sig == SIGTERM) {
		hold_end(own.pid, 0);
		return false;
	}
	bool alive = hold_alive(own.pid);
	if ((alive && (sig != SIGUSR1 || answers(&own))) || own.restarts == MAX_RESTARTS)
		return false;
	own.restarts++;
	char *tail = hold_log_tail(own.log, LOG_TAIL_BYTES);
	warn("JupyterLab %s; restarted", alive ? "does not answer" : "ended before the command");
	log_at(LOG_LEVEL_INFO, "the end of its log: %s", tail);
	free(tail);
	hold_end(own.pid, 0);
	xstart_server(&own);
	if (!wait_ready(&own, start_deadline_ns()) && !hold_stop_requested())
		warn("JupyterLab of '%s' did not restart", own.py.dir);
	return false;
}

/* ---- the user's server ------------------------------------------------------------------ */

static bool users_server_lost;

/* nbscope can only wait for it. */
static bool
on_users_event(int sig)
{
	char error[512];
	uint64_t end_ns = start_deadline_ns();
	struct lab *l = NULL;
	if (sig != SIGUSR1)
		return users_server_lost;
	while (!(l = lab_open(error)) && clock_monotonic_ns() < end_ns && !hold_stop_requested())
		clock_pause_ms(RETRY_MS);
	if (!l && !hold_stop_requested()) {
		warn("the server did not come back within %ld s: %s", start_timeout_s, error);
		users_server_lost = true;
	}
	lab_close(l);
	return users_server_lost;
}

/* CLEAR_SESSIONS=1: nothing else shall use the server's processors. */
static void
end_sessions(struct lab *l)
{
	json_t *all = lab_call(l, "GET", "api/sessions", NULL, NULL), *session;
	size_t i;
	json_array_foreach(all, i, session) {
		const char *id = json_string_value(json_object_get(session, "id"));
		char *path = xasprintf("api/sessions/%s", id ? id : "");
		json_decref(lab_call(l, "DELETE", path, NULL, NULL));
		free(path);
	}
	if (i)
		warn("ended %zu sessions of '%s' (CLEAR_SESSIONS=1)", i, l->url);
	json_decref(all);
}

/* Runs before any browser starts, since every notebook would fail. */
static void
xcheck_server(bool is_own)
{
	char error[512];
	const char *kernel = getenv("KERNEL"), *clear = getenv("CLEAR_SESSIONS");
	bool needs_kernel = kernel && *kernel;
	if (is_own && !needs_kernel)
		return;
	struct lab *l = lab_open(error);
	if (!l)
		die(ST_SYSTEM, "%s", error);
	log_at(LOG_LEVEL_INFO, "using '%s': jupyter_server %s, JupyterLab %s", l->url, l->version,
	    l->lab_version ? l->lab_version : "unknown");
	if (!is_own && clear && strcmp(clear, "1") == 0)
		end_sessions(l);
	if (needs_kernel && !lab_has_kernel(l, kernel))
		die(ST_SYSTEM, "KERNEL: %s", l->error);
	if (!is_own)
		xserver_store_watch(l);
	lab_close(l);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (first >= argc)
		opt_die(&usage, "no command given");
	if (!venv && getenv("VENV") && *getenv("VENV"))
		venv = getenv("VENV");
	own.address.host = host ? host : str_nonempty(getenv("LAB_HOST"));
	if (own.address.host && !server_address_is_usable(own.address.host))
		opt_die(&usage, "--host must be an address or a name of this machine by which a "
		    "browser can reach it, not '%s'", own.address.host);
	const char *memory = getenv("KERNEL_MEMORY");
	if (!kernel_memory_mb && memory && *memory)
		kernel_memory_mb = xopt_real(memory, 16, 1e9, "KERNEL_MEMORY");
	if (!kernel_prefix)
		kernel_prefix = str_nonempty(getenv("KERNEL_PREFIX"));
	xdotenv_load(".env");
	const char *url = getenv("JUPYTERLAB_URL");
	bool is_own = !url || !*url;
	if (kernel_prefix && !is_own)
		opt_die(&usage, "KERNEL_PREFIX: only kernels of nbscope's own JupyterLab can be "
		    "started under a command, and JUPYTERLAB_URL is set");
	if (is_own)
		xserve_own(&own);
	xserver_store_name();
	xcheck_server(is_own);
	char *self = xasprintf("%ld", (long)getpid());
	xsetenv("LABSERVE_PID", self);
	free(self);
	int status = hold_command(argv + first, is_own ? on_own_event : on_users_event);
	if (is_own)
		hold_end(own.pid, LAST_GRACE_MS);
	server_store_end();
	hold_release();
	return users_server_lost ? ST_SYSTEM : status;
}
