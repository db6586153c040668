/* browser.c: what differs between browsers. */
#include "browser.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Debian's /usr/bin/chromium is a script that takes 0.3 s to find the first. */
static const char *const chromium_programs[] = {"/usr/lib/chromium/chromium", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"};
static const char *const firefox_programs[] = {"firefox-esr", "firefox"};

enum { STARTUP_URLS = 4 };	/* Chromium's word for: open these pages */

/* Quiet: nothing that loads the machine or the network beside the notebook.
 * Unthrottled: a page that no window manager shows draws like one in front. */
#define NO_FEATURES "--disable-features=Translate,OptimizationHints,MediaRouter," \
	"WebUIOmniboxPopup,WebUIOmniboxAimPopup," /* pages made for an address line that nobody types into: 1 s of CPU */ \
	"HeapProfilerReporting"	/* a profiler of every allocation, in a browser that is drawn by lot */
static const char *const chromium_args[] = {
	"--no-first-run", "--no-default-browser-check", "--disable-quic",
	"--disable-background-networking", "--disable-component-update",
	"--disable-sync", "--disable-default-apps", "--disable-extensions",
	"--disable-breakpad", "--metrics-recording-only", "--password-store=basic",
	"--use-mock-keychain", NO_FEATURES,
	"--disable-background-timer-throttling", "--disable-renderer-backgrounding",
	"--disable-backgrounding-occluded-windows", "--enable-unsafe-swiftshader",
	"--enable-precise-memory-info",
};

/* By a pipe the driver speaks with it: by a port so could everybody here. */
static const char by_pipe[] = "--remote-debugging-pipe";

static char *
in_path(const char *name)
{
	if (strchr(name, '/'))
		return access(name, X_OK) == 0 ? xstrdup(name) : NULL;
	char *path = xstrdup(getenv("PATH") ? getenv("PATH") : "/usr/bin"), *rest = path, *dir, *found = NULL;
	while (!found && (dir = strsep(&rest, ":"))) {
		char *full = xasprintf("%s/%s", *dir ? dir : ".", name);
		if (access(full, X_OK) == 0)
			found = full;
		else
			free(full);
	}
	free(path);
	return found;
}

static const char *
first_in_path(const char *const *names, size_t n)
{
	char *found = NULL;
	for (size_t i = 0; i < n && !found; i++)
		found = in_path(names[i]);
	return found;
}

bool
browser_find(const char *what, struct browser *b)
{
	const char *slash = strrchr(what, '/'), *base = slash ? slash + 1 : what;
	const char *given = slash ? what : strcmp(what, "chromium") == 0 ? NULL : in_path(what);
	if (strstr(base, "firefox")) {
		*b = (struct browser){"firefox", "geckodriver", "Listening on 127.0.0.1:",
		    given ? given : first_in_path(firefox_programs, COUNT(firefox_programs))};
		return true;
	}
	if (strstr(base, "chrom")) {
		*b = (struct browser){"chromium", "chromedriver", "started successfully on port ",
		    given ? given : first_in_path(chromium_programs, COUNT(chromium_programs))};
		return true;
	}
	return false;
}

static void
add(json_t *args, const char *text)
{
	json_array_append_new(args, json_string(text));
}

/* The address without "http://": Chromium wants it with, Firefox without. */
static const char *
bare(const char *proxy)
{
	const char *scheme = strstr(proxy, "://");
	return scheme ? scheme + 3 : proxy;
}

static json_t *
chromium_options(const struct browser *b, const struct browser_options *o)
{
	json_t *args = o->args ? json_copy(o->args) : json_array();
	char *text;
	for (size_t i = 0; i < COUNT(chromium_args); i++)
		add(args, chromium_args[i]);
	if (o->profile)
		add(args, by_pipe);
	if (o->headless)
		add(args, "--headless=new");
	if (geteuid() == 0 && o->profile)
		add(args, "--no-sandbox");
	/* Containers give 64 MB of shared memory: a large canvas needs more. */
	struct statvfs shm;
	if (o->profile && statvfs("/dev/shm", &shm) == 0 && shm.f_blocks * shm.f_frsize < (512u << 20))
		add(args, "--disable-dev-shm-usage");
	add(args, text = xasprintf("--window-size=%ld,%ld", o->width_px, o->height_px));
	free(text);
	if (o->profile) {
		add(args, text = xasprintf("--user-data-dir=%s", o->profile));
		free(text);
	}
	if (o->proxy) {
		add(args, text = xasprintf("--proxy-server=http://%s", bare(o->proxy)));
		add(args, "--proxy-bypass-list=<-loopback>");
		free(text);
	}
	json_t *opts = json_pack("{s:o}", "args", args);
	/* Not with the page of a new tab, which takes longer than all else of the start. */
	if (o->profile)
		json_object_set_new(opts, "prefs", json_pack("{s:{s:i, s:[s]}}", "session", "restore_on_startup", STARTUP_URLS, "startup_urls", "about:blank"));
	if (b->program && o->profile)
		json_object_set_new(opts, "binary", json_string(b->program));
	return json_pack("{s:s, s:o}", "browserName", "chrome", "goog:chromeOptions", opts);
}

static json_t *
firefox_options(const struct browser *b, const struct browser_options *o)
{
	json_t *args = o->args ? json_copy(o->args) : json_array();
	char *w = xasprintf("--width=%ld", o->width_px), *h = xasprintf("--height=%ld", o->height_px);
	if (o->headless)
		add(args, "-headless");
	add(args, w);
	add(args, h);
	free(w);
	free(h);
	json_t *prefs = json_pack("{s:b, s:b, s:b, s:b, s:b, s:s}",
	    "network.proxy.allow_hijacking_localhost", 1, "app.update.auto", 0,
	    "datareporting.policy.dataSubmissionEnabled", 0, "browser.shell.checkDefaultBrowser", 0,
	    "network.captive-portal-service.enabled", 0, "browser.startup.homepage", "about:blank");
	json_t *opts = json_pack("{s:o, s:o}", "args", args, "prefs", prefs);
	if (b->program && o->profile)
		json_object_set_new(opts, "binary", json_string(b->program));
	json_t *caps = json_pack("{s:s, s:o}", "browserName", "firefox", "moz:firefoxOptions", opts);
	if (o->proxy)
		json_object_set_new(caps, "proxy", json_pack("{s:s, s:s, s:s}", "proxyType", "manual",
		    "httpProxy", bare(o->proxy), "sslProxy", bare(o->proxy)));
	return caps;
}

/* A person's browser: all stays as it is, dialogs too. */
static json_t *
joined_options(const struct browser_options *o)
{
	return json_pack("{s:{s:{s:s, s:s, s:s, s:{s:s}}}}", "capabilities", "alwaysMatch", "browserName", "chrome",
	    "pageLoadStrategy", "eager", "unhandledPromptBehavior", "ignore", "goog:chromeOptions", "debuggerAddress", o->join);
}

json_t *
browser_capabilities(const struct browser *b, const struct browser_options *o)
{
	if (o->join)
		return joined_options(o);
	json_t *caps = strcmp(b->name, "firefox") == 0 ? firefox_options(b, o) : chromium_options(b, o);
	if (o->insecure)
		json_object_set_new(caps, "acceptInsecureCerts", json_true());
	json_object_set_new(caps, "pageLoadStrategy", json_string("eager"));
	/* A JavaScript alert is closed and reported, never a hang. */
	json_object_set_new(caps, "unhandledPromptBehavior", json_string("dismiss and notify"));
	return json_pack("{s:{s:o}}", "capabilities", "alwaysMatch", caps);
}

pid_t
browser_pid(const json_t *capabilities)
{
	json_t *pid = json_object_get(capabilities, "goog:processID");
	if (!pid)
		pid = json_object_get(capabilities, "moz:processID");
	return (pid_t)json_integer_value(pid);
}

int
browser_arm(struct wd *w, const char *script)
{
	json_t *params = json_pack("{s:s}", "source", script);
	json_t *done = wd_cdp(w, "Page.addScriptToEvaluateOnNewDocument", params);
	json_decref(params);
	json_decref(done);
	return done ? 0 : -1;
}

int
browser_cookie(struct wd *w, const char *url, json_t *cookie)
{
	json_t *params = json_copy(cookie);
	json_object_del(params, "domain");
	json_object_set_new(params, "url", json_string(url));
	json_t *done = wd_cdp(w, "Network.setCookie", params);
	json_decref(params);
	if (!done) {
		/* The standard's way needs a page of that address first. */
		char *where = xasprintf("%sapi", url);
		json_t *body = json_pack("{s:s}", "url", where);
		json_decref(wd_call(w, "POST", "url", body, 30000));
		json_decref(body);
		free(where);
		json_t *plain = json_copy(cookie);
		json_object_del(plain, "domain");
		body = json_pack("{s:o}", "cookie", plain);
		done = wd_call(w, "POST", "cookie", body, 10000);
		json_decref(body);
	}
	json_decref(done);
	return done ? 0 : -1;
}
