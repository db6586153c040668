/* str.c: what the C library lacks for strings. */
#include "base/str.h"

#include <string.h>

const char *
str_nonempty(const char *text)
{
	return text && *text ? text : NULL;
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
