/* prompush.c: metrics to a Pushgateway, each group to its place there. */
#include "base/buf.h"
#include "base/die.h"
#include "net/http.h"
#include "prom.h"
#include "text/base64.h"

#include <stdlib.h>
#include <string.h>

enum { PUSH_LIMIT_MS = 30000 };

/* "/NAME@base64/VALUE" of one label of a group: any value can stand in a path so. */
static void
add_grouping(struct buf *url, const char *name, const char *group)
{
	char *value = prom_label(group, name);
	char *text = base64_encode(value, strlen(value));
	for (char *p = text; *p; p++)
		*p = *p == '+' ? '-' : *p == '/' ? '_' : *p;
	/* An empty path segment would be lost. */
	buf_addf(url, "/%s@base64/%s", name, *text ? text : "=");
	free(text);
	free(value);
}

static void
push_group(struct http *h, const char *push, const char *group)
{
	struct buf text, url = {0};
	prom_text(&text, group);
	size_t n = strlen(push);
	while (n && push[n - 1] == '/')
		n--;
	buf_addf(&url, "%.*s", (int)n, push);
	if (group) {
		buf_addf(&url, "/metrics/job/nbscope");
		add_grouping(&url, "usecase", group);
		add_grouping(&url, "label", group);
	}
	struct http_reply r;
	/* PUT: what the group had of cells that are gone, goes too. */
	http_call(h, &(struct http_request){.method = "PUT", .url = url.p, .body = text.p, .n = text.n,
		.content_type = "text/plain; version=0.0.4; charset=utf-8", .timeout_ms = PUSH_LIMIT_MS}, &r);
	if (!r.status)
		die(ST_SYSTEM, "cannot push to '%s': %s", push, r.error);
	if (r.status < 200 || r.status > 299)
		die(ST_SYSTEM, "cannot push to '%s': HTTP %ld: %.*s", push, r.status, (int)strcspn(r.body, "\n"), r.body);
	http_reply_free(&r);
	buf_free(&url);
	buf_free(&text);
}

void
prom_push(const char *url)
{
	const char *user = getenv("PUSHGATEWAY_USERNAME"), *password = getenv("PUSHGATEWAY_PASSWORD"), *group;
	struct http *h = http_open();
	if (user && password) {
		char *both = xasprintf("%s:%s", user, password), *coded = base64_encode(both, strlen(both)), *value = xasprintf("Basic %s", coded);
		http_header(h, "Authorization", value);
		free(both);
		free(coded);
		free(value);
	}
	if (strstr(url, "/metrics/job"))
		push_group(h, url, NULL);
	else
		for (size_t i = 0; (group = prom_group(i)); i++)
			push_group(h, url, group);
	http_close(h);
}
