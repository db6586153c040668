/* wd_script.c: scripts and DevTools commands in the page of a WebDriver session. */
#include "browser/wd_script.h"
#include "browser/wd_addon.h"

enum { CDP_MS = 30000 };

static json_t *
execute_script(struct wd *w, const char *path, const char *script, json_t *args, long timeout_ms)
{
	json_t *body = json_pack("{s:s, s:o}", "script", script,
	    "args", args ? json_incref(args) : json_array());
	json_t *value = wd_call(w, "POST", path, body, timeout_ms);
	json_decref(body);
	return value;
}

json_t *
wd_script(struct wd *w, const char *script, json_t *args, long timeout_ms)
{
	return execute_script(w, "execute/sync", script, args, timeout_ms);
}

json_t *
wd_script_async(struct wd *w, const char *script, json_t *args, long timeout_ms)
{
	return execute_script(w, "execute/async", script, args, timeout_ms);
}

json_t *
wd_script_cdp(struct wd *w, const char *method, json_t *params)
{
	json_t *body = json_pack("{s:s, s:O}", "cmd", method, "params", params);
	json_t *value = wd_call(w, "POST", "goog/cdp/execute", body, CDP_MS);
	json_decref(body);
	return value;
}

int
wd_script_add(struct wd *w, const char *script)
{
	json_t *params = json_pack("{s:s}", "source", script);
	json_t *done = wd_script_cdp(w, "Page.addScriptToEvaluateOnNewDocument", params);
	json_decref(params);
	json_decref(done);
	return done ? 0 : wd_addon_add_script(w, script);
}
