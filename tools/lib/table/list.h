/* list.h: the words of an option's list. */
#ifndef LIST_H
#define LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
	char **v;	/* ends in NULL */
	size_t n;
};
void list_add(struct list *, const char *text, size_t n);	/* copies the text */
/* 'a,b , "c, d"'; dies with ST_USAGE on an empty part, naming the `option`. */
void xlist_split(struct list *, const char *text, const char *option);
/* '11-20' or '31-', ranks from 1 on; dies with ST_USAGE, naming the `option`. */
void xlist_ranks(const char *text, const char *option, long *from, long *to);
bool list_has(const struct list *, const char *word);

#endif
