/* str.h: what the C library lacks for strings. */
#ifndef STR_H
#define STR_H

#include <stdbool.h>

const char *str_nonempty(const char *);	/* NULL instead of "" */
bool str_ends_with(const char *text, const char *end);
int str_compare(const void *, const void *);	/* for qsort(3): elements are char * */

#endif
