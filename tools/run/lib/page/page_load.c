/* page_load.c: opens a notebook in JupyterLab and waits until its kernel is ready. */
#include "page/page_load.h"
#include "base/clock.h"
#include "base/die.h"
#include "browser/page_script.h"
#include "browser/session_variables.h"
#include "browser/wd_addon.h"
#include "jupyter/login.h"
#include "kernel/page_rules.h"
#include "kernel/python_literal.h"
#include "net/url.h"
#include "page/lab_keys.h"
#include "server/kernel_start.h"

#define CERTIFICATE_HINT \
	" (wdsession --insecure, or the variable INSECURE=1, accepts any certificate)"
#define LOOPBACK_HINT \
	" (that is the loopback of the browser's own machine: labserve --host, or the variable " \
	"LAB_HOST, makes JupyterLab listen at an address that the browser can reach)"

enum { CALL_MS = 30000, SLACK_MS = 15000, CHECK_MS = 2000,
	FOCUS_MS = 15000 };

/* All scripts for one call; each builds on those before it. */
static char *
all_scripts(void)
{
	char *module = page_rules_module(), *python = python_literal(module);
	char *all = xasprintf("const RULES = %s, MODULE = %s, TELL = \"" PAGE_RULES_TELL "\";\n"
	    "%s%s%s%s%s%s%s%s%s%s%s%s%s%s//# sourceURL=nbscope.js\n", page_rules_json, python,
	    page_watch_js, page_moving_js, page_usage_js, page_message_js, page_outputs_js,
	    page_evidence_js, page_pending_js, page_scheduled_js, page_asking_js, page_notebook_js,
	    page_kernel_js, page_timing_js, page_gesture_js, page_reuse_js);
	char *safe = page_script_protected(all);
	free(module);
	free(python);
	free(all);
	return safe;
}

static int
arm_scripts(struct wd *w)
{
	char *all = all_scripts();
	int armed = wd_add_script(w, all);
	free(all);
	return armed;
}

int
page_load_scripts(struct wd *w)
{
	char *all = all_scripts();
	int bad = wd_script_do(w, all, NULL, CALL_MS);
	free(all);
	return bad;
}

/* ---- cookies ---------------------------------------------------------------------------- */

static int
set_cookie(struct wd *w, const char *url, json_t *cookie)
{
	json_t *params = json_copy(cookie);
	json_object_del(params, "domain");
	json_object_set_new(params, "url", json_string(url));
	json_t *done = wd_script_cdp(w, "Network.setCookie", json_incref(params));
	/* The standard's command requires a page of that address. */
	int bad = done ? 0 : wd_do(w, "POST", "url", json_pack("{s:o}", "url",
	    json_sprintf("%sapi", url)), CALL_MS);
	json_object_del(params, "url");
	if (!done && !bad)
		bad = wd_do(w, "POST", "cookie", json_pack("{s:O}", "cookie", params), CALL_MS);
	json_decref(params);
	json_decref(done);
	return bad;
}

static bool
has_login(const json_t *cookies)
{
	json_t *cookie;
	size_t i;
	json_array_foreach(cookies, i, cookie) {
		const char *name = json_string_value(json_object_get(cookie, "name"));
		if (strcmp(name, "_xsrf") != 0 && strcmp(name, "jupyterhub-session-id") != 0)
			return true;
	}
	return false;
}

/* Cookies that let a browser in without a token in its URL. */
static json_t *
login_cookies(struct lab *l)
{
	json_t *cookies = http_cookies(l->http);
	const char *token = getenv("JUPYTERLAB_TOKEN");
	if (!token || !*token || has_login(cookies))
		return cookies;
	/* jupyter_server answers a token with a login cookie; a hub's server does so only if
	 * the token is also an argument, which no log shows in the body of a form. The answer
	 * to the POST itself does not matter. */
	struct buf form = {0};
	struct http_reply r;
	char *url = xasprintf("%slab", l->url);
	buf_addf(&form, "token=");
	url_add_escaped(&form, token, "");
	login_post(l, url, form.p, &r);
	http_reply_free(&r);
	buf_free(&form);
	free(url);
	json_decref(cookies);
	return http_cookies(l->http);
}

static int
set_cookies(struct wd *w, struct lab *lab)
{
	json_t *cookies = login_cookies(lab), *cookie;
	size_t i;
	int bad = cookies ? 0 : -1;
	json_array_foreach(cookies, i, cookie)
		if (set_cookie(w, lab->url, cookie) != 0)
			bad = -1;
	json_decref(cookies);
	return bad;
}

/* ---- why a page did not load ------------------------------------------------------------ */

static double
loaded_mb(struct wd *w)
{
	json_t *bytes = wd_script(w, "return performance.getEntriesByType('resource')"
	    ".reduce((sum, e) => sum + e.transferSize, 0)", NULL, CALL_MS);
	double mb = json_number_value(bytes) / 1e6;
	json_decref(bytes);
	return mb;
}

static char *
why_not_ready(struct wd *w, const json_t *ready)
{
	json_t *state = lab_keys_panel_state(w), *lost = json_object_get(ready, "lost");
	const char *dialog = json_string_value(json_object_get(state, "dialog"));
	const char *kernel = json_string_value(json_object_get(lost, "state"));
	char *why;
	if (!state)
		why = wd_error(w);
	else if (lab_keys_flag(state, "login"))
		why = xstrdup("the server shows a login page");
	else if (dialog)
		why = xasprintf("JupyterLab shows a dialog: %s", dialog);
	else if (kernel)
		why = xasprintf("the kernel reported '%s' while it started", kernel);
	else if (!lab_keys_flag(state, "panel"))
		why = xasprintf("JupyterLab did not open the notebook in time; %.1f MB of its page "
		    "were loaded", loaded_mb(w));
	else
		why = xasprintf("the kernel did not become ready (kernel_info_reply %s, idle after "
		    "it %s)", lab_keys_flag(ready, "reply") ? "seen" : "not seen",
		    lab_keys_flag(ready, "idle") ? "seen" : "not seen");
	json_decref(state);
	return why;
}

/* If a certificate is invalid, Chromium shows a page of its own, and its driver reports
 * success. NULL: there is no such page. */
static char *
why_error_page(struct wd *w, const char *url)
{
	json_t *seen = wd_script(w, "return location.protocol === 'chrome-error:' ? "
	    "(document.body.innerText.match(/ERR_\\w+/) || ['no reason given'])[0] : null",
	    NULL, CALL_MS);
	const char *word = json_string_value(seen);
	bool apart = url_is_loopback(url) && session_variables_is_elsewhere();
	const char *hint = word && strstr(word, "CERT") ? CERTIFICATE_HINT :
	    word && apart ? LOOPBACK_HINT : "";
	char *why = !word ? NULL :
	    xasprintf("the browser opens no page of '%s': %.80s%s", url, word, hint);
	json_decref(seen);
	return why;
}

/* geckodriver reports an invalid certificate. */
static char *
why_not_open(struct wd *w, const struct server_files *f, long ready_ms)
{
	if (!w->code)
		return xstrdup(f->lab->error);
	if (strcmp(w->code, "timeout") == 0)
		return xasprintf("JupyterLab's page did not load within %ld s: its server or the "
		    "link to it is slow", ready_ms / 1000);
	if (strcmp(w->code, "insecure certificate") == 0)
		return xasprintf("the browser opens no page of '%s': its certificate is invalid"
		    CERTIFICATE_HINT, f->lab->url);
	return wd_error(w);
}

/* ---- loading ---------------------------------------------------------------------------- */

void
page_load_set_limits(struct wd *w, long timeout_ms)
{
	wd_do(w, "POST", "timeouts", json_pack("{s:i, s:i}", "script", (int)timeout_ms,
	    "pageLoad", (int)timeout_ms), CALL_MS);
}

static int
navigate(struct wd *w, const char *url, long timeout_ms)
{
	page_load_set_limits(w, timeout_ms);
	return wd_do(w, "POST", "url", json_pack("{s:s}", "url", url), timeout_ms + SLACK_MS);
}

/* labserve's JupyterLab opens the notebook when its page is asked to. */
static char *
address_of(const struct server_files *f)
{
	char *workspace = xasprintf("%slab/workspaces/%s", f->lab->url, f->workspace);
	if (f->lab->held)
		return workspace;
	char *tree = xasprintf("%s/tree/", workspace), *url = url_path(tree, f->path);
	free(workspace);
	free(tree);
	return url;
}

static int
ask_to_open(struct wd *w, const struct server_files *f)
{
	return wd_script_do(w, "window.__nbscopeReuse.load(arguments[0]); return true",
	    json_pack("[s]", f->path), CALL_MS);
}

/* The answer of K.waitReady(). A page that is still loading does not notice that its server
 * is lost: the server itself is checked in between; then *error is the reason. */
static json_t *
wait_ready(struct wd *w, struct server_files *f, long ready_ms, char **error)
{
	uint64_t end_ns = clock_monotonic_ns() + (uint64_t)ready_ms * 1000000u, silent_since_ns = 0;
	int step_ms = ready_ms < CHECK_MS ? (int)ready_ms : CHECK_MS;
	json_t *ready;
	for (;; ) {
		ready = wd_script_async(w,
		    "window.__nbscopeKernel.waitReady(arguments[0]).then(done)",
		    json_pack("[i]", step_ms), ready_ms + SLACK_MS);
		bool lost = ready && !json_is_null(json_object_get(ready, "lost"));
		if (!ready || lost || lab_keys_flag(ready, "ready") || http_stop ||
		    clock_monotonic_ns() >= end_ns)
			break;
		if ((*error = kernel_start_fault(f, &silent_since_ns)))
			break;
		json_decref(ready);
	}
	return ready;
}

static int
focus_notebook(struct wd *w, char **error)
{
	if (lab_keys_focus(w, FOCUS_MS) == 0)
		return 0;
	*error = lab_keys_obstacle(w);
	if (!*error)
		*error = wd_error(w);
	return -1;
}

int
page_load(struct wd *w, struct server_files *f, long ready_ms, char **error)
{
	int armed = arm_scripts(w);
	char *url = address_of(f);
	bool open = set_cookies(w, f->lab) == 0 && navigate(w, url, ready_ms) == 0 &&
	    (armed == 0 || page_load_scripts(w) == 0);
	free(url);
	if (!open) {
		*error = why_not_open(w, f, ready_ms);
		return -1;
	}
	if ((*error = why_error_page(w, f->lab->url)))
		return -1;
	if (f->lab->held && ask_to_open(w, f) != 0) {
		*error = wd_error(w);
		return -1;
	}
	return page_load_wait(w, f, ready_ms, error);
}

int
page_load_wait(struct wd *w, struct server_files *f, long ready_ms, char **error)
{
	json_t *ready = wait_ready(w, f, ready_ms, error);
	bool ok = lab_keys_flag(ready, "ready");
	f->loading_ms = ok ? json_number_value(json_object_get(ready, "loadingMs")) : (double)NAN;
	if (!ok && !*error)
		*error = ready ? why_not_ready(w, ready) : wd_error(w);
	json_decref(ready);
	return ok ? focus_notebook(w, error) : -1;
}
