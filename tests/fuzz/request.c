/* reqhead: a request to netshape's proxy: its head, and where its body ends,
 * however the bytes arrive. */
#include "fuzz.h"
#include "proxy.h"

#include <stdlib.h>
#include <string.h>

static void
check_head(const struct reqhead *r)
{
	WANT(r->head.n >= 2 && strlen(r->head.p) == r->head.n && memcmp(r->head.p + r->head.n - 2, "\r\n", 2) == 0);
	for (const char *p = r->head.p; *p; p++) {
		WANT((unsigned char)*p >= 0x20 || *p == '\t' || (*p == '\r' && p[1] == '\n') || (*p == '\n' && p > r->head.p && p[-1] == '\r'));
	}
	WANT(*r->host && *r->port && strtol(r->port, NULL, 10) <= 65535);
	WANT(!strpbrk(r->host, " /@\r\n"));
}

/* Whole, or byte by byte: the same end, or both refused. */
static void
check_body(struct body whole, const char *p, size_t n)
{
	struct body single = whole;
	ssize_t all = body_take(&whole, p, n), sum = 0, one = 0;
	for (size_t i = 0; i < n && single.state != BODY_DONE && (one = body_take(&single, p + i, 1)) >= 0; i++)
		sum += one;
	WANT((all < 0) == (one < 0));
	if (all < 0)
		return;
	WANT(all == sum && whole.state == single.state && whole.left == single.left && (size_t)all <= n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = fuzz_copy(data, n);
	size_t end = reqhead_end(text, n);
	WANT(end <= n);
	if (end) {
		struct reqhead r;
		char *head = fuzz_copy(data, end);
		if (!reqhead_parse(head, end, &r)) {
			check_head(&r);
			check_body(r.body, text + end, n - end);
		}
		buf_free(&r.head);
		free(head);
	}
	free(text);
	return 0;
}
