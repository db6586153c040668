/* kernel_socket.c: the WebSocket of a kernel. */
#include "kernel_socket.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/str.h"
#include "kernel_message.h"

/* The host of a URL, without its port, has this domain or one below it. */
static bool
is_in_domain(const char *url, const char *domain)
{
	const char *host = strstr(url, "://");
	char name[256] = "";
	if (!host)
		return false;
	host += 3;
	size_t n = strcspn(host, *host == '[' ? "]" : ":/");
	if (n >= sizeof name)
		return false;
	memcpy(name, host, n);
	domain += *domain == '.';
	size_t shorter = strlen(name) - strlen(domain);
	return strcmp(name, domain) == 0 || (strlen(name) > strlen(domain) &&
	    str_ends_with(name, domain) && name[shorter - 1] == '.');
}

static bool
is_for(const json_t *cookie, const char *url)
{
	const char *path = json_string_value(json_object_get(cookie, "path"));
	const char *domain = json_string_value(json_object_get(cookie, "domain"));
	const char *host = strstr(url, "://"), *at = host ? strchr(host + 3, '/') : NULL;
	bool secure = json_is_true(json_object_get(cookie, "secure"));
	if (secure && strncmp(url, "https:", 6) != 0)
		return false;
	return is_in_domain(url, domain) && strncmp(at ? at : "/", path, strlen(path)) == 0;
}

/* The headers that http_call() sends to this URL, with its cookies: {name: value}. */
static json_t *
socket_headers(struct http *h, const char *url)
{
	json_t *headers = http_headers(h), *all = http_cookies(h), *cookie;
	struct buf b = {0};
	size_t i;
	json_array_foreach(all, i, cookie)
		if (is_for(cookie, url))
			buf_addf(&b, "%s%s=%s", b.n ? "; " : "",
			    json_string_value(json_object_get(cookie, "name")),
			    json_string_value(json_object_get(cookie, "value")));
	if (b.n)
		json_object_set_new(headers, "Cookie", json_stringn(b.p, b.n));
	buf_free(&b);
	json_decref(all);
	return headers;
}

struct websocket *
kernel_socket_open(struct lab *l, const char *kernel_id, const char *session, uint64_t end_ns,
    websocket_receiver *receive, void *arg, char **why)
{
	char *url = xasprintf("%sapi/kernels/%s/channels?session_id=%s", l->url, kernel_id,
	    session), *reason = NULL;
	json_t *headers = socket_headers(l->http, l->url);
	struct websocket *s = websocket_open(&(struct websocket_options){.url = url,
		.headers = headers, .protocol = KERNEL_MESSAGE_PROTOCOL, .insecure = lab_insecure,
		.authorities = lab_certificate() ? lab_certificate() : http_authorities(),
		.end_ns = end_ns, .receive = receive, .arg = arg}, &reason);
	if (!s)
		*why = xasprintf("cannot open the kernel's WebSocket: %s", reason);
	free(reason);
	free(url);
	json_decref(headers);
	return s;
}

bool
kernel_socket_is_framed(const struct websocket *s)
{
	return strcmp(websocket_protocol(s), KERNEL_MESSAGE_PROTOCOL) == 0;
}
