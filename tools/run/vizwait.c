/* vizwait: waits until what a page shows has settled.
 * Watches the current page of WD_SESSION (JupyterLab, Voila, Panel, any page), or opens one,
 * and writes one `viz` record: when what the selector matches last changed, how, how often,
 * and whether it is blank. */
#include "base/clock.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "browser/page_screenshot.h"
#include "browser/page_script.h"
#include "browser/wd_addon.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "run/run_defaults.h"

#include <signal.h>

enum { SLACK_MS = 15000, CALL_MS = 30000 };

static const char *selector, *url;
static long settle_ms = RUN_SETTLE_MS;
static double max_wait_s = RUN_MAX_WAIT_S;

static const struct opt opts[] = {
	{'v', "viz-selector", OPT_STRING, &selector, 0, 0, "CSS",
	    "what to watch; default: the page's body, in JupyterLab the output of all cells"},
	{0, "url", OPT_STRING, &url, 0, 0, "URL", "open this page and watch it from its start"},
	{0, "settle-ms", OPT_INT, &settle_ms, 1, 60000, "MS",
	    "settled after this time without a change; " RUN_DEFAULT(RUN_SETTLE_MS)},
	{0, "max-wait-time", OPT_REAL, &max_wait_s, 0.1, 86400, "S",
	    "give up after this time; " RUN_DEFAULT(RUN_MAX_WAIT_S)},
	{0},
};
static const struct opt_usage usage = {"vizwait", "[options]",
	"Waits until what a selector matches in the browser of WD_SESSION has settled.", opts};

static void
xopen_page(struct wd *w)
{
	if (wd_do(w, "POST", "url", json_pack("{s:s}", "url", url),
	    (long)(max_wait_s * 1000) + SLACK_MS) != 0)
		die(ST_SYSTEM, "cannot open '%s': %s", url, w->message);
}

static void
xwatch_page(struct wd *w)
{
	json_t *text = json_string(selector ? selector : "body");
	char *quoted = json_text_of(text);
	char *watch = page_script_protected(page_watch_js);
	char *script = xasprintf("window.__nbscopeSelector = %s; %s", quoted, watch);
	bool armed = url && wd_add_script(w, script) == 0;
	if (url)
		xopen_page(w);
	if (!armed && wd_script_do(w, watch, NULL, CALL_MS) != 0)
		die(ST_SYSTEM, "cannot watch the page: %s", wd_error(w));
	json_decref(text);
	free(quoted);
	free(watch);
	free(script);
}

static json_t *
xwait(struct wd *w)
{
	long ms = (long)(max_wait_s * 1000) + SLACK_MS;
	wd_do(w, "POST", "timeouts", json_pack("{s:I}", "script", (json_int_t)ms), CALL_MS);
	json_t *seen = wd_script_async(w,
	    "window.__nbscopeWatch.report(...[...arguments].slice(0, 3))"
	    ".then(done, e => done({error: String(e)}))", json_pack("[s?, I, f]", selector,
	    (json_int_t)settle_ms, max_wait_s * 1000), ms + SLACK_MS);
	if (!seen)
		die(ST_SYSTEM, "cannot get the result from the page: %s", wd_error(w));
	const char *error = json_string_value(json_object_get(seen, "error"));
	if (error)
		die(ST_USAGE, "selector '%s': %s", selector ? selector : "", error);
	return seen;
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (first != argc)
		opt_die(&usage, "unexpected operand '%s'", argv[first]);
	const char *session = getenv("WD_SESSION");
	if (!session || !*session)
		die(ST_USAGE, "WD_SESSION is not set (run: wdsession vizwait --url URL)");
	signal(SIGPIPE, SIG_IGN);
	struct wd *w = wd_open(session);
	xwatch_page(w);
	json_t *seen = xwait(w);
	struct page_screenshot s;
	page_screenshot_take(&s, w, -1, false);
	json_t *settled = json_object_get(seen, "last_visual_change_t");
	double t = json_is_number(settled) ? json_number_value(settled) : clock_unix_s();
	json_t *r = json_pack("{s:s, s:o}", "type", "viz", "t", json_value_time(t));
	json_object_update(r, seen);
	json_object_set_new(r, "blank", s.blank < 0 ? json_null() : json_boolean(s.blank));
	xlines_write(r);
	bool ok = strcmp(json_string_value(json_object_get(r, "status")), "completed") == 0;
	page_screenshot_free(&s);
	json_decref(seen);
	json_decref(r);
	wd_close(w);
	xoutput_close();
	return ok ? ST_OK : ST_DIFFERS;
}
