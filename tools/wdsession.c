/* wdsession: holds a browser open around a command.
 * Starts a WebDriver (or uses the one that WEBDRIVER_URL names), opens one
 * session with a fresh profile (or joins a running browser, which stays), runs the
 * command with WD_SESSION in its environment, and closes all that it opened. */
#include "browser.h"
#include "porter.h"
#include "watchdog.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

/* In TMPDIR; with a name too long for a socket Chromium waits for ever. */
#define CHROMIUM_SOCKET "/org.chromium.Chromium.XXXXXX/SingletonSocket"
enum { MOST_DIR_BYTES = sizeof ((struct sockaddr_un *)0)->sun_path - sizeof CHROMIUM_SOCKET };
/* A fresh profile is many small files that are synchronised, for one run: with them
 * in memory a browser starts an eighth of its time earlier. */
#define LEAST_PROFILE_BYTES 1073741824.0
enum { POLL_MS = 10, NEW_SESSION_MS = 60000, DELETE_MS = 5000 };

static const char *browser_name, *window, *join;
static bool show, insecure, early;
static long start_timeout_s = 30;
static json_t *browser_args;

static void
one_arg(const char *value)
{
	json_array_append_new(browser_args, json_string(value));
}

static const struct opt opts[] = {
	{'b', "browser", OPT_STRING, &browser_name, 0, 0, "NAME", "chromium (default), firefox, or a path to one; env BROWSER"},
	{'s', "show", OPT_FLAG, &show, 0, 0, NULL, "a visible window; env HEADLESS=0"},
	{'w', "window", OPT_STRING, &window, 0, 0, "WxH", "size in pixels, default 1600x1200; env WINDOW"},
	{0, "start-timeout", OPT_INT, &start_timeout_s, 1, 600, "S", "how long the driver may take to start, default 30"},
	{'j', "join", OPT_STRING, &join, 0, 0, "HOST:PORT", "a running Chromium with this debugging port; env WD_DEBUGGER"},
	{'e', "early", OPT_FLAG, &early, 0, 0, NULL, "COMMAND, which must know WD_HANDOVER as cellrun does, starts while the browser does"},
	{'k', "insecure", OPT_FLAG, &insecure, 0, 0, NULL, "the browser accepts any TLS certificate, with a warning; COMMAND does not inherit it"},
	{0, "arg", OPT_CALL, NULL, 0, 0, "ARG", "one more argument for the browser; repeatable"},
	{0},
};
static struct opt table[COUNT(opts)];
static const struct usage usage = {"wdsession", "[options] COMMAND...",
	"Opens a browser by WebDriver, runs COMMAND with WD_SESSION set, closes the browser.", table};

/* A driver prints the port that it took; 0 while it has not, -1 when it died. */
static int
port_of(const char *log, const char *found, pid_t driver)
{
	bool alive = hold_alive(driver);
	char *text = log_tail(log, 1 << 16), *at = strstr(text, found);
	int port = at ? (int)strtol(at + strlen(found), NULL, 10) : alive ? 0 : -1;
	free(text);
	return port;
}

/* Chromium makes its user's store of certificates where there is none; one that
 * is there stays in use. */
static bool
has_certificates(void)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	char *in_data = data && *data ? xasprintf("%s/pki/nssdb", data) : xasprintf("%s/.local/share/pki/nssdb", home ? home : "");
	char *in_home = xasprintf("%s/.pki/nssdb", home ? home : "");
	bool has = access(in_data, F_OK) == 0 || access(in_home, F_OK) == 0;
	free(in_data);
	free(in_home);
	return has;
}

/* The driver's base address, e.g. "http://127.0.0.1:35017". */
static char *
xstart_driver(const struct browser *b, const char *dir, pid_t *driver)
{
	char *log = xasprintf("%s/driver.log", dir);
	char *home[] = {
		xasprintf("TMPDIR=%s", dir), xasprintf("XDG_CONFIG_HOME=%s/config", dir),
		xasprintf("XDG_CACHE_HOME=%s/cache", dir),
		/* The server's secret is not the browser's business. */
		(char[]){"JUPYTERLAB_TOKEN"}, (char[]){"JUPYTERLAB_PASSWORD"}, (char[]){"JUPYTERLAB_URL"},
		(char[]){"JUPYTERLAB_USERNAME"}, put_driver_guard(dir),
		has_certificates() ? NULL : xasprintf("XDG_DATA_HOME=%s/data", dir), NULL};
	char *argv[] = {xstrdup(b->driver), (char[]){"--port=0"}, NULL};
	pid_t pid = *driver = hold_spawn(argv, home, log);
	if (pid < 0)
		die(ST_SYSTEM, "cannot start '%s' (on Debian: apt-get install %s):", b->driver,
		    strcmp(b->name, "firefox") == 0 ? "firefox-esr, and geckodriver from its makers" : "chromium chromium-driver");
	uint64_t end = now_ns() + (uint64_t)start_timeout_s * 1000000000u;
	int port;
	while ((port = port_of(log, b->found, pid)) == 0 && now_ns() < end)
		pause_ms(POLL_MS);
	if (port <= 0) {
		char *tail = log_tail(log, 300);
		die(ST_SYSTEM, "'%s' %s: %s", b->driver, port ? "ended at once" : "did not start in time", tail);
	}
	free(log);
	return xasprintf("http://127.0.0.1:%d", port);
}

static bool
is_loopback(const char *host_port)
{
	static const char *const names[] = {"127.0.0.1:", "localhost:", "[::1]:"};
	for (size_t i = 0; i < COUNT(names); i++)
		if (strncmp(host_port, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static pid_t
joined_pid(void)
{
	return is_loopback(join) ? port_pid(strtol(strrchr(join, ':') + 1, NULL, 10)) : 0;
}

static void
xread_join(const struct browser *b)
{
	if (!join)
		join = getenv("WD_DEBUGGER");
	if (!join || !*join) {
		join = NULL;
		return;
	}
	const char *colon = strrchr(join, ':');
	if (!colon || colon == join)
		die_usage(&usage, "join must be like 127.0.0.1:9222, not '%s'", join);
	xint(colon + 1, 1, 65535, "the debugging port");
	if (strcmp(b->name, "chromium") != 0)
		die_usage(&usage, "only a Chromium can be joined");
}

/* What COMMAND finds in its environment. */
static json_t *
variables(const char *session, const json_t *caps, bool local)
{
	const char *name = json_string_value(json_object_get(caps, "browserName"));
	const char *version = json_string_value(json_object_get(caps, "browserVersion"));
	char *browser = xasprintf("%s %s", name ? name : "unknown", version ? version : "unknown");
	pid_t pid = !local ? 0 : join ? joined_pid() : browser_pid(caps);
	char *pid_text = pid > 0 ? xasprintf("%ld", (long)pid) : xstrdup("");
	json_t *all = json_pack("{s:s, s:s, s:s}", "WD_SESSION", session, "WD_BROWSER_PID", pid_text, "WD_BROWSER", browser);
	/* A joined browser's window is its tabs' affair. */
	json_object_set_new(all, join ? "WD_JOINED" : "WD_WINDOW", json_string(join ? join : window));
	free(browser);
	free(pid_text);
	return all;
}

static void
xread_window(struct browser_options *o)
{
	char *x;
	if (!window)
		window = getenv("WINDOW") && *getenv("WINDOW") ? getenv("WINDOW") : "1600x1200";
	char *copy = xstrdup(window);
	if (!(x = strpbrk(copy, "xX,")))
		die_usage(&usage, "window must be like 1600x1200, not '%s'", window);
	*x = '\0';
	o->width_px = xint(copy, 100, 20000, "the window's width");
	o->height_px = xint(x + 1, 100, 20000, "the window's height");
	free(copy);
}

/* BROWSER in the environment may be a desktop's, and mean something else. */
static void
xread_browser(struct browser *b)
{
	const char *env = getenv("BROWSER");
	if (browser_name) {
		if (!browser_find(browser_name, b))
			die_usage(&usage, "browser must be a chromium or a firefox, not '%s'", browser_name);
	} else if (!env || !*env || !browser_find(env, b)) {
		browser_find("chromium", b);
	}
}

struct opening {
	const char *base;	/* the driver's address */
	const struct browser *b;
	const struct browser_options *o;
	bool local;
};

static json_t *
xopen_session(void *arg)
{
	const struct opening *in = arg;
	struct wd *w = wd_open(in->base);
	json_t *body = browser_capabilities(in->b, in->o);
	json_t *value = wd_call(w, "POST", "session", body, NEW_SESSION_MS);
	if (!value && join)
		die(ST_SYSTEM, "cannot join the browser at %s: %s", join, *w->message ? w->message : w->code);
	if (!value)
		die(ST_SYSTEM, "cannot open a session of %s: %s", in->b->name, *w->message ? w->message : w->code);
	const char *id = json_string_value(json_object_get(value, "sessionId"));
	char *session = xasprintf("%s/session/%s", in->base, id ? id : "");
	json_t *all = variables(session, json_object_get(value, "capabilities"), in->local);
	free(session);
	json_decref(value);
	json_decref(body);
	wd_close(w);
	return all;
}

static pid_t driver;
static char *dir, *profile_dir;

/* COMMAND has given the browser back, or gets none. */
static bool
end_browser(int sig)
{
	if (sig == SIGCHLD && porter_ended()) {
		hold_end(driver, 0);
		porter_close();
		hold_remove(profile_dir);
		hold_remove(dir);
	}
	return false;
}

static void
delete_session(const char *session)
{
	struct wd *w = wd_open(session);
	json_decref(wd_call(w, "DELETE", "", NULL, DELETE_MS));
	wd_close(w);
}

/* A Grid's browser would stay for minutes. */
static void
end_session(int fd, void *session)
{
	char done;
	while (read(fd, &done, 1) < 0 && errno == EINTR)
		continue;
	delete_session(session);
}

static int
run_early(char *const command[], struct opening *how)
{
	porter_start(xopen_session, how);
	int status = hold_command_tended(command, end_browser);
	porter_close();
	hold_end(driver, 0);
	return status;
}

static int
run(char *const command[], struct opening *how)
{
	json_t *all = xopen_session(how);
	char *session = xstrdup(json_string_value(json_object_get(all, "WD_SESSION")));
	xsetenv_all(all);
	json_decref(all);
	pid_t guard = 0;
	int guard_fd = how->local ? -1 : watchdog(end_session, session, &guard);
	hold_spare(guard);
	int status = hold_command(command);
	if (guard_fd >= 0)
		watchdog_end(guard_fd, guard, 0);
	else if (join || !how->local)
		delete_session(session);
	/* Its profile goes too: nothing to save, so no time to give. */
	if (how->local)
		hold_end(driver, 0);
	free(session);
	return status;
}

int
main(int argc, char **argv)
{
	void (*call)(const char *) = one_arg;
	memcpy(table, opts, sizeof table);
	memcpy(&table[COUNT(table) - 2].to, &call, sizeof call);
	browser_args = json_array();
	int first = options(argc, argv, &usage);
	if (first >= argc)
		die_usage(&usage, "no command given");
	struct browser b;
	const char *headless = getenv("HEADLESS"), *remote = getenv("WEBDRIVER_URL");
	const char *proxy = getenv("NETSHAPE_PROXY");
	struct browser_options o = {.insecure = insecure, .headless = !show && !(headless && strcmp(headless, "0") == 0),
	    .proxy = proxy && *proxy ? proxy : NULL, .args = browser_args};
	xread_browser(&b);
	xread_window(&o);
	xread_join(&b);
	o.join = join;
	if (insecure && join)
		die_usage(&usage, "--insecure is for a browser of its own: one that is joined decides by itself");
	if (insecure)
		warn("the browser checks no certificate (--insecure)");
	bool local = !remote || !*remote;
	char *base;
	if (local) {
		dir = xstrdup(xhold_plain_tempdir("nbscope-browser", MOST_DIR_BYTES));
		profile_dir = xhold_memory_tempdir("nbscope-profile", LEAST_PROFILE_BYTES);
		profile_dir = profile_dir ? xstrdup(profile_dir) : dir;
		o.profile = xasprintf("%s/profile", profile_dir);
		base = xstart_driver(&b, dir, &driver);
	} else {
		base = xstrdup(remote);
		while (*base && base[strlen(base) - 1] == '/')
			base[strlen(base) - 1] = '\0';
	}
	static const char *const others[] = {"WD_SESSION", "WD_BROWSER_PID", "WD_BROWSER", "WD_WINDOW", "WD_JOINED", "WD_HANDOVER"};
	for (size_t i = 0; i < COUNT(others); i++)
		unsetenv(others[i]);
	struct opening how = {base, &b, &o, local};
	int status = early && local && !join ? run_early(argv + first, &how) : run(argv + first, &how);
	hold_release();
	return status;
}
