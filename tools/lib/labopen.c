/* labopen.c: a notebook opened in JupyterLab, until its kernel is really ready. */
#include "labkeys.h"
#include "kernelend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CALL_MS = 30000, SLACK_MS = 15000, LOOK_MS = 2000, SILENT_MS = 10000 };

/* In this order, each builds on those before it; one call for all. */
static char *
scripts(void)
{
	return xasprintf("%s%s%s%s%s", page_watch_js, page_usage_js, page_message_js, page_outputs_js, page_kernel_js);
}

static int
arm(struct wd *w)
{
	char *all = scripts();
	int armed = browser_arm(w, all);
	free(all);
	return armed;
}

int
page_inject(struct wd *w)
{
	char *all = scripts();
	json_t *done = wd_script(w, all, NULL, CALL_MS);
	free(all);
	json_decref(done);
	return done ? 0 : -1;
}

static int
give_cookies(struct wd *w, struct lab *lab)
{
	json_t *cookies = lab_cookies(lab), *cookie;
	size_t i;
	int bad = cookies ? 0 : -1;
	json_array_foreach(cookies, i, cookie)
		if (browser_cookie(w, lab->url, cookie) != 0)
			bad = -1;
	json_decref(cookies);
	return bad;
}

static int
navigate(struct wd *w, struct place *p, long timeout_ms)
{
	char *before = xasprintf("%slab/workspaces/%s/tree/", p->lab->url, p->workspace), *url = url_path(before, p->path);
	json_t *body = json_pack("{s:s}", "url", url);
	json_t *limits = json_pack("{s:i, s:i}", "script", (int)timeout_ms, "pageLoad", (int)timeout_ms);
	json_decref(wd_call(w, "POST", "timeouts", limits, CALL_MS));
	json_t *done = wd_call(w, "POST", "url", body, timeout_ms + SLACK_MS);
	json_decref(limits);
	json_decref(body);
	json_decref(done);
	free(before);
	free(url);
	return done ? 0 : -1;
}

static double
loaded_mb(struct wd *w)
{
	json_t *bytes = wd_script(w, "return performance.getEntriesByType('resource').reduce((sum, e) => sum + e.transferSize, 0)", NULL, CALL_MS);
	double mb = json_number_value(bytes) / 1e6;
	json_decref(bytes);
	return mb;
}

/* Why a page did not become ready, in words for people. */
static char *
why_not_ready(struct wd *w, const json_t *ready)
{
	json_t *state = panel_state(w);
	const char *dialog = json_string_value(json_object_get(state, "dialog"));
	const char *lost = json_string_value(json_object_get(json_object_get(ready, "lost"), "state"));
	char *why;
	if (!state)
		why = wd_fault(w);
	else if (is_true_at(state, "login"))
		why = xstrdup("the server shows a login page");
	else if (dialog)
		why = xasprintf("JupyterLab shows a dialog: %s", dialog);
	else if (lost)
		why = xasprintf("the kernel said '%s' while it started", lost);
	else if (!is_true_at(state, "panel"))
		why = xasprintf("JupyterLab did not open the notebook in time; of its page %.1f MB had come", loaded_mb(w));
	else
		why = xasprintf("the kernel did not become ready (kernel_info_reply %s, idle after it %s)",
		    is_true_at(ready, "reply") ? "seen" : "not seen", is_true_at(ready, "idle") ? "seen" : "not seen");
	json_decref(state);
	return why;
}

/* Chromium shows a page of its own where a certificate is bad, and its driver
 * says that all went well. */
static char *
error_page(struct wd *w, const char *url)
{
	json_t *seen = wd_script(w, "return location.protocol === 'chrome-error:' ? "
	    "(document.body.innerText.match(/ERR_\\w+/) || ['no reason given'])[0] : null", NULL, CALL_MS);
	const char *word = json_string_value(seen);
	char *error = !word ? NULL : xasprintf("the browser opens no page of '%s': %.80s%s", url, word,
	    strstr(word, "CERT") ? " (wdsession --insecure, with make INSECURE=1, accepts any certificate)" : "");
	json_decref(seen);
	return error;
}

/* Why the server has our kernel no more. */
static char *
why_gone(struct place *p)
{
	json_t *end = kernel_end(p->lab, p->kernel_id, NULL);
	p->stillborn = json_is_string(json_object_get(end, "signal")) || json_is_integer(json_object_get(end, "exit_status"));
	const char *said = json_string_value(json_object_get(end, "last_words"));
	char *words = kernel_end_words(end, "gone"), *why = !p->stillborn ?
	    xstrdup("the server has the notebook's kernel no more: it was started again, or the kernel was ended, or ended as it started") :
	    xasprintf("the kernel '%s' ended each time as it started: %s%s%s", p->kernel, words, said ? "; its last words: " : "", said ? said : "");
	json_decref(end);
	free(words);
	return why;
}

/* A server that ended, or one in its place that does not have our kernel; NULL: all
 * is well so far. */
static char *
server_lost(struct place *p, uint64_t *silent_since_ns)
{
	char *state = p->kernel_id ? kernel_state(p->lab, p->kernel_id) : xstrdup("not ours");
	bool gone = state && strcmp(state, "gone") == 0;
	free(state);
	if (gone)
		return why_gone(p);
	if (state)
		*silent_since_ns = 0;
	else if (!*silent_since_ns)
		*silent_since_ns = now_ns();
	else if (now_ns() - *silent_since_ns > (uint64_t)SILENT_MS * 1000000u)
		return xasprintf("the server does not answer: %s", p->lab->error);
	return NULL;
}

/* What K.waitReady() answers.  A page that is still loading cannot tell that its
 * server is lost: the server itself is asked in between; then *error is why. */
static json_t *
wait_ready(struct wd *w, struct place *p, long ready_ms, char **error)
{
	uint64_t end = now_ns() + (uint64_t)ready_ms * 1000000u, silent_since_ns = 0;
	json_t *args = json_pack("[i]", ready_ms < LOOK_MS ? (int)ready_ms : LOOK_MS), *ready;
	for (;;) {
		ready = wd_async(w, "const done = arguments[arguments.length - 1];"
		    "window.__nbscopeKernel.waitReady(arguments[0]).then(done)", args, ready_ms + SLACK_MS);
		if (!ready || is_true_at(ready, "ready") || !json_is_null(json_object_get(ready, "lost")) || http_stop || now_ns() >= end)
			break;
		if ((*error = server_lost(p, &silent_since_ns)))
			break;
		json_decref(ready);
	}
	json_decref(args);
	return ready;
}

int
page_open(struct wd *w, struct place *p, long ready_ms, char **error)
{
	int armed = arm(w);
	if (give_cookies(w, p->lab) != 0 || navigate(w, p, ready_ms) != 0 || (armed != 0 && page_inject(w) != 0)) {
		*error = !w->code ? xstrdup(p->lab->error) : strcmp(w->code, "timeout") != 0 ? wd_fault(w) :
		    xasprintf("JupyterLab's page did not load within %ld s: its server or the link to it is slow", ready_ms / 1000);
		return -1;
	}
	if ((*error = error_page(w, p->lab->url)))
		return -1;
	json_t *ready = wait_ready(w, p, ready_ms, error);
	int ok = is_true_at(ready, "ready");
	p->loading_ms = ok ? json_number_value(json_object_get(ready, "loadingMs")) : (double)NAN;
	if (!ok && !*error)
		*error = ready ? why_not_ready(w, ready) : wd_fault(w);
	json_decref(ready);
	return ok && take_focus(w, error) == 0 ? 0 : -1;
}

int
page_selector(struct wd *w, const char *selector)
{
	json_t *args = json_pack("[s?]", selector);
	json_t *done = wd_script(w, "window.__nbscopeWatch.select(arguments[0]); return true", args, CALL_MS);
	json_decref(args);
	json_decref(done);
	return done ? 0 : -1;
}
