/* login.c: logging in to the user's own Jupyter server: its password form; JupyterHub's form,
 * OAuth and server start.
 * A password goes into the body of a form and a token into a header: never into a URL, since
 * URLs are logged. */
#include "jupyter/login.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/kernel_call.h"
#include "net/url.h"

#include <strings.h>

enum { CALL_MS = 30000, SPAWN_MS = 90000, FIRST_STEP_MS = 50, MAX_STEP_MS = 800 };

void
login_set_unreachable(struct lab *l, const struct http_reply *r)
{
	bool tls = strstr(r->error, "certificate") || strstr(r->error, "SSL");
	lab_set_error(l, "cannot reach '%s': %s%s", l->url, r->error,
	    tls ? " (--insecure, or the variable INSECURE=1, accepts any certificate)" : "");
}

static bool
is_subdomain(const char *host, size_t n, const char *domain, size_t m)
{
	return n > m && host[n - m - 1] == '.' && strncasecmp(host + n - m, domain, m) == 0;
}

bool
login_stays(struct lab *l, const char *url)
{
	const char *a = strstr(l->url, "://"), *b = strstr(url, "://");
	bool downgraded = strncmp(l->url, "https:", 6) == 0 && strncmp(url, "https:", 6) != 0;
	if (a && b && !downgraded) {
		size_t n = strcspn(a += 3, "/?#"), m = strcspn(b += 3, "/?#");
		if ((n == m && strncasecmp(a, b, n) == 0) || is_subdomain(a, n, b, m) ||
		    is_subdomain(b, m, a, n))
			return true;
	}
	lab_set_error(l, "'%s' redirects to '%.*s', which gets neither token nor password (if this "
	    "is right, set JUPYTERLAB_URL to it)", l->url, (int)strcspn(url, "?#"), url);
	return false;
}

/* A hub and each of its servers set an _xsrf cookie of their own: the one that counts has the
 * longest path that the address begins with. */
static char *
find_xsrf(struct lab *l, const char *url)
{
	json_t *all = http_cookies(l->http), *cookie;
	const char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
	size_t i, longest = 0;
	char *found = NULL;
	json_array_foreach(all, i, cookie) {
		const char *name = json_string_value(json_object_get(cookie, "name"));
		const char *prefix = json_string_value(json_object_get(cookie, "path"));
		size_t n = strlen(prefix);
		if (strcmp(name, "_xsrf") != 0 || n < longest ||
		    strncmp(path ? path : "/", prefix, n) != 0)
			continue;
		free(found);
		found = xstrdup(json_string_value(json_object_get(cookie, "value")));
		longest = n;
	}
	json_decref(all);
	return found ? found : xstrdup("");
}

void
login_send_xsrf(struct lab *l, const char *url)
{
	char *xsrf = find_xsrf(l, url);
	http_header(l->http, "X-XSRFToken", xsrf);
	free(xsrf);
}

static void
get_form(struct lab *l, const char *url, struct http_reply *r)
{
	login_send_xsrf(l, url);
	http_call(l->http, &(struct http_request){.method = "GET", .url = url,
	    .timeout_ms = CALL_MS, .follow = true}, r);
}

void
login_post(struct lab *l, const char *url, const char *form, struct http_reply *r)
{
	struct http_request q = {.method = "POST", .url = url, .body = "{}", .timeout_ms = CALL_MS};
	if (form) {
		q.body = form;
		q.content_type = "application/x-www-form-urlencoded";
		q.follow = true;
	}
	login_send_xsrf(l, url);
	http_call(l->http, &q, r);
}

static bool
has_part(const char *url, const char *part)
{
	size_t n = strcspn(url, "?#"), len = strlen(part);
	for (const char *p = strstr(url, part); p && (size_t)(p - url) < n; p = strstr(p + 1, part))
		if (p[len] == '\0' || strchr("/?#", p[len]) || part[len - 1] == '/')
			return true;
	return false;
}

bool
login_form(struct lab *l, const char *page, const struct lab_env *who)
{
	struct http_reply r;
	get_form(l, page, &r);
	http_reply_free(&r);
	char *xsrf = find_xsrf(l, page);
	struct buf form = {0};
	buf_addf(&form, "_xsrf=");
	url_add_escaped(&form, xsrf, "");
	buf_addf(&form, "&username=");
	url_add_escaped(&form, who->user ? who->user : "", "");
	buf_addf(&form, "&password=");
	url_add_escaped(&form, who->password, "");
	login_post(l, page, form.p, &r);
	kernel_call_wipe(form.p, form.n);
	buf_free(&form);
	free(xsrf);
	/* A refused form is shown again. */
	bool in = r.status >= 200 && r.status < 400 && !has_part(r.url, "/login");
	if (r.status == 0)
		login_set_unreachable(l, &r);
	else if (!in && r.status >= 500)
		lab_set_error(l, "cannot log in at '%s': it answers %ld", l->url, r.status);
	else if (!in)
		lab_set_error(l, "'%s' refuses the password%s", l->url,
		    who->user ? " or the user's name" : "");
	http_reply_free(&r);
	return in;
}

/* Who the hub says we are; NULL and l->error otherwise. */
static char *
hub_user(struct lab *l, const char *hub, const struct lab_env *who)
{
	struct http_reply r;
	char *url = xasprintf("%sapi/user", hub), *copy = NULL;
	get_form(l, url, &r);
	json_t *user = json_loadb(r.body, r.n, 0, NULL);
	const char *name = json_string_value(json_object_get(user, "name"));
	if (r.status == 0)
		login_set_unreachable(l, &r);
	else if (r.status != 200 || !name)
		lab_set_error(l, "JupyterHub at '%s' refuses the %s (%ld)", l->url,
		    who->token ? "token" : "login", r.status);
	else
		copy = xstrdup(name);
	json_decref(user);
	http_reply_free(&r);
	free(url);
	return copy;
}

/* "NAME/" or "NAME/SERVER/" of "/user/NAME/SERVER/" in the address, or NULL. */
static const char *
server_name(const char *url)
{
	const char *at = strstr(url, "/user/");
	return at && at[6] ? at + 6 : NULL;
}

/* Asks the hub to start the server that l->url names; it may be running already. */
static bool
start_server(struct lab *l, const char *hub)
{
	const char *name = server_name(l->url);
	int n = (int)strcspn(name, "/");
	const char *server = name[n] ? name + n + 1 : "";
	char *url = *server ? xasprintf("%sapi/users/%.*s/servers/%.*s", hub, n, name,
	    (int)strcspn(server, "/"), server) : xasprintf("%sapi/users/%.*s/server", hub, n, name);
	char *home = xasprintf("%shome", hub);
	struct http_reply r;
	/* Any page of the hub renews the _xsrf cookie, which older hubs do not at the login. */
	get_form(l, home, &r);
	http_reply_free(&r);
	free(home);
	login_post(l, url, NULL, &r);
	/* 400: it runs already, or is starting. */
	bool good = r.status == 201 || r.status == 202 || r.status == 400;
	if (r.status == 0)
		login_set_unreachable(l, &r);
	else if (!good)
		lab_set_error(l, "JupyterHub does not start '%s' (%ld)", l->url, r.status);
	http_reply_free(&r);
	free(url);
	return good;
}

/* Requests its page, which involves the hub's OAuth. */
static bool
server_answers(struct lab *l, bool *refused)
{
	struct http_reply r;
	char *url = xasprintf("%slab", l->url);
	get_form(l, url, &r);
	bool up = r.status == 200 && strncmp(r.url, l->url, strlen(l->url)) == 0;
	/* A 404 may also come from the user's other server. */
	*refused = r.status == 403 || (r.status == 404 && has_part(r.url, "/hub/"));
	if (r.status == 0)
		login_set_unreachable(l, &r);
	http_reply_free(&r);
	free(url);
	return up;
}

static bool
wait_server(struct lab *l, const char *hub)
{
	uint64_t end_ns = clock_monotonic_ns() + SPAWN_MS * UINT64_C(1000000);
	bool refused, started = false;
	long ms = FIRST_STEP_MS;
	while (!server_answers(l, &refused)) {
		if (*l->error)
			return false;
		if (refused || clock_monotonic_ns() >= end_ns) {
			lab_set_error(l, refused ? "JupyterHub refuses '%s'" :
			    "JupyterHub does not start '%s' in time", l->url);
			return false;
		}
		if (!started && !start_server(l, hub))
			return false;
		started = true;
		clock_pause_ms(ms);
		ms = ms < MAX_STEP_MS ? 2 * ms : ms;
	}
	return true;
}

bool
login_hub(struct lab *l, const char *hub, const struct lab_env *who)
{
	if (!who->token) {
		char *page = xasprintf("%slogin", hub);
		bool in = login_form(l, page, who);
		free(page);
		if (!in)
			return false;
	}
	char *name = hub_user(l, hub, who);
	if (!name)
		return false;
	if (!server_name(l->url)) {
		struct buf b = {0};
		buf_addf(&b, "%.*suser/", (int)(strlen(hub) - strlen("hub/")), hub);
		/* The hub itself quotes names in this way. */
		url_add_escaped(&b, name, "@");
		buf_addf(&b, "/");
		free(l->url);
		l->url = b.p;
	}
	free(name);
	return wait_server(l, hub);
}
