/* socket_headers.c: what identifies us to the server, for a connection that is not libcurl's. */
#include "socket_headers.h"
#include "base/buf.h"
#include "base/str.h"

#include <string.h>

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

json_t *
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
