/* identifier.c: names of parameters and variables. */
#include "text/identifier.h"

#include <string.h>

size_t
identifier_length(const char *s)
{
	static const char allowed[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
	return *s >= '0' && *s <= '9' ? 0 : strspn(s, allowed);
}

bool
identifier_valid(const char *s)
{
	size_t n = identifier_length(s);
	return n && !s[n];
}
