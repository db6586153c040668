/* login.c: the ways into a Jupyter server that is not ours: its password form,
 * and JupyterHub's form, its OAuth and its starting of servers.
 *
 * A password goes into a form's body, a token into a header: never into a URL,
 * since those stand in logs.
 */
#include "login.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CALL_MS = 30000, SPAWN_MS = 90000, FIRST_STEP_MS = 50, LAST_STEP_MS = 1000 };

void
add_escaped(struct buf *b, const char *text, const char *keep)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		if (strchr(plain, *p) || strchr(keep, *p))
			buf_add(b, p, 1);
		else
			buf_addf(b, "%%%02X", *p);
}

void
unreachable(struct lab *l, const struct reply *r)
{
	bool tls = strstr(r->error, "certificate") || strstr(r->error, "SSL");
	snprintf(l->error, sizeof l->error, "cannot reach '%s': %s%s", l->url, r->error,
	    tls ? " (--insecure, with make INSECURE=1, accepts any certificate)" : "");
}

/* Where "host:port" ends. */
static size_t
host_end(const char *host)
{
	return strcspn(host, "/?#");
}

static bool
ends_in_domain(const char *host, size_t n, const char *domain, size_t m)
{
	return n > m && host[n - m - 1] == '.' && strncasecmp(host + n - m, domain, m) == 0;
}

bool
login_stays(struct lab *l, const char *url)
{
	const char *a = strstr(l->url, "://"), *b = strstr(url, "://");
	bool downgraded = strncmp(l->url, "https:", 6) == 0 && strncmp(url, "https:", 6) != 0;
	size_t n = a ? host_end(a += 3) : 0, m = b ? host_end(b += 3) : 0;
	if (a && b && !downgraded && ((n == m && strncasecmp(a, b, n) == 0) ||
	    ends_in_domain(a, n, b, m) || ends_in_domain(b, m, a, n)))
		return true;
	snprintf(l->error, sizeof l->error, "'%s' sends to '%.*s', which gets neither token nor password: if it is right, name it in JUPYTERLAB_URL",
	    l->url, (int)strcspn(url, "?#"), url);
	return false;
}

/* A hub and each of its servers set an _xsrf of their own: that one counts
 * whose path is the longest that the address begins with. */
static char *
xsrf_of(struct lab *l, const char *url)
{
	json_t *all = http_cookies(l->http), *cookie;
	const char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
	size_t i, best = 0;
	char *found = NULL;
	json_array_foreach(all, i, cookie) {
		const char *at = json_string_value(json_object_get(cookie, "path"));
		size_t n = strlen(at);
		if (strcmp(json_string_value(json_object_get(cookie, "name")), "_xsrf") != 0 || n < best ||
		    strncmp(path ? path : "/", at, n) != 0)
			continue;
		free(found);
		found = xstrdup(json_string_value(json_object_get(cookie, "value")));
		best = n;
	}
	json_decref(all);
	return found;
}

void
login_xsrf(struct lab *l, const char *url)
{
	char *xsrf = xsrf_of(l, url);
	http_header(l->http, "X-XSRFToken", xsrf ? xsrf : "");
	free(xsrf);
}

void
login_get(struct lab *l, const char *url, struct reply *r)
{
	login_xsrf(l, url);
	http_call(l->http, &(struct request){.method = "GET", .url = url, .timeout_ms = CALL_MS, .follow = true}, r);
}

void
login_post(struct lab *l, const char *url, const char *form, struct reply *r)
{
	login_xsrf(l, url);
	http_call(l->http, &(struct request){.method = "POST", .url = url, .body = form ? form : "{}", .timeout_ms = CALL_MS,
	    .content_type = form ? "application/x-www-form-urlencoded" : NULL, .follow = form != NULL}, r);
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
login_form(struct lab *l, const char *page, const struct login *who)
{
	struct reply r;
	login_get(l, page, &r);
	reply_free(&r);
	char *xsrf = xsrf_of(l, page);
	struct buf form = {0};
	buf_addf(&form, "_xsrf=");
	add_escaped(&form, xsrf ? xsrf : "", "");
	buf_addf(&form, "&username=");
	add_escaped(&form, who->user ? who->user : "", "");
	buf_addf(&form, "&password=");
	add_escaped(&form, who->password, "");
	login_post(l, page, form.p, &r);
	explicit_bzero(form.p, form.n);
	buf_free(&form);
	free(xsrf);
	/* A refused form is shown again. */
	bool in = r.status >= 200 && r.status < 400 && !has_part(r.url, "/login");
	if (r.status == 0)
		unreachable(l, &r);
	else if (!in && r.status >= 500)
		snprintf(l->error, sizeof l->error, "'%s' cannot log in: it answers %ld", l->url, r.status);
	else if (!in)
		snprintf(l->error, sizeof l->error, "'%s' refuses the password%s", l->url, who->user ? " or the user's name" : "");
	reply_free(&r);
	return in;
}

/* Who the hub says we are; NULL and l->error otherwise. */
static char *
hub_user(struct lab *l, const char *hub, const struct login *who)
{
	struct reply r;
	char *url = xasprintf("%sapi/user", hub), *name = NULL;
	login_get(l, url, &r);
	json_t *user = json_loadb(r.body, r.n, 0, NULL);
	const char *said = json_string_value(json_object_get(user, "name"));
	if (r.status == 0)
		unreachable(l, &r);
	else if (r.status != 200 || !said)
		snprintf(l->error, sizeof l->error, "JupyterHub at '%s' refuses the %s (%ld)", l->url,
		    who->token ? "token" : "login", r.status);
	else
		name = xstrdup(said);
	json_decref(user);
	reply_free(&r);
	free(url);
	return name;
}

/* "/user/NAME/" or "/user/NAME/SERVER/" of the address, or NULL. */
static const char *
server_part(const char *url)
{
	const char *at = strstr(url, "/user/");
	return at && at[6] ? at : NULL;
}

/* Asks the hub to start the server that l->url names; it may run already. */
static bool
start_server(struct lab *l, const char *hub)
{
	const char *name = server_part(l->url) + 6;
	size_t n = strcspn(name, "/");
	const char *server = name[n] ? name + n + 1 : "";
	char *url = *server ? xasprintf("%sapi/users/%.*s/servers/%.*s", hub, (int)n, name, (int)strcspn(server, "/"), server)
	    : xasprintf("%sapi/users/%.*s/server", hub, (int)n, name);
	char *home = xasprintf("%shome", hub);
	struct reply r;
	/* Any page of the hub's renews the _xsrf cookie, which older hubs do not
	 * do at the login. */
	login_get(l, home, &r);
	reply_free(&r);
	free(home);
	login_post(l, url, NULL, &r);
	/* 400: it runs already, or is on its way. */
	bool good = r.status == 201 || r.status == 202 || r.status == 400;
	if (r.status == 0)
		unreachable(l, &r);
	else if (!good)
		snprintf(l->error, sizeof l->error, "JupyterHub does not start '%s' (%ld)", l->url, r.status);
	reply_free(&r);
	free(url);
	return good;
}

/* Its page, once it runs; the way there goes through the hub's OAuth. */
static bool
server_answers(struct lab *l, bool *refused)
{
	struct reply r;
	char *url = xasprintf("%slab", l->url);
	login_get(l, url, &r);
	bool up = r.status == 200 && strncmp(r.url, l->url, strlen(l->url)) == 0;
	/* The user's other server may be the one that does not know the page. */
	*refused = r.status == 403 || (r.status == 404 && has_part(r.url, "/hub/"));
	if (r.status == 0)
		unreachable(l, &r);
	reply_free(&r);
	free(url);
	return up;
}

static bool
wait_server(struct lab *l, const char *hub)
{
	uint64_t end = now_ns() + (uint64_t)SPAWN_MS * 1000000u;
	bool refused, asked = false;
	for (long ms = FIRST_STEP_MS; !server_answers(l, &refused); ms = ms * 2 < LAST_STEP_MS ? ms * 2 : LAST_STEP_MS) {
		if (*l->error)
			return false;
		if (refused || now_ns() >= end) {
			snprintf(l->error, sizeof l->error, refused ? "JupyterHub refuses '%s'" :
			    "JupyterHub does not start '%s' in time", l->url);
			return false;
		}
		if (!asked && !start_server(l, hub))
			return false;
		asked = true;
		pause_ms(ms);
	}
	return true;
}

bool
login_hub(struct lab *l, const char *hub, const struct login *who)
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
	if (!server_part(l->url)) {
		struct buf b = {0};
		/* The hub's own quoting of names. */
		buf_addf(&b, "%.*suser/", (int)(strlen(hub) - strlen("hub/")), hub);
		add_escaped(&b, name, "@");
		buf_addf(&b, "/");
		free(l->url);
		l->url = b.p;
	}
	free(name);
	return wait_server(l, hub);
}
