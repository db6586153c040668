/* remote_driver.c: a WebDriver or a Selenium Grid that is already running. */
#include "remote_driver.h"
#include "base/die.h"
#include "base/str.h"
#include "net/url.h"

enum { STATUS_MS = 5000 };

char *
remote_driver_url(void)
{
	const char *set = str_nonempty(getenv("WEBDRIVER_URL"));
	size_t n = set ? strlen(set) : 0;
	while (n && set[n - 1] == '/')
		n--;
	return set ? xasprintf("%.*s", (int)n, set) : NULL;
}

void
xremote_driver_check(const char *url)
{
	if (str_nonempty(getenv("NETSHAPE_PROXY")) && !url_is_loopback(url))
		die(ST_USAGE, "a browser on another machine (WEBDRIVER_URL) cannot use the proxy "
		    "of netshape, which listens on loopback only");
}

/* Returns host and port, without a user's name and password. */
static char *
host_and_port(const char *url)
{
	const char *scheme = strstr(url, "://"), *host = scheme ? scheme + 3 : url;
	size_t n = strcspn(host, "/?#");
	const char *user = memrchr(host, '@', n);
	if (user) {
		n -= (size_t)(user + 1 - host);
		host = user + 1;
	}
	return xasprintf("%.*s", (int)n, host);
}

/* Whether one of the node's slots has the session. */
static bool
has_session(const json_t *node, const char *session_id)
{
	json_t *slot;
	size_t i;
	json_array_foreach(json_object_get(node, "slots"), i, slot) {
		json_t *id = json_object_get(json_object_get(slot, "session"), "sessionId");
		if (json_is_string(id) && strcmp(json_string_value(id), session_id) == 0)
			return true;
	}
	return false;
}

char *
remote_driver_queue(const char *url)
{
	struct wd *w = wd_open(url);
	json_t *status = wd_call(w, "GET", "status", NULL, STATUS_MS), *node, *slot;
	json_t *queue = wd_call(w, "GET", "se/grid/newsessionqueue/queue", NULL, STATUS_MS);
	size_t slots = 0, used = 0, i, k;
	json_array_foreach(json_object_get(status, "nodes"), i, node)
		json_array_foreach(json_object_get(node, "slots"), k, slot) {
			slots++;
			used += json_is_object(json_object_get(slot, "session"));
		}
	char *text = !used || used < slots ? NULL : xasprintf("waiting for a browser of the "
	    "Grid: %zu of %zu are in use, %zu requests are in its queue already", used, slots,
	    json_array_size(queue));
	json_decref(queue);
	json_decref(status);
	wd_close(w);
	return text;
}

char *
remote_driver_node(struct wd *w, const char *session_id)
{
	json_t *status = wd_call(w, "GET", "status", NULL, STATUS_MS), *node;
	const char *url = NULL;
	size_t i;
	json_array_foreach(json_object_get(status, "nodes"), i, node)
		if (!url && has_session(node, session_id)) {
			url = json_string_value(json_object_get(node, "externalUri"));
			if (!url)
				url = json_string_value(json_object_get(node, "uri"));
		}
	char *address = host_and_port(url ? url : w->session);
	json_decref(status);
	return address;
}
