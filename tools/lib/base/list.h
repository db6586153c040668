/* list.h: the words of an option's list. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct list {
	char **v;	/* ends in NULL */
	size_t n;
};
void list_add(struct list *, const char *text, size_t n);	/* copies the text */
/* Splits 'a,b , "c, d"'; dies with ST_USAGE on an empty part, naming the `option`. */
void xlist_split(struct list *, const char *text, const char *option);
/* Adds the text as a whole, as an option that may be repeated. */
void xlist_append(struct list *, const char *text, const char *option);
bool list_has(const struct list *, const char *word);
