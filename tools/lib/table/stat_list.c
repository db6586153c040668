/* statlist.c: words of an option's list. */
#include "table/stat.h"

#include <stdlib.h>
#include <string.h>

void
list_add(struct list *l, const char *text, size_t n)
{
	l->v = xrealloc(l->v, (l->n + 2) * sizeof *l->v);
	l->v[l->n++] = xasprintf("%.*s", (int)n, text);
	l->v[l->n] = NULL;
}

/* A part in quotes, in which a comma is its own and two quotes are one, as in the
 * file's head; returns what follows it. */
static const char *
add_quoted(struct list *l, const char *p, const char *text, const char *what)
{
	struct buf b = {0};
	buf_add(&b, "", 0);
	for (p++; *p && (*p != '"' || p[1] == '"'); p++) {
		p += *p == '"';
		buf_add(&b, p, 1);
	}
	const char *end = *p ? p + 1 + strspn(p + 1, " ") : p;
	if (!*p || !b.n || (*end && *end != ','))
		die(ST_USAGE, "%s: %s in '%s'", what, !*p ? "no closing quote" : !b.n ? "an empty name" : "no comma after a quote", text);
	list_add(l, b.p, b.n);
	buf_free(&b);
	return end;
}

void
xlist_split(struct list *l, const char *text, const char *what)
{
	for (const char *p = text;; p++) {
		p += strspn(p, " ");
		if (*p == '"') {
			p = add_quoted(l, p, text, what);
			if (!*p)
				return;
			continue;
		}
		size_t n = strcspn(p, ","), to = n;
		while (to && p[to - 1] == ' ')
			to--;
		if (!to)
			die(ST_USAGE, "%s: an empty name in '%s'", what, text);
		list_add(l, p, to);
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
