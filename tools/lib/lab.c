/* lab.c: a Jupyter server, ours or the user's: its address, the way in, REST. */
#include "kin.h"
#include "login.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALL_MS = 120000, OPEN_MS = 15000, REOPEN_MS = 200, MOST_AGAIN = 3 };

bool lab_insecure;

bool
lab_too_old(const char *version)
{
	int major = 0, minor = 0, oldest_major, oldest_minor;
	sscanf(OLDEST_LAB, "%d.%d", &oldest_major, &oldest_minor);
	if (sscanf(version, "%d.%d", &major, &minor) != 2)
		return true;
	return major < oldest_major || (major == oldest_major && minor < oldest_minor);
}

static const char *
env_of(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

/* Without white space at either end: tokens come from files. */
static char *
trimmed(const char *s)
{
	s += strspn(s, " \t\r\n");
	char *copy = xstrdup(s);
	size_t n = strlen(copy);
	while (n && strchr(" \t\r\n", copy[n - 1]))
		copy[--n] = '\0';
	return copy;
}

/* In place: what a browser shows is percent-encoded. */
static void
unescape(char *s)
{
	char *to = s;
	for (unsigned int byte; *s; *to++ = (char)byte) {
		bool encoded = *s == '%' && strspn(s + 1, "0123456789abcdefABCDEF") >= 2 && sscanf(s + 1, "%2x", &byte) == 1;
		if (!encoded)
			byte = (unsigned char)*s;
		s += encoded ? 3 : 1;
	}
	*to = '\0';
}

/* Cuts the query off, and gives the token that stood in it, or NULL. */
static char *
take_token(char *url)
{
	char *token = NULL, *query = strpbrk(url, "?#");
	if (!query)
		return NULL;
	*query++ = '\0';
	for (char *part; (part = strsep(&query, "?&#")); )
		if (!token && strncmp(part, "token=", 6) == 0 && part[6]) {
			unescape(part);
			token = trimmed(part + 6);
		}
	return token;
}

/* As people copy it from the browser: cut at a page of JupyterLab or of the
 * hub; one "/" at the end. */
static char *
base_of(char *url)
{
	static const char *const pages[] = {"lab", "tree", "login", "hub"};
	char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
	for (char *p = path; p && *p; p = strchr(p + 1, '/')) {
		size_t n = strcspn(p + 1, "/");
		/* A user of the hub may be called "lab". */
		bool name = p - url >= 5 && strncmp(p - 5, "/user", 5) == 0;
		for (size_t i = 0; !name && i < COUNT(pages); i++)
			if (strlen(pages[i]) == n && strncmp(p + 1, pages[i], n) == 0)
				*p = '\0';
	}
	for (size_t n = strlen(url); n && url[n - 1] == '/'; )
		url[--n] = '\0';
	return xasprintf("%s/", url);
}

/* "http://host/base/hub/" where the address is one of a hub's pages, else NULL. */
static char *
hub_of(const char *url)
{
	const char *at = strstr(url, "/hub/");
	return at && (size_t)(at - url) < strcspn(url, "?#") ? xasprintf("%.*s/hub/", (int)(at - url), url) : NULL;
}

/* Asked again where the server stumbles, as it may while one of its kernels comes or goes. */
static void
get(struct lab *l, const char *path, bool follow, struct reply *r)
{
	char *url = xasprintf("%s%s", l->url, path);
	struct request wanted = {.method = "GET", .url = url, .timeout_ms = OPEN_MS, .follow = follow};
	http_call(l->http, &wanted, r);
	for (int again = 0; again < MOST_AGAIN && r->status >= 500; again++) {
		reply_free(r);
		pause_ms(REOPEN_MS);
		http_call(l->http, &wanted, r);
	}
	free(url);
}

/* Is it a Jupyter server?  It tells its version to anybody, or refuses those
 * that are not logged in; a hub sends to itself: then *hub is its address. */
static bool
ask_server(struct lab *l, char **hub)
{
	struct reply r;
	get(l, "api", true, &r);
	json_t *answer = json_loadb(r.body, r.n, 0, NULL);
	const char *version = json_string_value(json_object_get(answer, "version"));
	char *at = r.status ? hub_of(r.url) : NULL;
	const char *user = strstr(l->url, "/user/");
	/* A named server that does not run: its user's other server answers. */
	if (!at && user && r.status == 404)
		at = xasprintf("%.*s/hub/", (int)(user - l->url), l->url);
	if (r.status == 0) {
		unreachable(l, &r);
	} else if (at && hub && !login_stays(l, at)) {
		free(at);
		at = NULL;
	} else if (at && hub) {
		*hub = at;
		at = NULL;
	} else if (r.status == 200 && version) {
		free(l->version);
		l->version = xstrdup(version);
	} else if (!(hub && json_object_get(answer, "message") && (r.status == 401 || r.status == 403))) {
		snprintf(l->error, sizeof l->error, "'%s' is not a Jupyter server (it answers %ld)", l->url, r.status);
	}
	free(at);
	json_decref(answer);
	reply_free(&r);
	return !*l->error;
}

/* Where a page of the server sends those that it does not know: a form. */
static bool
log_in(struct lab *l, const struct login *who)
{
	struct reply r;
	get(l, "lab", true, &r);
	char *hub = r.status ? hub_of(r.url) : NULL, *page = NULL;
	bool good = true;
	if (r.status == 0) {
		unreachable(l, &r);
		good = false;
	} else if (!login_stays(l, r.url)) {
		good = false;
	} else if (hub) {
		good = login_hub(l, hub, who);
	} else if (strstr(r.url, "/login")) {
		page = xstrdup(r.url);
		good = login_form(l, page, who);
	}
	reply_free(&r);
	free(hub);
	free(page);
	return good;
}

static bool
ask_entry(struct lab *l, const struct login *who)
{
	struct reply r;
	login_xsrf(l, l->url);
	get(l, "api/status", false, &r);
	bool in = r.status == 200;
	const char *with = who->token ? "token" : who->password ? "password" : NULL;
	if (r.status == 0)
		unreachable(l, &r);
	else if (r.status >= 500)
		snprintf(l->error, sizeof l->error, "'%s' answers %ld: its log may say why", l->url, r.status);
	else if (!in && with)
		snprintf(l->error, sizeof l->error, "'%s' refuses the %s (%ld)", l->url, with, r.status);
	else if (!in)
		snprintf(l->error, sizeof l->error, "'%s' wants a login (%ld): set JUPYTERLAB_TOKEN, or JUPYTERLAB_PASSWORD",
		    l->url, r.status);
	reply_free(&r);
	return in;
}

/* JupyterLab's version stands in the page that it serves. */
static bool
ask_lab(struct lab *l)
{
	struct reply r;
	get(l, "lab", true, &r);
	const char *at = strstr(r.body, "\"appVersion\"");
	char version[32] = "";
	if (r.status == 0) {
		unreachable(l, &r);
	} else if (r.status == 404) {
		snprintf(l->error, sizeof l->error, "'%s' has no JupyterLab", l->url);
	} else if (at && sscanf(at + strlen("\"appVersion\""), " : \"%31[^\"]\"", version) == 1) {
		l->lab_version = xstrdup(version);
		if (lab_too_old(version))
			snprintf(l->error, sizeof l->error, "JupyterLab %s of '%s' is too old: " OLDEST_LAB " is the oldest that works",
			    version, l->url);
	}
	reply_free(&r);
	login_xsrf(l, l->url);
	return !*l->error;
}

static bool
let_in(struct lab *l, const struct login *who)
{
	char *hub = NULL;
	if (who->token) {
		char *value = xasprintf("token %s", who->token);
		http_header(l->http, "Authorization", value);
		free(value);
	}
	bool in = ask_server(l, &hub);
	if (in && hub && !who->token && !who->password) {
		snprintf(l->error, sizeof l->error, "JupyterHub at '%s' wants a login: set JUPYTERLAB_TOKEN, or "
		    "JUPYTERLAB_USERNAME and JUPYTERLAB_PASSWORD", l->url);
		in = false;
	} else if (in && hub) {
		in = login_hub(l, hub, who);
	} else if (in && who->password && !who->token) {
		in = log_in(l, who);
	}
	free(hub);
	return in && ask_entry(l, who) && (l->version || ask_server(l, NULL)) && ask_lab(l);
}

/* The address that JUPYTERLAB_URL holds, without what must not be shown. */
static char *
read_url(char error[512], char **token)
{
	const char *set = env_of("JUPYTERLAB_URL");
	char *copy = trimmed(set ? set : ""), *url = NULL;
	bool http = strncmp(copy, "http://", 7) == 0 || strncmp(copy, "https://", 8) == 0;
	const char *host = http ? strstr(copy, "://") + 3 : copy;
	*token = take_token(copy);
	if (!set)
		snprintf(error, 512, "JUPYTERLAB_URL is not set");
	else if (!http)
		snprintf(error, 512, "JUPYTERLAB_URL must begin with http:// or https://");
	else if (memchr(host, '@', strcspn(host, "/")))
		snprintf(error, 512, "JUPYTERLAB_URL must not hold a password: set JUPYTERLAB_USERNAME and JUPYTERLAB_PASSWORD");
	else
		url = base_of(copy);
	free(copy);
	return url;
}

struct lab *
lab_open(char error[512])
{
	char *token = NULL, *url = read_url(error, &token);
	if (!url) {
		free(token);
		return NULL;
	}
	if (!token && env_of("JUPYTERLAB_TOKEN"))
		token = trimmed(env_of("JUPYTERLAB_TOKEN"));
	struct login who = {.token = token && *token ? token : NULL, .user = env_of("JUPYTERLAB_USERNAME"),
	    .password = env_of("JUPYTERLAB_PASSWORD")};
	struct lab *l = xmalloc(sizeof *l);
	const char *held = env_of("LABSERVE_URL");
	*l = (struct lab){.url = url, .http = http_open(), .held = held && strcmp(held, url) == 0};
	if (lab_insecure) {
		http_insecure(l->http);
		if (strncmp(url, "https:", 6) == 0)
			warn("the certificate of '%s' is not checked (--insecure)", url);
	}
	if (let_in(l, &who)) {
		/* What we start shall not have to take it apart again. */
		xsetenv("JUPYTERLAB_URL", l->url);
		if (who.token)
			xsetenv("JUPYTERLAB_TOKEN", who.token);
	} else {
		snprintf(error, 512, "%s", l->error);
		lab_close(l);
		l = NULL;
	}
	free(token);
	return l;
}

struct lab *
lab_reopen(long wait_ms, char error[512])
{
	uint64_t end = now_ns() + (uint64_t)wait_ms * 1000000u;
	struct lab *l;
	while (!(l = lab_open(error)) && now_ns() < end && !http_stop)
		pause_ms(REOPEN_MS);
	return l;
}

/* Only an ancestor of ours: its number may be another's by now. */
void
lab_complain(void)
{
	const char *text = env_of("LABSERVE_PID");
	pid_t pid = text ? (pid_t)strtol(text, NULL, 10) : 0, p = getppid();
	while (p > 1 && p != pid)
		p = parent_of(p);
	if (p > 1)
		kill(p, SIGUSR1);
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

/* What the server says about its refusal, short; "" when it says nothing. */
static void
refusal(char *to, size_t size, const struct reply *r)
{
	json_t *answer = json_loadb(r->body, r->n, JSON_ALLOW_NUL, NULL);
	const char *message = json_string_value(json_object_get(answer, "message"));
	snprintf(to, size, "%s%.200s", message && *message ? ": " : "", message ? message : "");
	to[strcspn(to, "\n")] = '\0';
	json_decref(answer);
}

json_t *
lab_call(struct lab *l, const char *method, const char *path, const json_t *body, long *status)
{
	struct reply r;
	char *url = xasprintf("%s%s", l->url, path), *text = body ? json_text(body) : NULL, why[256];
	http_call(l->http, &(struct request){.method = method, .url = url, .body = text, .timeout_ms = l->limit_ms ? l->limit_ms : CALL_MS}, &r);
	json_t *answer = NULL;
	*l->error = '\0';
	if (status)
		*status = r.status;
	if (r.status == 0) {
		snprintf(l->error, sizeof l->error, "%s '%s': %s", method, path, r.error);
	} else if (r.status < 200 || r.status > 299) {
		refusal(why, sizeof why, &r);
		snprintf(l->error, sizeof l->error, "%s '%s': the server answers %ld%s", method, path, r.status, why);
	} else if (r.n == 0) {
		answer = json_null();
	} else {
		answer = json_loadb(r.body, r.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
		if (!answer)
			snprintf(l->error, sizeof l->error, "%s '%s': the server's answer is not JSON", method, path);
	}
	reply_free(&r);
	free(text);
	free(url);
	return answer;
}

/* A login cookie, beside _xsrf and what merely names a session. */
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

json_t *
lab_cookies(struct lab *l)
{
	json_t *cookies = http_cookies(l->http);
	const char *token = env_of("JUPYTERLAB_TOKEN");
	if (!token || has_login(cookies))
		return cookies;
	/* jupyter_server answers a token with a login cookie; a server of a hub
	 * does so where the token is also an argument, and a form's body is one
	 * that no log shows.  What it says to the POST itself does not matter. */
	struct buf form = {0};
	struct reply r;
	char *url = xasprintf("%slab", l->url), *clean = trimmed(token);
	buf_addf(&form, "token=");
	add_escaped(&form, clean, "");
	login_post(l, url, form.p, &r);
	reply_free(&r);
	buf_free(&form);
	free(clean);
	free(url);
	json_decref(cookies);
	return http_cookies(l->http);
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
		snprintf(l->error, sizeof l->error, "no kernel '%.80s' on the server; it has:%.380s", name, b.p ? b.p : " none");
	buf_free(&b);
	json_decref(specs);
	return has;
}
