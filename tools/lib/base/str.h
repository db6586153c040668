/* str.h: what the C library lacks for strings. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

const char *str_nonempty(const char *);	/* NULL instead of "" */
bool str_same(const char *, const char *);	/* NULL is the same as NULL alone */
bool str_ends_with(const char *text, const char *end);
int str_compare(const void *, const void *);	/* for qsort(3): elements are char * */
/* The length of the name of a parameter or variable, [A-Za-z_][A-Za-z0-9_]*, at the start of the
 * text; 0: there is none. */
size_t str_identifier(const char *text);
