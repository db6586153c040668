/* http.c: REST over libcurl. */
#include "net/http.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/output.h"
#include "base/str.h"

#include <curl/curl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_ANSWER_BYTES = 512 << 20, MAX_HEADERS = 8 };

volatile sig_atomic_t http_stop;
bool http_watch_stdout, http_in_call;

struct http {
	CURL *curl;	/* of one transfer; see renew_handle() */
	CURLSH *shared;	/* connections, cookies, TLS sessions */
	char *headers[MAX_HEADERS];	/* "Name: value" */
	size_t n_headers;
	bool insecure;
	const char *trusted;	/* a PEM file, or NULL */
};

const char *
http_authorities(void)
{
	/* Debian, Red Hat, SUSE. */
	static const char *const files[] = {"/etc/ssl/certs/ca-certificates.crt",
	    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem"};
	const char *file = str_nonempty(getenv("SSL_CERT_FILE"));
	for (size_t i = 0; i < COUNT(files) && !file; i++)
		file = access(files[i], R_OK) == 0 ? files[i] : NULL;
	return file;
}

/* libcurl calls this about once a second, and immediately after a signal. */
static int
on_progress(void *unused, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	(void)unused, (void)a, (void)b, (void)c, (void)d;
	if (!http_stop && http_watch_stdout && output_reader_left(STDOUT_FILENO))
		http_stop = SIGPIPE;
	return http_stop != 0;
}

/* Each transfer gets a new handle: libcurl 7.88 keeps a pointer to the last header of the
 * previous transfer, and appends a first header line that begins with a blank to that freed
 * memory. */
static void
renew_handle(struct http *h)
{
	curl_easy_cleanup(h->curl);
	if (!(h->curl = curl_easy_init()))
		die(ST_SYSTEM, "cannot start libcurl");
	curl_easy_setopt(h->curl, CURLOPT_SHARE, h->shared);
	/* Cookies in memory only; loopback never through the user's proxy. */
	curl_easy_setopt(h->curl, CURLOPT_COOKIEFILE, "");
	curl_easy_setopt(h->curl, CURLOPT_NOPROXY, "127.0.0.1,localhost,::1");
	curl_easy_setopt(h->curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(h->curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(h->curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(h->curl, CURLOPT_MAXREDIRS, 20L);
	curl_easy_setopt(h->curl, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(h->curl, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(h->curl, CURLOPT_SSL_VERIFYPEER, h->insecure ? 0L : 1L);
	curl_easy_setopt(h->curl, CURLOPT_SSL_VERIFYHOST, h->insecure ? 0L : 2L);
	if (h->trusted || http_authorities())
		curl_easy_setopt(h->curl, CURLOPT_CAINFO,
		    h->trusted ? h->trusted : http_authorities());
}

static void *
xcalloc(size_t n, size_t size)
{
	return memset(xmalloc(n * size), 0, n * size);
}

struct http *
http_open(void)
{
	static const curl_lock_data shared[] = {CURL_LOCK_DATA_CONNECT, CURL_LOCK_DATA_COOKIE,
	    CURL_LOCK_DATA_SSL_SESSION};
	static bool ready;
	/* libcurl dies if memory runs out: it does not report every copy that fails. */
	if (!ready && curl_global_init_mem(CURL_GLOBAL_DEFAULT, xmalloc, free, xrealloc, xstrdup,
	    xcalloc) != 0)
		die(ST_SYSTEM, "cannot start libcurl");
	ready = true;
	struct http *h = xcalloc(1, sizeof *h);
	h->shared = curl_share_init();
	for (size_t i = 0; i < COUNT(shared); i++)
		if (!h->shared ||
		    curl_share_setopt(h->shared, CURLSHOPT_SHARE, shared[i]) != CURLSHE_OK)
			die(ST_SYSTEM, "cannot start libcurl");
	renew_handle(h);
	return h;
}

void
http_close(struct http *h)
{
	if (!h)
		return;
	curl_easy_cleanup(h->curl);
	curl_share_cleanup(h->shared);
	for (size_t i = 0; i < h->n_headers; i++)
		free(h->headers[i]);
	free(h);
}

struct http *
http_clone(const struct http *old)
{
	struct http *h = http_open();
	struct curl_slist *cookies = NULL;
	for (size_t i = 0; i < old->n_headers; i++)
		h->headers[h->n_headers++] = xstrdup(old->headers[i]);
	curl_easy_getinfo(old->curl, CURLINFO_COOKIELIST, &cookies);
	for (struct curl_slist *c = cookies; c; c = c->next)
		curl_easy_setopt(h->curl, CURLOPT_COOKIELIST, c->data);
	curl_slist_free_all(cookies);
	h->insecure = old->insecure;
	h->trusted = old->trusted;
	return h;
}

void
http_header(struct http *h, const char *name, const char *value)
{
	char *line = xasprintf("%s: %s", name, value);
	size_t i = 0, n = strlen(name) + 1;
	while (i < h->n_headers && strncasecmp(h->headers[i], line, n) != 0)
		i++;
	if (i == MAX_HEADERS)
		die(ST_SYSTEM, "too many HTTP headers");
	if (i == h->n_headers)
		h->n_headers++;
	else
		free(h->headers[i]);
	h->headers[i] = line;
}

json_t *
http_headers(const struct http *h)
{
	json_t *all = json_object();
	for (size_t i = 0; i < h->n_headers; i++) {
		const char *line = h->headers[i], *value = strstr(line, ": ");
		char *name = xasprintf("%.*s", (int)(value - line), line);
		json_object_set_new(all, name, json_string(value + 2));
		free(name);
	}
	return all;
}

void
http_insecure(struct http *h)
{
	h->insecure = true;
}

void
http_trust(struct http *h, const char *path)
{
	h->trusted = path;
}

static size_t
append_to_body(char *data, size_t size, size_t n, void *body)
{
	return buf_add(body, data, size * n) < 0 ? 0 : size * n;
}

static size_t
pass_to_sink(char *data, size_t size, size_t n, void *request)
{
	const struct http_request *q = request;
	return q->sink(q->sink_arg, data, size * n) != 0 ? 0 : size * n;
}

static struct curl_slist *
list_headers(const struct http *h, const struct http_request *q)
{
	/* "Expect:" avoids the 100-continue delay of large bodies. */
	struct curl_slist *list = curl_slist_append(NULL, "Expect:");
	for (size_t i = 0; i < h->n_headers; i++)
		list = curl_slist_append(list, h->headers[i]);
	const char *set = q->content_type ? q->content_type : "application/json; charset=utf-8";
	char *type = xasprintf("Content-Type: %s", set);
	if (q->body)
		list = curl_slist_append(list, type);
	free(type);
	return list;
}

static void
set_method(CURL *c, const struct http_request *q)
{
	bool is_default = strcmp(q->method, q->body ? "POST" : "GET") == 0;
	if (q->body) {
		curl_off_t n = (curl_off_t)(q->n ? q->n : strlen(q->body));
		curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, n);
		curl_easy_setopt(c, CURLOPT_POSTFIELDS, q->body);
	}
	curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, is_default ? NULL : q->method);
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, q->follow && !q->body ? 1L : 0L);
}

/* Makes one call; returns the address that a redirect which libcurl does not follow leads to,
 * the caller's, or NULL. */
static char *
make_call(struct http *h, const struct http_request *q, struct http_reply *r)
{
	http_in_call = true;
	struct buf answer = {.limit = MAX_ANSWER_BYTES};
	char detail[CURL_ERROR_SIZE] = "", *url = NULL, *redirect = NULL;
	struct curl_slist *headers = list_headers(h, q);
	renew_handle(h);
	CURL *c = h->curl;
	curl_easy_setopt(c, CURLOPT_URL, q->url);
	set_method(c, q);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, q->timeout_ms);
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, detail);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, q->sink ? pass_to_sink : append_to_body);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, q->sink ? (const void *)q : &answer);
	CURLcode code = curl_easy_perform(c);
	if (code == CURLE_OUT_OF_MEMORY)
		die(ST_SYSTEM, "out of memory");
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, NULL);
	curl_slist_free_all(headers);
	buf_add(&answer, "", 0);
	*r = (struct http_reply){.body = answer.p, .n = answer.n};
	const char *error = *detail ? detail : curl_easy_strerror(code);
	if (code == CURLE_OK)
		curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &r->status);
	else
		snprintf(r->error, sizeof r->error, "%s", error);
	curl_easy_getinfo(c, CURLINFO_EFFECTIVE_URL, &url);
	curl_easy_getinfo(c, CURLINFO_REDIRECT_URL, &redirect);
	r->url = xstrdup(url ? url : q->url);
	bool follow = redirect && q->follow && r->status >= 301 && r->status <= 303;
	http_in_call = false;
	return follow ? xstrdup(redirect) : NULL;
}

/* A POST that is redirected becomes a GET, as in browsers. 307 and 308 are not followed: the
 * body may be a form with a password, which is for its addressee only. */
void
http_call(struct http *h, const struct http_request *q, struct http_reply *r)
{
	char *redirect = make_call(h, q, r);
	if (!redirect)
		return;
	http_reply_free(r);
	free(make_call(h, &(struct http_request){.method = "GET", .url = redirect,
	    .timeout_ms = q->timeout_ms, .follow = true}, r));
	free(redirect);
}

void
http_reply_free(struct http_reply *r)
{
	free(r->body);
	free(r->url);
	*r = (struct http_reply){0};
}

/* One line of libcurl's cookie list: domain, subdomains too, path, secure, expires, name and
 * value, separated by tabs; "#HttpOnly_" before the domain. */
static json_t *
parse_cookie(const char *line)
{
	char *copy = xstrdup(line), *rest = copy, *f[7];
	json_t *cookie = NULL;
	size_t n = 0;
	while (n < COUNT(f) && (f[n] = strsep(&rest, "\t")))
		n++;
	if (n == COUNT(f)) {
		bool http_only = strncmp(f[0], "#HttpOnly_", 10) == 0;
		cookie = json_pack("{s:s, s:s, s:s, s:s, s:b, s:b}", "name", f[5], "value", f[6],
		    "domain", f[0] + (http_only ? 10 : 0), "path", f[2],
		    "secure", strcmp(f[3], "TRUE") == 0, "httpOnly", http_only);
	}
	free(copy);
	return cookie;
}

json_t *
http_cookies(struct http *h)
{
	struct curl_slist *list = NULL;
	json_t *all = json_array();
	curl_easy_getinfo(h->curl, CURLINFO_COOKIELIST, &list);
	for (struct curl_slist *l = list; l; l = l->next) {
		json_t *cookie = parse_cookie(l->data);
		if (cookie)
			json_array_append_new(all, cookie);
	}
	curl_slist_free_all(list);
	return all;
}
