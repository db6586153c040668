/* http.c: REST over libcurl. */
#include "nbscope.h"

#include <curl/curl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_LIMIT_BYTES = 512 << 20, MOST_HEADERS = 8 };

volatile sig_atomic_t http_stop;
bool http_reader, http_broken;

struct http {
	CURL *curl;	/* of one transfer; see renew() */
	CURLSH *shared;	/* connections, cookies, TLS sessions */
	char *headers[MOST_HEADERS];	/* "Name: value" */
	size_t n_headers;
	bool insecure;
	char cookie[4096];
};

/* libcurl asks about once a second, and at once when a signal came. */
static int
progress(void *unused, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	(void)unused, (void)a, (void)b, (void)c, (void)d;
	if (!http_stop && http_reader && reader_left(1))
		http_stop = SIGPIPE;
	return http_stop != 0;
}

/* A handle of its own for each transfer: libcurl 7.88 keeps a pointer to the last
 * header of the transfer before, and a first header line that begins with a blank
 * is added to what was freed. */
static void
renew(struct http *h)
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
	curl_easy_setopt(h->curl, CURLOPT_XFERINFOFUNCTION, progress);
	if (h->insecure) {
		curl_easy_setopt(h->curl, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(h->curl, CURLOPT_SSL_VERIFYHOST, 0L);
	}
}

/* libcurl ends the program where memory does: not all that it copies for us tells. */
static void *
zeroed(size_t n, size_t size)
{
	void *p = calloc(n, size);
	if (!p)
		die(ST_SYSTEM, "out of memory");
	return p;
}

struct http *
http_open(void)
{
	static const curl_lock_data what[] = {CURL_LOCK_DATA_CONNECT, CURL_LOCK_DATA_COOKIE, CURL_LOCK_DATA_SSL_SESSION};
	static bool ready;
	if (!ready && curl_global_init_mem(CURL_GLOBAL_DEFAULT, xmalloc, free, xrealloc, xstrdup, zeroed) != 0)
		die(ST_SYSTEM, "cannot start libcurl");
	ready = true;
	struct http *h = xmalloc(sizeof *h);
	*h = (struct http){.shared = curl_share_init()};
	for (size_t i = 0; i < COUNT(what); i++)
		if (!h->shared || curl_share_setopt(h->shared, CURLSHOPT_SHARE, what[i]) != CURLSHE_OK)
			die(ST_SYSTEM, "cannot start libcurl");
	renew(h);
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
http_again(const struct http *old)
{
	struct http *h = http_open();
	struct curl_slist *cookies = NULL;
	for (size_t i = 0; i < old->n_headers; i++)
		h->headers[h->n_headers++] = xstrdup(old->headers[i]);
	curl_easy_getinfo(old->curl, CURLINFO_COOKIELIST, &cookies);
	for (struct curl_slist *c = cookies; c; c = c->next)
		curl_easy_setopt(h->curl, CURLOPT_COOKIELIST, c->data);
	curl_slist_free_all(cookies);
	if ((h->insecure = old->insecure))
		http_insecure(h);
	return h;
}

void
http_header(struct http *h, const char *name, const char *value)
{
	char *line = xasprintf("%s: %s", name, value);
	size_t n = strlen(name);
	for (size_t i = 0; i < h->n_headers; i++) {
		if (strncasecmp(h->headers[i], line, n + 1) != 0)
			continue;
		free(h->headers[i]);
		h->headers[i] = line;
		return;
	}
	if (h->n_headers == MOST_HEADERS)
		die(ST_SYSTEM, "too many HTTP headers");
	h->headers[h->n_headers++] = line;
}

void
http_insecure(struct http *h)
{
	h->insecure = true;
}

static size_t
receive(char *data, size_t size, size_t n, void *to)
{
	return buf_add(to, data, size * n) < 0 ? 0 : size * n;
}

static size_t
pass_on(char *data, size_t size, size_t n, void *arg)
{
	const struct request *q = arg;
	return q->sink(q->to, data, size * n) != 0 ? 0 : size * n;
}

static struct curl_slist *
header_list(const struct http *h, const struct request *q)
{
	/* "Expect:" saves the 100-continue wait on large bodies. */
	struct curl_slist *list = curl_slist_append(NULL, "Expect:");
	for (size_t i = 0; i < h->n_headers; i++)
		list = curl_slist_append(list, h->headers[i]);
	char *type = xasprintf("Content-Type: %s", q->content_type ? q->content_type : "application/json; charset=utf-8");
	if (q->body)
		list = curl_slist_append(list, type);
	free(type);
	return list;
}

static void
call(struct http *h, const struct request *q, struct reply *r, char **elsewhere)
{
	http_broken = true;	/* until we are back */
	struct buf answer = {.limit = ANSWER_LIMIT_BYTES};
	char detail[CURL_ERROR_SIZE] = "";
	struct curl_slist *list = header_list(h, q);
	renew(h);
	CURL *c = h->curl;
	*r = (struct reply){0};
	curl_easy_setopt(c, CURLOPT_URL, q->url);
	curl_easy_setopt(c, CURLOPT_POSTFIELDS, NULL);
	curl_easy_setopt(c, CURLOPT_HTTPGET, 1L);
	if (q->body) {
		curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)(q->n ? q->n : strlen(q->body)));
		curl_easy_setopt(c, CURLOPT_POSTFIELDS, q->body);
	}
	bool plain = strcmp(q->method, q->body ? "POST" : "GET") == 0;
	curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, plain ? NULL : q->method);
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, q->follow && !q->body ? 1L : 0L);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, list);
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, q->timeout_ms);
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, detail);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, q->sink ? pass_on : receive);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, q->sink ? (const void *)q : &answer);
	CURLcode code = curl_easy_perform(c);
	if (code == CURLE_OUT_OF_MEMORY)
		die(ST_SYSTEM, "out of memory");
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, NULL);
	curl_slist_free_all(list);
	if (code == CURLE_OK)
		curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &r->status);
	else
		snprintf(r->error, sizeof r->error, "%s", *detail ? detail : curl_easy_strerror(code));
	char *final = NULL;
	curl_easy_getinfo(c, CURLINFO_EFFECTIVE_URL, &final);
	r->url = xstrdup(final ? final : q->url);
	if (!answer.p)
		buf_add(&answer, "", 0);
	r->body = answer.p;
	r->n = answer.n;
	char *to = NULL;
	curl_easy_getinfo(c, CURLINFO_REDIRECT_URL, &to);
	*elsewhere = to && q->follow && r->status >= 301 && r->status <= 303 ? xstrdup(to) : NULL;
	http_broken = false;
}

/* A POST that is redirected becomes a GET, as in browsers, but for 307 and 308:
 * a form holds a password, and goes to nobody but whom it was meant for. */
void
http_call(struct http *h, const struct request *q, struct reply *r)
{
	char *elsewhere, *none;
	call(h, q, r, &elsewhere);
	if (!elsewhere)
		return;
	reply_free(r);
	call(h, &(struct request){.method = "GET", .url = elsewhere, .timeout_ms = q->timeout_ms, .follow = true}, r, &none);
	free(elsewhere);
	free(none);
}

void
reply_free(struct reply *r)
{
	free(r->body);
	free(r->url);
	*r = (struct reply){0};
}

/* One line of libcurl's cookie list: domain, subdomains too, path, secure,
 * expires, name, value, separated by tabs; "#HttpOnly_" before the domain. */
static json_t *
cookie_of(const char *line)
{
	char *copy = xstrdup(line), *rest = copy, *f[7];
	json_t *cookie = NULL;
	size_t n = 0;
	while (n < 7 && (f[n] = strsep(&rest, "\t")))
		n++;
	if (n == 7) {
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
		json_t *cookie = cookie_of(l->data);
		if (cookie)
			json_array_append_new(all, cookie);
	}
	curl_slist_free_all(list);
	return all;
}

const char *
http_cookie(struct http *h, const char *name)
{
	json_t *all = http_cookies(h), *cookie;
	size_t i;
	const char *found = NULL;
	json_array_foreach(all, i, cookie) {
		if (strcmp(json_string_value(json_object_get(cookie, "name")), name) != 0)
			continue;
		snprintf(h->cookie, sizeof h->cookie, "%s", json_string_value(json_object_get(cookie, "value")));
		found = h->cookie;
	}
	json_decref(all);
	return found;
}
