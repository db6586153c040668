/* csv: a field that is written reads back by RFC 4180, and none that a text
 * makes begins as a formula does. */
#include "json/csv.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* The one field of a line; NULL if it is not one. */
static char *
field(const char *p)
{
	struct buf b = {0};
	buf_add(&b, "", 0);
	if (*p != '"') {
		if (strpbrk(p, ",\"\r\n"))
			return NULL;
		buf_add(&b, p, strlen(p));
		return b.p;
	}
	for (p++; *p; p++) {
		if (*p == '"' && *++p != '"')
			break;
		buf_add(&b, p, 1);
	}
	return *p || p[-1] != '"' ? NULL : b.p;
}

static void
check(const char *text, bool escape)
{
	struct buf b = {0};
	csv_text(&b, text, escape);
	char *back = field(b.p);
	WANT(back);
	bool guarded = escape && *back == '\'' && strcmp(back + 1, text) == 0;
	WANT(guarded || strcmp(back, text) == 0);
	if (escape) {
		const char *p = back + strspn(back, " ");
		json_t *number = json_loads(back, JSON_DECODE_ANY, NULL);
		WANT(!*p || !strchr("=+-@\t\r\n", *p) || json_is_number(number));
		json_decref(number);
	}
	free(back);
	buf_free(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = fuzz_copy(data, n);
	check(text, true);
	check(text, false);
	free(text);
	return 0;
}
