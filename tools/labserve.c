/* labserve: holds a JupyterLab around a command.
 * Starts one of its own with fresh folders and a fresh token, or checks the one
 * that JUPYTERLAB_URL names, runs the command with the address and the token in
 * its environment, and leaves no process and no file. */
#include "nbscope.h"
#include "pyenv.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOKEN_DIGITS = 48, ANSWER_MS = 5000, LOG_TAIL_BYTES = 600, MOST_TRIES = 3, LAST_GRACE_MS = 1000, MOST_RESTARTS = 50, BACK_MS = 300 };

static const char *venv;
static long start_timeout_s = 60;
static double kernel_memory_mb;

static const struct opt opts[] = {
	{'e', "venv", OPT_STRING, &venv, 0, 0, "PATH", "profile this Python environment, unchanged; env VENV"},
	{'k', "insecure", OPT_FLAG, &lab_insecure, 0, 0, NULL, "accept any TLS certificate, with a warning; COMMAND does not inherit it"},
	{0, "kernel-memory", OPT_REAL, &kernel_memory_mb, 16, 1e9, "MB", "a kernel that takes more than so many 10^6 bytes is killed; env KERNEL_MEMORY"},
	{0, "start-timeout", OPT_INT, &start_timeout_s, 1, 3600, "S", "bound of JupyterLab's start, default 60"},
	{0},
};
static const struct usage usage = {"labserve", "[options] COMMAND...",
	"Starts a JupyterLab (or checks that of JUPYTERLAB_URL), runs COMMAND with it, closes it.", opts};

struct server {
	const char *dir;	/* the held folder of all its files */
	struct pyenv py;
	int port;
	char token[TOKEN_DIGITS + 1];
	char *log;
	char *serve, *settings;	/* files */
	pid_t pid;
	int restarts;
};
static struct server own_server;	/* its address for tend() */

static char *
xsubdir(const struct server *s, const char *name)
{
	char *path = xasprintf("%s/%s", s->dir, name);
	if (make_dirs(path) != 0)
		die(ST_SYSTEM, "cannot make '%s':", path);
	return path;
}

static void
set_trait(json_t *settings, const char *class, const char *trait, json_t *value)
{
	json_t *traits = json_object_get(settings, class);
	if (!traits) {
		traits = json_object();
		json_object_set_new(settings, class, traits);
	}
	json_object_set_new(traits, trait, value);
}

/* JupyterLab takes extensions of the profiled environment alone. */
static json_t *
extension_folders(const json_t *data)
{
	json_t *folders = json_array(), *folder;
	size_t i;
	json_array_foreach(data, i, folder)
		json_array_append_new(folders, json_sprintf("%s/labextensions", json_string_value(folder)));
	return folders;
}

/* The token goes by this file, mode 600: an argument list is for all to read,
 * and every kernel inherits the server's environment. */
static char *
xwrite_settings(struct server *s)
{
	json_t *all = json_loads(lab_server_json, 0, NULL);
	char *app = xsubdir(s, "app"), *root = xsubdir(s, "root");
	xrandom_hex(s->token, TOKEN_DIGITS);
	s->port = free_port();
	set_trait(all, "IdentityProvider", "token", json_string(s->token));
	set_trait(all, "ServerApp", "port", json_integer(s->port));
	set_trait(all, "ServerApp", "root_dir", json_string(root));
	set_trait(all, "NotebookNotary", "secret_file", json_sprintf("%s/notebook_secret", s->dir));
	set_trait(all, "LabApp", "app_settings_dir", json_string(app));
	set_trait(all, "LabApp", "labextensions_path", extension_folders(s->py.data));
	if (s->py.borrowed)
		json_object_set_new(all, "kernel_python", json_sprintf("%s/bin/python", s->py.dir));
	if (kernel_memory_mb > 0)
		json_object_set_new(all, "kernel_memory_bytes", json_integer((json_int_t)(kernel_memory_mb * 1e6)));
	char *text = json_text(all);
	mode_t before = umask(077);
	char *path = xput_file(s->dir, "settings.json", text);
	free(xput_file(app, "overrides.json", lab_overrides_json));
	umask(before);
	json_decref(all);
	free(text);
	free(app);
	free(root);
	return path;
}

/* The environment's JupyterLab belongs to another: its kernel gets a
 * kernelspec that comes before all others of that name. */
static void
xwrite_kernelspec(const struct server *s)
{
	char *dir = xsubdir(s, "data/kernels/python3");
	json_t *python = json_sprintf("%s/bin/python", s->py.dir);
	json_t *spec = json_pack("{s:[o, s, s, s, s], s:s, s:s, s:{s:b}}", "argv", python, "-m", "ipykernel_launcher",
	    "-f", "{connection_file}", "display_name", "Python 3 (ipykernel)", "language", "python", "metadata", "debugger", 1);
	char *text = json_text(spec);
	free(xput_file(dir, "kernel.json", text));
	json_decref(spec);
	free(text);
	free(dir);
}

/* "JUPYTER_PATH=...": the profiled environment's kernelspecs win over the
 * user's, which stay usable. */
static char *
data_path(const struct server *s)
{
	struct buf b = {0};
	const char *theirs = getenv("JUPYTER_PATH");
	json_t *folder;
	size_t i;
	buf_addf(&b, "JUPYTER_PATH=%s/data", s->dir);
	json_array_foreach(s->py.data, i, folder)
		buf_addf(&b, ":%s", json_string_value(folder));
	if (theirs && *theirs)
		buf_addf(&b, ":%s", theirs);
	return b.p;
}

/* As `activate` would set it, and no setting of the user's own. */
static void
xstart(struct server *s)
{
	static char *const no_more[] = {"JUPYTER_NO_CONFIG", "JUPYTER_CONFIG_PATH", "JUPYTERLAB_DIR", "JUPYTER_TOKEN",
		"JUPYTER_TOKEN_FILE", "JUPYTERLAB_TOKEN", "JUPYTERLAB_USERNAME", "JUPYTERLAB_PASSWORD", "PYTHONHOME",
		"JUPYTER_GATEWAY_URL", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"};
	const char *path = getenv("PATH");
	char *set[] = {
		xasprintf("JUPYTER_CONFIG_DIR=%s", xsubdir(s, "config")),
		xasprintf("JUPYTER_RUNTIME_DIR=%s", xsubdir(s, "runtime")),
		xasprintf("JUPYTERLAB_SETTINGS_DIR=%s", xsubdir(s, "user-settings")),
		xasprintf("JUPYTERLAB_WORKSPACES_DIR=%s", xsubdir(s, "workspaces")),
		xasprintf("IPYTHONDIR=%s", xsubdir(s, "ipython")),
		data_path(s),
		xasprintf("PATH=%s/bin:%s", s->py.dir, path ? path : "/usr/bin:/bin"),
		xasprintf("VIRTUAL_ENV=%s", s->py.dir),
	};
	char *env[COUNT(set) + COUNT(no_more) + 1] = {0};
	memcpy(env, set, sizeof set);
	memcpy(env + COUNT(set), no_more, sizeof no_more);
	char *argv[] = {s->py.lab_python, s->serve, s->py.own ? "own" : "env", s->settings, NULL};
	s->pid = hold_spawn(argv, env, s->log);
	if (s->pid < 0)
		die(ST_SYSTEM, "cannot start '%s':", s->py.lab_python);
}

static bool
answers(struct http *h, const struct server *s)
{
	struct reply r;
	char *url = xasprintf("http://127.0.0.1:%d/api/status", s->port);
	http_call(h, &(struct request){.method = "GET", .url = url, .timeout_ms = ANSWER_MS}, &r);
	bool up = r.status == 200;
	reply_free(&r);
	free(url);
	return up;
}

/* Who has no token is refused by a server that is well. */
static struct http *
open_own(const struct server *s)
{
	struct http *h = http_open();
	char *value = xasprintf("token %s", s->token);
	http_header(h, "Authorization", value);
	free(value);
	return h;
}

/* False when it ended, or when the time is over. */
static bool
wait_ready(const struct server *s, uint64_t end_ns)
{
	struct http *h = open_own(s);
	bool up, alive = true;
	for (long ms = 10; !(up = answers(h, s)) && (alive = hold_alive(s->pid)) && now_ns() < end_ns && !hold_told(); ms += ms < 50 ? 10 : 0)
		pause_ms(ms);
	http_close(h);
	return up && alive;
}

static void
xserve_own(struct server *s)
{
	uint64_t start = now_ns(), end = start + (uint64_t)start_timeout_s * 1000000000u;
	s->dir = xhold_tempdir("nbscope-lab");
	s->log = xasprintf("%s/server.log", s->dir);
	xfind_pyenv(&s->py, venv, s->dir, end);
	if (s->py.borrowed)
		xwrite_kernelspec(s);
	s->serve = xput_file(s->dir, "serve.py", lab_serve_py);
	free(xput_file(s->dir, "nbscope_kernels.py", lab_kernels_py));
	for (int tries = 1; ; tries++) {
		s->settings = xwrite_settings(s);
		xstart(s);
		if (wait_ready(s, end))
			break;
		bool alive = hold_alive(s->pid);
		char *tail = log_tail(s->log, LOG_TAIL_BYTES);
		/* Somebody took the port between free_port and the server. */
		if (alive || tries == MOST_TRIES || !strstr(tail, "is not available"))
			die(ST_SYSTEM, "JupyterLab of '%s' %s: %s", s->py.dir, alive ? "did not start in time" : "ended at once", tail);
		hold_end(s->pid, 0);
		free(tail);
	}
	char *url = xasprintf("http://127.0.0.1:%d/", s->port);
	xsetenv("JUPYTERLAB_URL", url);
	xsetenv("LABSERVE_URL", url);
	xsetenv("JUPYTERLAB_TOKEN", s->token);
	logline(LV_INFO, "JupyterLab of '%s' is up at '%s' after %.1f s", s->py.dir, url, (double)(now_ns() - start) / 1e9);
	free(url);
}

/* A server that ended, or that does not answer when somebody says so, is started
 * again where it was: the next notebook finds it there.  Its kernels are lost. */
static bool
tend(int sig)
{
	struct server *s = &own_server;
	if (sig == SIGTERM) {
		hold_end(s->pid, 0);
		return false;
	}
	bool alive = hold_alive(s->pid);
	struct http *h = alive && sig == SIGUSR1 ? open_own(s) : NULL;
	bool well = alive && (!h || answers(h, s));
	http_close(h);
	if (well || s->restarts == MOST_RESTARTS)
		return false;
	s->restarts++;
	char *tail = log_tail(s->log, LOG_TAIL_BYTES);
	warn("JupyterLab %s; started again", alive ? "does not answer" : "ended before the command");
	logline(LV_INFO, "its last words: %s", tail);
	free(tail);
	hold_end(s->pid, 0);
	xstart(s);
	if (!wait_ready(s, now_ns() + (uint64_t)start_timeout_s * 1000000000u) && !hold_told())
		warn("JupyterLab of '%s' did not come back", s->py.dir);
	return false;
}

static bool server_gone;

/* The user's server: all that can be done is to wait for it. */
static bool
tend_theirs(int sig)
{
	char error[512];
	uint64_t end = now_ns() + (uint64_t)start_timeout_s * 1000000000u;
	struct lab *l = NULL;
	while (sig == SIGUSR1 && !(l = lab_open(error)) && now_ns() < end && !hold_told())
		pause_ms(BACK_MS);
	if (sig == SIGUSR1 && !l && !hold_told()) {
		warn("the server did not come back within %ld s: %s", start_timeout_s, error);
		server_gone = true;
	}
	lab_close(l);
	return server_gone;
}

/* CLEAR_SESSIONS=1: the user asks that nothing else computes there. */
static void
clear_sessions(struct lab *l)
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
		warn("ended %zu sessions of '%s', as CLEAR_SESSIONS asks", i, l->url);
	json_decref(all);
}

static struct lab *
xlab_open(void)
{
	char error[512];
	struct lab *l = lab_open(error);
	if (!l)
		die(ST_SYSTEM, "%s", error);
	return l;
}

static void
xuse_theirs(void)
{
	struct lab *l = xlab_open();
	logline(LV_INFO, "using '%s': jupyter_server %s, JupyterLab %s", l->url, l->version, l->lab_version ? l->lab_version : "unknown");
	const char *clear = getenv("CLEAR_SESSIONS");
	if (clear && strcmp(clear, "1") == 0)
		clear_sessions(l);
	lab_close(l);
}

/* Before any browser starts: every notebook would fail. */
static void
xcheck_kernel(void)
{
	const char *kernel = getenv("KERNEL");
	if (!kernel || !*kernel)
		return;
	struct lab *l = xlab_open();
	if (!lab_has_kernel(l, kernel))
		die(ST_SYSTEM, "KERNEL: %s", l->error);
	lab_close(l);
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	if (first >= argc)
		die_usage(&usage, "no command given");
	if (!venv && getenv("VENV") && *getenv("VENV"))
		venv = getenv("VENV");
	const char *memory = getenv("KERNEL_MEMORY");
	if (!kernel_memory_mb && memory && *memory)
		kernel_memory_mb = xreal(memory, 16, 1e9, "KERNEL_MEMORY");
	xload_dotenv(".env");
	const char *theirs = getenv("JUPYTERLAB_URL");
	bool own = !theirs || !*theirs;
	char *self = xasprintf("%ld", (long)getpid());
	if (own)
		xserve_own(&own_server);
	else
		xuse_theirs();
	xcheck_kernel();
	xsetenv("LABSERVE_PID", self);
	int status = hold_command_tended(argv + first, own ? tend : tend_theirs);
	if (own)
		hold_end(own_server.pid, LAST_GRACE_MS);
	free(self);
	hold_release();
	return server_gone ? ST_SYSTEM : status;
}
