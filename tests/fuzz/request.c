/* request: a request to netshape's proxy: its head, and where its body ends, however the
 * bytes arrive. */
#include "fuzz.h"
#include "../../tools/run/netshape/request.h"

#include <stdlib.h>
#include <string.h>

static void
check_head(const struct request_head *r)
{
	WANT(r->text.n >= 2 && strlen(r->text.p) == r->text.n && memcmp(r->text.p + r->text.n - 2, "\r\n", 2) == 0);
	for (const char *p = r->text.p; *p; p++) {
		WANT((unsigned char)*p >= 0x20 || *p == '\t' || (*p == '\r' && p[1] == '\n') || (*p == '\n' && p > r->text.p && p[-1] == '\r'));
	}
	WANT(*r->host && *r->port && strtol(r->port, NULL, 10) <= 65535);
	WANT(!strpbrk(r->host, " /@\r\n"));
}

/* Whole, or byte by byte: the same end, or both refused. */
static void
check_body(struct request_body whole, const char *p, size_t n)
{
	struct request_body single = whole;
	ssize_t all = request_body_advance(&whole, p, n), sum = 0, one = 0;
	for (size_t i = 0; i < n && single.state != BODY_DONE && (one = request_body_advance(&single, p + i, 1)) >= 0; i++)
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
	size_t end = request_head_end(text, n);
	WANT(end <= n);
	if (end) {
		struct request_head r;
		char *head = fuzz_copy(data, end);
		if (!request_head_parse(head, end, &r)) {
			check_head(&r);
			check_body(r.body, text + end, n - end);
		}
		buf_free(&r.text);
		free(head);
	}
	free(text);
	return 0;
}
