/* wdsession: runs a command with a browser.
 * Starts a WebDriver (or uses the one at WEBDRIVER_URL), opens one session with a fresh
 * profile (or joins a running browser, which stays), runs COMMAND with WD_SESSION in its
 * environment, and closes everything that it opened. */
#include "base/die.h"
#include "base/folder.h"
#include "base/opt.h"
#include "base/str.h"
#include "browser.h"
#include "browser/session_variables.h"
#include "browser/wd.h"
#include "browser_caches.h"
#include "local_driver.h"
#include "net/certificate.h"
#include "net/url.h"
#include "process/hold.h"
#include "process/hold_command.h"
#include "remote_driver.h"
#include "session_offer.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum { NEW_SESSION_MS = 60000, DELETE_MS = 5000, START_S = 30 };
/* A request waits in the queue of a Selenium Grid for 300 s at most. If we gave up before that,
 * the Grid would open a browser for nobody. */
enum { QUEUE_S = 330, MAX_QUEUED = 250 };

static const char *browser_name, *window, *join, *caches, *save_caches;
static bool show, insecure, early, keep;
static long start_timeout_s;
static json_t *browser_args;

static void
on_arg(const char *value)
{
	json_array_append_new(browser_args, json_string(value));
}

static const struct opt opts[] = {
	{0, "browser", OPT_STRING, &browser_name, 0, 0, "NAME",
	    "chromium (default), firefox, or the path of one; env BROWSER"},
	{0, "show", OPT_FLAG, &show, 0, 0, NULL, "open a visible window; env HEADLESS=0"},
	{0, "window", OPT_STRING, &window, 0, 0, "WxH",
	    "size in pixels; default 1600x1200; env WINDOW"},
	{0, "start-timeout", OPT_INT, &start_timeout_s, 1, 86400, "S",
	    "how long the driver may take to start, default 30, or WEBDRIVER_URL to open a "
	    "session, default 330"},
	{0, "join", OPT_STRING, &join, 0, 0, "HOST:PORT",
	    "use the running Chromium with this debugging port; env WD_DEBUGGER"},
	{0, "early", OPT_FLAG, &early, 0, 0, NULL,
	    "start COMMAND, which must support WD_HANDOVER like cellrun, before the browser"},
	{0, "keep", OPT_FLAG, &keep, 0, 0, NULL,
	    "keep a browser for all programs in COMMAND that claim one, like cellrun --reuse"},
	{0, "caches", OPT_STRING, &caches, 0, 0, "FOLDER",
	    "begin with the caches that --save-caches saved; env LABSERVE_CACHES, if it exists"},
	{0, "save-caches", OPT_STRING, &save_caches, 0, 0, "FOLDER",
	    "if COMMAND succeeds, save what Chromium has cached in a new FOLDER"},
	{0, "insecure", OPT_FLAG, &insecure, 0, 0, NULL,
	    "accept any TLS certificate, with a warning; not inherited by COMMAND"},
	{0, "arg", OPT_CALL, NULL, 0, 0, "ARG", "one more argument for the browser; repeatable",
	    on_arg},
	{0},
};
static const struct opt_usage usage = {"wdsession", "[options] COMMAND...",
	"Opens a browser by WebDriver, runs COMMAND with WD_SESSION set, closes it.", opts};

static struct browser browser;
static struct browser_options options;
static const char *base_url;	/* the driver's address */
static bool local;	/* the driver is started here */
static struct local_driver driver;
static char *cached_bytes;	/* what the browser begins with; NULL: no caches */

/* ---- options ---------------------------------------------------------------------------- */

/* BROWSER may have another meaning in a desktop's environment. */
static void
xread_browser(void)
{
	const char *env = str_nonempty(getenv("BROWSER"));
	if (browser_name && !browser_find(browser_name, &browser))
		opt_die(&usage, "--browser must be a Chromium or a Firefox, not '%s'",
		    browser_name);
	if (!browser_name && !(env && browser_find(env, &browser)))
		browser_find("chromium", &browser);
}

static void
xread_window(void)
{
	if (!window)
		window = str_nonempty(getenv("WINDOW"));
	if (!window)
		window = "1600x1200";
	char *copy = xstrdup(window), *x = strpbrk(copy, "xX,");
	if (!x)
		opt_die(&usage, "the window's size must be like 1600x1200, not '%s'", window);
	*x = '\0';
	options.width_px = xopt_int(copy, 100, 20000, "the window's width");
	options.height_px = xopt_int(x + 1, 100, 20000, "the window's height");
	free(copy);
}

static void
xread_join(void)
{
	if (!join)
		join = getenv("WD_DEBUGGER");
	options.join = join = str_nonempty(join);
	if (!join)
		return;
	const char *colon = strrchr(join, ':');
	if (!colon || colon == join)
		opt_die(&usage, "the address to join must be like 127.0.0.1:9222, not '%s'", join);
	xopt_int(colon + 1, 1, 65535, "the debugging port");
	if (strcmp(browser.name, "chromium") != 0)
		opt_die(&usage, "only a Chromium can be joined");
	if (insecure)
		opt_die(&usage, "--insecure has no effect on a browser that is joined");
}

/* A certificate of the server that no system knows. */
static void
xread_certificate(void)
{
	const char *path = str_nonempty(getenv("JUPYTERLAB_CERT"));
	if (path && !(options.pins = certificate_pins(path)))
		die(ST_INPUT, errno ? "cannot read '%s' (JUPYTERLAB_CERT):" :
		    "there is no certificate in '%s' (JUPYTERLAB_CERT)", path);
}

static void
xread_caches(void)
{
	const char *held = str_nonempty(getenv("LABSERVE_CACHES"));
	bool excluded = join || keep || str_nonempty(getenv("WEBDRIVER_URL"));
	if (!caches && !save_caches && held && !excluded && access(held, F_OK) == 0)
		caches = held;
	if (!caches && !save_caches)
		return;
	if (excluded)
		opt_die(&usage, "--caches and --save-caches exclude --join, --keep and "
		    "WEBDRIVER_URL");
	if (strcmp(browser.name, "chromium") != 0)
		opt_die(&usage, "only a Chromium has caches that can be saved");
	if (save_caches && (early || access(save_caches, F_OK) == 0))
		opt_die(&usage, early ? "--save-caches excludes --early" :
		    "--save-caches: '%s' exists", save_caches);
}

/* ---- the driver ------------------------------------------------------------------------- */

static void
xopen_driver(void)
{
	base_url = remote_driver_url();
	local = !base_url;
	if (!start_timeout_s)
		start_timeout_s = local ? START_S : QUEUE_S;
	if (!local) {
		xremote_driver_check(base_url);
		return;
	}
	xlocal_driver_check(join, options.headless);
	xlocal_driver_start(&driver, &browser, start_timeout_s);
	base_url = driver.url;
	options.profile = xasprintf("%s/profile", driver.profile_dir);
	if (caches) {
		int64_t bytes = browser_caches_copy(caches, options.profile);
		if (bytes < 0)
			die(ST_SYSTEM, "cannot use the caches in '%s':", caches);
		cached_bytes = xasprintf("%lld", (long long)bytes);
	}
}

/* ---- the session ------------------------------------------------------------------------ */

static pid_t
browser_process(const json_t *capabilities)
{
	if (!local)
		return 0;
	if (!join)
		return browser_pid(capabilities);
	bool here = url_is_loopback(join);
	return here ? local_driver_port_owner(strtol(strrchr(join, ':') + 1, NULL, 10)) : 0;
}

/* What COMMAND gets in its environment. */
static json_t *
make_variables(struct wd *w, const json_t *answer)
{
	const char *id = json_string_value(json_object_get(answer, "sessionId"));
	const json_t *capabilities = json_object_get(answer, "capabilities");
	const char *name = json_string_value(json_object_get(capabilities, "browserName"));
	const char *version = json_string_value(json_object_get(capabilities, "browserVersion"));
	pid_t pid = browser_process(capabilities);
	char *node = local ? NULL : remote_driver_node(w, id ? id : "");
	json_t *all = json_pack("{s:o, s:o, s:o, s:s, s:s*}",
	    "WD_SESSION", json_sprintf("%s/session/%s", base_url, id ? id : ""),
	    "WD_BROWSER_PID", pid > 0 ? json_sprintf("%ld", (long)pid) : json_string(""),
	    "WD_BROWSER", json_sprintf("%s %s", name ? name : "unknown",
	    version ? version : "unknown"),
	    /* The tabs of a browser that was joined have sizes of their own. */
	    join ? "WD_JOINED" : "WD_WINDOW", join ? join : window, "WD_BROWSER_NODE", node);
	session_variables_add_devtools(all, capabilities, local || url_is_loopback(base_url));
	if (cached_bytes)
		json_object_set_new(all, "WD_CACHED_BYTES", json_string(cached_bytes));
	free(node);
	return all;
}

/* While all browsers of a Grid are in use, a request that its queue has dropped is made again. */
static json_t *
request_session(struct wd *w)
{
	long limit_ms = local ? NEW_SESSION_MS : start_timeout_s * 1000;
	json_t *answer;
	char *queue;
	bool again;
	int tries = 0;
	pid_t holder = getppid();	/* of a lender: nobody needs a browser when it has gone */
	do {
		queue = local ? NULL : remote_driver_queue(base_url);
		if (queue)
			warn("%s", queue);
		answer = wd_call(w, "POST", "session", browser_capabilities(&browser, &options),
		    limit_ms);
		again = !answer && queue && start_timeout_s == QUEUE_S && ++tries < MAX_QUEUED &&
		    getppid() == holder;
		free(queue);
	} while (again);
	return answer;
}

static json_t *
xopen_session(void *unused)
{
	struct wd *w = wd_open(base_url);
	json_t *answer = request_session(w);
	const char *reason = answer ? NULL : *w->message ? w->message : w->code;
	(void)unused;
	if (!answer && join)
		die(ST_SYSTEM, "cannot join the browser at %s: %s", join, reason);
	if (!answer)
		die(ST_SYSTEM, "cannot open a session of %s: %s", browser.name, reason);
	json_t *variables = make_variables(w, answer);
	json_decref(answer);
	wd_close(w);
	return variables;
}

static void
delete_session(const json_t *variables)
{
	struct wd *w = wd_open(json_string_value(json_object_get(variables, "WD_SESSION")));
	wd_do(w, "DELETE", "", NULL, DELETE_MS);
	wd_close(w);
}

/* ---- running COMMAND -------------------------------------------------------------------- */

/* If COMMAND has returned the browser, or will get none, ends it before COMMAND ends. */
static bool
on_event(int sig)
{
	if (sig == SIGCHLD && session_offer_ended()) {
		hold_end(driver.pid, 0);
		session_offer_stop();
		hold_remove(driver.profile_dir);
		hold_remove(driver.dir);
	}
	return false;
}

static int
run_early(char *const command[])
{
	xsession_offer_start(xopen_session, NULL);
	int status = hold_command(command, on_event);
	session_offer_stop();
	return status;
}

/* Each browser has a profile of its own. */
static json_t *
xopen_kept(void *unused)
{
	static unsigned n;
	static char *path;
	free(path);
	options.profile = path = xasprintf("%s/profile-%u", driver.profile_dir, ++n);
	return xopen_session(unused);
}

static void
close_kept(const json_t *variables)
{
	delete_session(variables);
	folder_remove(options.profile);
}

static int
run_keeping(char *const command[])
{
	char *path = xasprintf("%s/keeper", driver.dir);
	xsession_offer_keep(path, xopen_kept, close_kept);
	int status = hold_command(command, on_event);
	session_offer_stop();
	free(path);
	return status;
}

static int
run_command(char *const command[])
{
	json_t *variables = xopen_session(NULL);
	session_variables_set(variables);
	int status = hold_command(command, NULL);
	/* A browser that is killed has not written all of its caches. */
	if (join || save_caches)
		delete_session(variables);
	json_decref(variables);
	if (save_caches && status == ST_OK &&
	    browser_caches_save(options.profile, save_caches) != 0)
		die(ST_SYSTEM, "cannot save the browser's caches in '%s':", save_caches);
	return status;
}

/* A Grid's browser would otherwise stay for minutes, even one for which it had no place yet when
 * this process was interrupted. */
static int
run_remote(char *const command[])
{
	xsession_offer_take(xopen_session, delete_session);
	int status = hold_command(command, NULL);
	session_offer_return();
	return status;
}

int
main(int argc, char **argv)
{
	static const char *const outer[] = {"WD_SESSION", "WD_BROWSER_PID", "WD_BROWSER",
	    "WD_WINDOW", "WD_JOINED", "WD_BROWSER_NODE", "WD_CACHED_BYTES", "WD_DEVTOOLS",
	    SESSION_HANDOVER, SESSION_KEEPER};
	browser_args = json_array();
	int first = opt_parse(argc, argv, &usage);
	if (first >= argc)
		opt_die(&usage, "no command given");
	const char *headless = getenv("HEADLESS");
	options = (struct browser_options){.insecure = insecure, .args = browser_args,
	    .headless = !show && !(headless && strcmp(headless, "0") == 0),
	    .proxy = str_nonempty(getenv("NETSHAPE_PROXY"))};
	xread_browser();
	xread_window();
	xread_join();
	if (keep && (join || str_nonempty(getenv("WEBDRIVER_URL"))))
		opt_die(&usage, "--keep requires a browser that wdsession starts");
	xread_caches();
	xread_certificate();
	if (insecure)
		warn("the browser checks no certificate (--insecure)");
	xopen_driver();
	for (size_t i = 0; i < COUNT(outer); i++)
		unsetenv(outer[i]);
	int status = keep ? run_keeping(argv + first) : !local ? run_remote(argv + first) :
	    early && !join ? run_early(argv + first) : run_command(argv + first);
	/* The profile is removed too: there is nothing to save, so no time to grant. */
	if (local)
		hold_end(driver.pid, 0);
	hold_release();
	return status;
}
