/* http.h: REST over libcurl. */
#pragma once

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>

struct http;	/* one connection's state: cookies, authorisation, keep-alive */
struct http_request {
	const char *method, *url, *body, *content_type;
	size_t n;		/* of the body; 0: strlen(body) */
	long timeout_ms;	/* for the whole call */
	bool follow;		/* redirects */
	/* Receives the body in pieces instead of reply.body; non-zero stops. NULL: none. */
	int (*sink)(void *sink_arg, const char *data, size_t n);
	void *sink_arg;
};
struct http_reply {
	long status;	/* HTTP status; 0: no answer, see error */
	char *body;	/* NUL-terminated */
	size_t n;
	char *url;	/* the final one, after redirects */
	char error[256];	/* one line; "" if answered */
};

/* Set by a signal handler: calls in progress end within a second, unanswered. */
extern volatile sig_atomic_t http_stop;
/* If set, calls also end, with SIGPIPE in http_stop, when the reader of stdout has gone. */
extern bool http_watch_stdout;
/* Set during a call: if the program exits within one, its exit handlers cannot make another. */
extern bool http_in_call;

struct http *http_open(void);
/* Returns a connection of its own with the same headers and cookies, for use in a forked
 * process. */
struct http *http_clone(const struct http *);
void http_close(struct http *);
/* Adds a header to every further request; replaces one of the same name. */
void http_header(struct http *, const char *name, const char *value);
/* Those headers, {name: value}. */
json_t *http_headers(const struct http *);
void http_insecure(struct http *);	/* accept any TLS certificate */
/* The PEM file of the authorities that are trusted: SSL_CERT_FILE, or the system's; NULL: libcurl's
 * own. */
const char *http_authorities(void);
/* Accept also the certificates in this PEM file, which stays the caller's. */
void http_trust(struct http *, const char *path);
/* Fills *reply, which the caller frees with http_reply_free(). */
void http_call(struct http *, const struct http_request *, struct http_reply *);
void http_reply_free(struct http_reply *);
/* All cookies in WebDriver's form: [{"name","value","domain","path","secure","httpOnly"}...]. */
json_t *http_cookies(struct http *);
