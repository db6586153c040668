/* statlist.c: words of an option's list. */
#include "stat.h"

#include <stdlib.h>
#include <string.h>

void
list_add(struct list *l, const char *text, size_t n)
{
	l->v = xrealloc(l->v, (l->n + 2) * sizeof *l->v);
	l->v[l->n++] = xasprintf("%.*s", (int)n, text);
	l->v[l->n] = NULL;
}

void
xlist_split(struct list *l, const char *text, const char *what)
{
	for (const char *p = text;; p++) {
		size_t n = strcspn(p, ","), from = strspn(p, " "), to = n;
		while (to > from && p[to - 1] == ' ')
			to--;
		if (to <= from)
			die(ST_USAGE, "%s: an empty name in '%s'", what, text);
		list_add(l, p + from, to - from);
		p += n;
		if (!*p)
			return;
	}
}

bool
list_has(const struct list *l, const char *word)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i], word) == 0)
			return true;
	return false;
}
