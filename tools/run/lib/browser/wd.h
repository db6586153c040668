/* wd.h: a WebDriver session. */
#pragma once

#include "net/http.h"

struct wd {
	char *session;	/* http://127.0.0.1:4444/session/ID */
	struct http *http;
	/* The last error: "javascript error", "no such window" ..., or "no answer" if the driver
	 * did not answer in time. */
	char *code;
	char *message;	/* its first line */
	unsigned alerts;	/* JavaScript dialogs that the driver has closed so far */
};
struct wd *wd_open(const char *session_url);
void wd_close(struct wd *);	/* frees it; the session stays open */
/* The last error in one line, "code: message"; the caller's. */
char *wd_error(struct wd *);
/* These take over the body, the args (an array) or the params; NULL: none.  They return the
 * answer's value, or NULL: see code and message; those that end in _do 0, or -1.
 * `path` is below the session, e.g. "url" or "actions". */
json_t *wd_call(struct wd *, const char *method, const char *path, json_t *body, long timeout_ms);
int wd_do(struct wd *, const char *method, const char *path, json_t *body, long timeout_ms);
/* Run a function body; an async one ends by calling done(). */
json_t *wd_script(struct wd *, const char *script, json_t *args, long timeout_ms);
int wd_script_do(struct wd *, const char *script, json_t *args, long timeout_ms);
json_t *wd_script_async(struct wd *, const char *script, json_t *args, long timeout_ms);
/* One DevTools command: chromedriver only. */
json_t *wd_script_cdp(struct wd *, const char *method, json_t *params);
