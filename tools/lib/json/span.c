/* span.c: values of a record as they are in its line. */
#include "json/span.h"
#include "base/die.h"
#include "json/json_parse.h"

bool
span_is_word(struct span v, const char *word)
{
	size_t n = strlen(word);
	return v.p && v.n == n + 2 && *v.p == '"' && memcmp(v.p + 1, word, n) == 0;
}

bool
span_is(struct span v, const char *text)
{
	size_t n = strlen(text);
	return v.p && v.n == n && memcmp(v.p, text, n) == 0;
}

bool
span_null(struct span v)
{
	return !v.p || span_is(v, "null");
}

/* Up to 15 digits and a point, as nearly all numbers have: both parts are exact, so their
 * quotient is correctly rounded.  NaN for all others. */
static double
short_number(struct span v)
{
	static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	    1e12, 1e13, 1e14, 1e15};
	bool negative = *v.p == '-', point = false;
	size_t places = 0;
	uint64_t digits = 0;
	if (v.n > 16)
		return NAN;
	for (size_t i = negative; i < v.n; i++) {
		unsigned char c = (unsigned char)v.p[i];
		if (c >= '0' && c <= '9') {
			digits = digits * 10 + (uint64_t)(c - '0');
			places += point;
		} else if (c == '.') {
			point = true;
		} else {
			return NAN;
		}
	}
	double x = (double)digits / tens[places];
	return digits > 999999999999999 ? (double)NAN : negative ? -x : x;
}

double
span_number(struct span v)
{
	if (!v.p || !(*v.p == '-' || (*v.p >= '0' && *v.p <= '9')))
		return NAN;
	double x = short_number(v);
	return isnan(x) ? strtod(v.p, NULL) : x;
}

json_t *
span_json(struct span v)
{
	return v.p ? json_loadb(v.p, v.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL) : NULL;
}

bool
span_lists(struct span list, const char *word)
{
	json_t *words = span_json(list), *one;
	bool found = false;
	size_t i;
	json_array_foreach(words, i, one)
		found = found || (json_is_string(one) && strcmp(json_string_value(one), word) == 0);
	json_decref(words);
	return found;
}

char *
span_string(struct span v)
{
	if (!v.p || *v.p != '"')
		return NULL;
	if (!memchr(v.p, '\\', v.n)) {
		char *text = xmalloc(v.n - 1);
		memcpy(text, v.p + 1, v.n - 2);
		text[v.n - 2] = '\0';
		return text;
	}
	json_t *j = span_json(v);
	if (!j)
		die(ST_SYSTEM, "out of memory");
	char *text = json_parse_string(j);
	json_decref(j);
	return text;
}
