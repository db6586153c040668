/* lab.c: a Jupyter server, nbscope's own or the user's: opening it, REST. */
#include "jupyter/lab.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/str.h"
#include "json/json_text.h"
#include "jupyter/login.h"

#include <ctype.h>

enum { CALL_MS = 120000, OPEN_MS = 15000, RETRY_MS = 200, MAX_RETRIES = 3 };

bool lab_insecure;

const char *
lab_certificate(void)
{
	return str_nonempty(getenv("JUPYTERLAB_CERT"));
}

bool
lab_is_too_old(const char *version)
{
	return !isdigit((unsigned char)*version) || strverscmp(version, LAB_MIN_VERSION) < 0;
}

/* ---- opening ---------------------------------------------------------------------------- */

/* "http://host/base/hub/" if the address is one of a hub's pages, else NULL. */
static char *
hub_of(const char *url)
{
	const char *at = strstr(url, "/hub/");
	bool in_path = at && (size_t)(at - url) < strcspn(url, "?#");
	return in_path ? xasprintf("%.*s/hub/", (int)(at - url), url) : NULL;
}

/* Repeated while the server answers 5xx, as it may while one of its kernels starts or ends. */
static void
get_page(struct lab *l, const char *path, bool follow, struct http_reply *r)
{
	char *url = xasprintf("%s%s", l->url, path);
	struct http_request q = {.method = "GET", .url = url, .timeout_ms = OPEN_MS,
	    .follow = follow};
	http_call(l->http, &q, r);
	for (int retry = 0; retry < MAX_RETRIES && r->status >= 500; retry++) {
		http_reply_free(r);
		clock_pause_ms(RETRY_MS);
		http_call(l->http, &q, r);
	}
	free(url);
}

/* Checks that this is a Jupyter server, which reports its version to everybody or refuses
 * users that are not logged in. If it is behind a hub, *hub is that one's address. */
static bool
ask_server(struct lab *l, char **hub)
{
	struct http_reply r;
	get_page(l, "api", true, &r);
	json_t *answer = json_loadb(r.body, r.n, 0, NULL);
	const char *version = json_string_value(json_object_get(answer, "version"));
	char *at = r.status ? hub_of(r.url) : NULL;
	const char *user = strstr(l->url, "/user/");
	/* If a named server is not running, the user's other server answers. */
	if (!at && user && r.status == 404)
		at = xasprintf("%.*s/hub/", (int)(user - l->url), l->url);
	bool refused = json_object_get(answer, "message") && (r.status == 401 || r.status == 403);
	if (r.status == 0) {
		login_set_unreachable(l, &r);
	} else if (at && hub && login_stays(l, at)) {
		*hub = at;
		at = NULL;
	} else if (at && hub) {
		/* login_stays() has set the error. */
	} else if (r.status == 200 && version) {
		free(l->version);
		l->version = xstrdup(version);
	} else if (!(hub && refused)) {
		lab_set_error(l, "'%s' is not a Jupyter server (it answers %ld)", l->url, r.status);
	}
	free(at);
	json_decref(answer);
	http_reply_free(&r);
	return !*l->error;
}

/* A page of the server redirects users that are not logged in to a form. */
static bool
log_in(struct lab *l, const struct lab_env *who)
{
	struct http_reply r;
	get_page(l, "lab", true, &r);
	char *hub = r.status ? hub_of(r.url) : NULL;
	bool good = true;
	if (r.status == 0) {
		login_set_unreachable(l, &r);
		good = false;
	} else if (!login_stays(l, r.url)) {
		good = false;
	} else if (hub) {
		good = login_hub(l, hub, who);
	} else if (strstr(r.url, "/login")) {
		good = login_form(l, r.url, who);
	}
	http_reply_free(&r);
	free(hub);
	return good;
}

static bool
ask_access(struct lab *l, const struct lab_env *who)
{
	struct http_reply r;
	login_send_xsrf(l, l->url);
	get_page(l, "api/status", false, &r);
	long status = r.status;
	const char *with = who->token ? "token" : who->password ? "password" : NULL;
	if (status == 0)
		login_set_unreachable(l, &r);
	else if (status >= 500)
		lab_set_error(l, "'%s' answers %ld: its log may say why", l->url, status);
	else if (status != 200 && with)
		lab_set_error(l, "'%s' refuses the %s (%ld)", l->url, with, status);
	else if (status != 200)
		lab_set_error(l, "'%s' requires a login (%ld): set JUPYTERLAB_TOKEN or "
		    "JUPYTERLAB_PASSWORD", l->url, status);
	http_reply_free(&r);
	return status == 200;
}

/* JupyterLab's version is in the page that it serves. */
static bool
ask_lab_version(struct lab *l)
{
	struct http_reply r;
	get_page(l, "lab", true, &r);
	const char *at = strstr(r.body, "\"appVersion\"");
	char version[32] = "";
	if (r.status == 0) {
		login_set_unreachable(l, &r);
	} else if (r.status == 404) {
		lab_set_error(l, "'%s' has no JupyterLab", l->url);
	} else if (at && sscanf(at, "\"appVersion\" : \"%31[^\"]\"", version) == 1) {
		l->lab_version = xstrdup(version);
		if (lab_is_too_old(version))
			lab_set_error(l, "JupyterLab %s of '%s' is too old: at least "
			    LAB_MIN_VERSION " is required", version, l->url);
	}
	http_reply_free(&r);
	login_send_xsrf(l, l->url);
	return !*l->error;
}

static bool
enter_server(struct lab *l, const struct lab_env *who)
{
	char *hub = NULL;
	if (who->token) {
		char *value = xasprintf("token %s", who->token);
		http_header(l->http, "Authorization", value);
		free(value);
	}
	bool in = ask_server(l, &hub);
	if (in && hub && !who->token && !who->password) {
		lab_set_error(l, "JupyterHub at '%s' requires a login: set JUPYTERLAB_TOKEN, or "
		    "JUPYTERLAB_USERNAME and JUPYTERLAB_PASSWORD", l->url);
		in = false;
	} else if (in && hub) {
		in = login_hub(l, hub, who);
	} else if (in && who->password && !who->token) {
		in = log_in(l, who);
	}
	free(hub);
	in = in && ask_access(l, who);
	return in && (l->version || ask_server(l, NULL)) && ask_lab_version(l);
}

struct lab *
lab_open(char error[512])
{
	struct lab_env who;
	if (!lab_env_read(&who, error)) {
		lab_env_free(&who);
		return NULL;
	}
	const char *held = getenv("LABSERVE_URL");
	struct lab *l = xmalloc(sizeof *l);
	*l = (struct lab){.url = xstrdup(who.url), .http = http_open(),
	    .held = held && strcmp(held, who.url) == 0};
	http_trust(l->http, lab_certificate());
	if (lab_insecure) {
		http_insecure(l->http);
		if (strncmp(l->url, "https:", 6) == 0)
			warn("the certificate of '%s' is not checked (--insecure)", l->url);
	}
	if (enter_server(l, &who)) {
		/* Child processes get the base address, and the token apart from it. */
		xsetenv("JUPYTERLAB_URL", l->url);
		if (who.token)
			xsetenv("JUPYTERLAB_TOKEN", who.token);
	} else {
		snprintf(error, 512, "%s", l->error);
		lab_close(l);
		l = NULL;
	}
	lab_env_free(&who);
	return l;
}

void
lab_close(struct lab *l)
{
	if (!l)
		return;
	http_close(l->http);
	free(l->url);
	free(l->version);
	free(l->lab_version);
	free(l);
}

/* ---- REST ------------------------------------------------------------------------------- */

static void
set_refusal(struct lab *l, const char *method, const char *path, const struct http_reply *r)
{
	json_t *answer = json_loadb(r->body, r->n, JSON_ALLOW_NUL, NULL);
	const char *message = json_string_value(json_object_get(answer, "message"));
	if (!message)
		message = "";
	lab_set_error(l, "%s '%s': the server answers %ld%s%.*s", method, path, r->status,
	    *message ? ": " : "", (int)strcspn(message, "\n"), message);
	json_decref(answer);
}

json_t *
lab_call(struct lab *l, const char *method, const char *path, json_t *body, long *status)
{
	struct http_reply r;
	char *url = xasprintf("%s%s", l->url, path), *text = body ? json_text_of(body) : NULL;
	http_call(l->http, &(struct http_request){.method = method, .url = url, .body = text,
	    .timeout_ms = l->limit_ms ? l->limit_ms : CALL_MS}, &r);
	json_decref(body);
	free(text);
	json_t *answer = NULL;
	*l->error = '\0';
	if (status)
		*status = r.status;
	if (r.status == 0)
		lab_set_error(l, "%s '%s': %s", method, path, r.error);
	else if (r.status < 200 || r.status > 299)
		set_refusal(l, method, path, &r);
	else if (r.n == 0)
		answer = json_null();
	else if (!(answer = json_loadb(r.body, r.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL)))
		lab_set_error(l, "%s '%s': the server's answer is not JSON", method, path);
	http_reply_free(&r);
	free(url);
	return answer;
}

bool
lab_has_kernel(struct lab *l, const char *name)
{
	json_t *specs = lab_call(l, "GET", "api/kernelspecs", NULL, NULL), *spec;
	json_t *all = json_object_get(specs, "kernelspecs");
	const char *other;
	struct buf b = {0};
	bool has = !all || json_object_get(all, name);
	json_object_foreach(all, other, spec)
		buf_addf(&b, " %s", other);
	if (!has)
		lab_set_error(l, "no kernel '%.80s' on the server; it has:%.380s", name,
		    b.p ? b.p : " none");
	buf_free(&b);
	json_decref(specs);
	return has;
}
