/* browser.c: the differences between browsers. */
#include "browser.h"
#include "base/die.h"
#include "base/installation.h"
#include "base/str.h"

#include <sys/statvfs.h>
#include <unistd.h>

/* Debian's /usr/bin/chromium is a script that takes 0.3 s to find the first of these. */
static const char *const chromium_programs[] = {"/usr/lib/chromium/chromium", "chromium",
	"chromium-browser", "google-chrome", "google-chrome-stable", "chrome"};
static const char *const firefox_programs[] = {"firefox-esr", "firefox"};

/* Firefox has WebGL without a display only in this way. */
#define FIREFOX_WEBGL "MOZ_WEBGL_FORCE_EGL=1"

enum { STARTUP_URLS = 4, MIN_SHM_BYTES = 512 << 20 };	/* Chromium's: open these pages */

/* Quiet: nothing else uses the machine or the network. Unthrottled: a page that no window
 * manager shows is drawn like one in the foreground. Disabled too: pages for the address line,
 * which take 1 s of CPU time, and a profiler of every allocation in randomly chosen browsers. */
static const char *const chromium_args[] = {
	"--no-first-run", "--no-default-browser-check", "--disable-quic",
	"--disable-background-networking", "--disable-component-update",
	"--disable-sync", "--disable-default-apps", "--disable-extensions",
	"--disable-breakpad", "--metrics-recording-only", "--password-store=basic",
	"--use-mock-keychain", "--disable-features=Translate,OptimizationHints,MediaRouter,"
	"WebUIOmniboxPopup,WebUIOmniboxAimPopup,HeapProfilerReporting",
	"--disable-background-timer-throttling", "--disable-renderer-backgrounding",
	"--disable-backgrounding-occluded-windows", "--enable-unsafe-swiftshader",
	"--enable-precise-memory-info",
};

/* Settings that make Firefox as quiet. It would round times to 1 ms, and show a JSON file in a
 * viewer. */
static const char *const firefox_off[] = {
	"app.update.auto", "browser.shell.checkDefaultBrowser",
	"datareporting.policy.dataSubmissionEnabled", "devtools.jsonview.enabled",
	"dom.ipc.processPrelaunch.enabled", "dom.push.connection.enabled",
	"network.captive-portal-service.enabled", "network.connectivity-service.enabled",
	"privacy.reduceTimerPrecision",
};

static char *
find_program(const char *name)
{
	if (strchr(name, '/'))
		return access(name, X_OK) == 0 ? xstrdup(name) : NULL;
	const char *set = getenv("PATH");
	char *path = xstrdup(set ? set : "/usr/bin"), *rest = path, *dir, *found = NULL;
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
find_first(const char *const *names, size_t n)
{
	char *found = NULL;
	for (size_t i = 0; i < n && !found; i++)
		found = find_program(names[i]);
	return found;
}

bool
browser_find(const char *name, struct browser *b)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	const char *given = name;
	if (!slash)
		given = strcmp(name, "chromium") == 0 ? NULL : find_program(name);
	if (strstr(base, "firefox"))
		*b = (struct browser){"firefox", "geckodriver",
		    xasprintf("firefox-esr; %s setup BROWSER=firefox installs geckodriver",
		    installation_command()),
		    "Listening on 127.0.0.1:", FIREFOX_WEBGL,
		    given ? given : find_first(firefox_programs, COUNT(firefox_programs))};
	else if (strstr(base, "chrom"))
		*b = (struct browser){"chromium", "chromedriver", "chromium chromium-driver",
		    "started successfully on port ", NULL,
		    given ? given : find_first(chromium_programs, COUNT(chromium_programs))};
	else
		return false;
	return true;
}

/* Chromium expects the address with "http://", Firefox without. */
static const char *
without_scheme(const char *proxy)
{
	const char *scheme = strstr(proxy, "://");
	return scheme ? scheme + 3 : proxy;
}

/* Containers have 64 MB of shared memory: a large canvas needs more. */
static bool
has_little_shm(void)
{
	struct statvfs shm;
	return statvfs("/dev/shm", &shm) == 0 && shm.f_blocks * shm.f_frsize < MIN_SHM_BYTES;
}

static json_t *
chromium_options(const struct browser *b, const struct browser_options *o)
{
	json_t *args = o->args ? json_copy(o->args) : json_array();
	json_t *opts = json_pack("{s:o}", "args", args);
	for (size_t i = 0; i < COUNT(chromium_args); i++)
		json_array_append_new(args, json_string(chromium_args[i]));
	json_array_append_new(args, json_sprintf("--window-size=%ld,%ld", o->width_px,
	    o->height_px));
	if (o->headless)
		json_array_append_new(args, json_string("--headless=new"));
	if (o->proxy) {
		json_array_append_new(args, json_sprintf("--proxy-server=http://%s",
		    without_scheme(o->proxy)));
		json_array_append_new(args, json_string("--proxy-bypass-list=<-loopback>"));
	}
	if (o->pins)
		json_array_append_new(args, json_sprintf("--ignore-certificate-errors-spki-list=%s",
		    o->pins));
	if (o->profile) {
		json_array_append_new(args, json_sprintf("--user-data-dir=%s", o->profile));
		if (geteuid() == 0 || str_nonempty(getenv("WD_NO_SANDBOX")))
			json_array_append_new(args, json_string("--no-sandbox"));
		if (has_little_shm())
			json_array_append_new(args, json_string("--disable-dev-shm-usage"));
		if (b->program)
			json_object_set_new(opts, "binary", json_string(b->program));
		/* The page of a new tab takes longer than the rest of the start. */
		json_t *session = json_pack("{s:i, s:[s]}", "restore_on_startup", STARTUP_URLS,
		    "startup_urls", "about:blank");
		json_object_set_new(opts, "prefs", json_pack("{s:o}", "session", session));
	}
	return json_pack("{s:s, s:o}", "browserName", "chrome", "goog:chromeOptions", opts);
}

static json_t *
firefox_options(const struct browser *b, const struct browser_options *o)
{
	json_t *args = o->args ? json_copy(o->args) : json_array();
	if (o->headless)
		json_array_append_new(args, json_string("-headless"));
	json_array_append_new(args, json_sprintf("--width=%ld", o->width_px));
	json_array_append_new(args, json_sprintf("--height=%ld", o->height_px));
	json_t *prefs = json_pack("{s:b, s:s, s:b}", "network.proxy.allow_hijacking_localhost", 1,
	    "browser.startup.homepage", "about:blank", "webgl.force-enabled", 1);
	for (size_t i = 0; i < COUNT(firefox_off); i++)
		json_object_set_new(prefs, firefox_off[i], json_false());
	json_t *opts = json_pack("{s:o, s:o}", "args", args, "prefs", prefs);
	if (b->program && o->profile)
		json_object_set_new(opts, "binary", json_string(b->program));
	json_t *caps = json_pack("{s:s, s:o}", "browserName", "firefox",
	    "moz:firefoxOptions", opts);
	if (o->proxy) {
		const char *proxy = without_scheme(o->proxy);
		json_object_set_new(caps, "proxy", json_pack("{s:s, s:s, s:s}",
		    "proxyType", "manual", "httpProxy", proxy, "sslProxy", proxy));
	}
	return caps;
}

/* A user's own browser stays as it is, including its dialogs. */
static json_t *
joined_capabilities(const struct browser_options *o)
{
	return json_pack("{s:s, s:s, s:s, s:{s:s}}", "browserName", "chrome",
	    "pageLoadStrategy", "eager", "unhandledPromptBehavior", "ignore",
	    "goog:chromeOptions", "debuggerAddress", o->join);
}

json_t *
browser_capabilities(const struct browser *b, const struct browser_options *o)
{
	json_t *caps;
	if (o->join) {
		caps = joined_capabilities(o);
	} else {
		bool firefox = strcmp(b->name, "firefox") == 0;
		caps = firefox ? firefox_options(b, o) : chromium_options(b, o);
		if (o->insecure)
			json_object_set_new(caps, "acceptInsecureCerts", json_true());
		json_object_set_new(caps, "pageLoadStrategy", json_string("eager"));
		/* A JavaScript alert is closed and reported; otherwise it would block. */
		json_t *behaviour = json_string("dismiss and notify");
		json_object_set_new(caps, "unhandledPromptBehavior", behaviour);
	}
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
