/* str.c: what the C library lacks for strings. */
#include "base/str.h"

#include <string.h>

const char *
str_nonempty(const char *text)
{
	return text && *text ? text : NULL;
}

bool
str_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool
str_ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && memcmp(text + n - m, end, m) == 0;
}

int
str_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t
str_identifier(const char *s)
{
	static const char allowed[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
	return *s >= '0' && *s <= '9' ? 0 : strspn(s, allowed);
}
