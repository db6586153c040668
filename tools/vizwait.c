/* vizwait: waits until what a page shows has settled.
 * Looks at the page of WD_SESSION (any page: JupyterLab, Voila, Panel ...), or
 * opens one, and writes one `viz` record: when what the selector names last
 * changed, how, how often, and whether it is blank. */
#include "labpage.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { SLACK_MS = 15000, CALL_MS = 30000 };

static const char *selector, *url;
static long quiet_ms = 300;
static double max_wait_s = 300;

static const struct opt opts[] = {
	{'v', "viz-selector", OPT_STRING, &selector, 0, 0, "CSS", "what to look at; default: the page's body, in JupyterLab all that cells draw"},
	{'u', "url", OPT_STRING, &url, 0, 0, "URL", "open this page first; its changes count from its beginning"},
	{'q', "quiet", OPT_INT, &quiet_ms, 1, 60000, "MS", "settled after so long without a change; default 300"},
	{'m', "max-wait-time", OPT_REAL, &max_wait_s, 0.1, 86400, "S", "give up after this; default 300"},
	{0},
};
static const struct usage usage = {"vizwait", "[options]",
	"Waits until what a selector shows in the browser of WD_SESSION has settled.", opts};

static void
xopen(struct wd *w)
{
	json_t *want = json_string(selector ? selector : "body");
	char *quoted = json_text(want), *script = xasprintf("window.__nbscopeSelector = %s; %s", quoted, page_watch_js);
	bool armed = url && browser_arm(w, script) == 0;
	json_decref(want);
	free(quoted);
	free(script);
	if (url) {
		json_t *body = json_pack("{s:s}", "url", url);
		json_t *done = wd_call(w, "POST", "url", body, (long)(max_wait_s * 1000) + SLACK_MS);
		if (!done)
			die(ST_SYSTEM, "cannot open '%s': %s", url, w->message);
		json_decref(done);
		json_decref(body);
	}
	json_t *there = armed ? json_true() : wd_script(w, page_watch_js, NULL, CALL_MS);
	if (!there)
		die(ST_SYSTEM, "cannot look into the page: %s: %s", w->code, w->message);
	json_decref(there);
}

static json_t *
xwait(struct wd *w)
{
	long ms = (long)(max_wait_s * 1000) + SLACK_MS;
	json_t *limits = json_pack("{s:I}", "script", (json_int_t)ms);
	json_decref(wd_call(w, "POST", "timeouts", limits, CALL_MS));
	json_t *args = json_pack("[s?, I, f]", selector, (json_int_t)quiet_ms, max_wait_s * 1000);
	json_t *seen = wd_async(w, "const done = arguments[arguments.length - 1];"
	    "window.__nbscopeWatch.report(...[...arguments].slice(0, 3)).then(done, e => done({error: String(e)}))", args, ms + SLACK_MS);
	if (!seen)
		die(ST_SYSTEM, "the browser: %s: %s", w->code, w->message);
	const char *error = json_string_value(json_object_get(seen, "error"));
	if (error)
		die(ST_USAGE, "selector '%s': %s", selector ? selector : "", error);
	json_decref(args);
	json_decref(limits);
	return seen;
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	if (first != argc)
		die_usage(&usage, "no operand is wanted, but '%s'", argv[first]);
	const char *session = getenv("WD_SESSION");
	if (!session || !*session)
		die(ST_USAGE, "no browser: WD_SESSION is not set (run: wdsession vizwait --url URL)");
	signal(SIGPIPE, SIG_IGN);
	struct wd *w = wd_open(session);
	xopen(w);
	json_t *seen = xwait(w), *settled = json_object_get(seen, "settled_t");
	int blank;
	json_t *png = page_screenshot(w, &blank);
	json_t *r = json_pack("{s:s, s:o}", "type", "viz", "t",
	    json_is_number(settled) ? json_t_of(json_number_value(settled)) : json_t_of(now_t()));
	json_object_update(r, seen);
	json_object_set_new(r, "blank", blank < 0 ? json_null() : json_boolean(blank));
	xput_record(r);
	bool ok = strcmp(json_string_value(json_object_get(r, "status")), "completed") == 0;
	json_decref(png);
	json_decref(seen);
	json_decref(r);
	wd_close(w);
	xclose_stdout();
	return ok ? ST_OK : ST_DIFFERS;
}
