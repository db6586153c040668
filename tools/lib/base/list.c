/* list.c: the words of an option's list. */
#include "base/list.h"
#include "base/buf.h"
#include "base/die.h"

void
list_add(struct list *l, const char *text, size_t n)
{
	l->v = xrealloc(l->v, (l->n + 2) * sizeof *l->v);
	l->v[l->n++] = xasprintf("%.*s", (int)n, text);
	l->v[l->n] = NULL;
}

/* A quoted part: commas are literal and two quotes are one, as in CSV.  Returns what
 * follows it. */
static const char *
add_quoted(struct list *l, const char *p, const char *text, const char *option)
{
	struct buf b = {0};
	buf_add(&b, "", 0);
	for (p++; *p && (*p != '"' || p[1] == '"'); p++) {
		p += *p == '"';
		buf_add(&b, p, 1);
	}
	const char *end = *p ? p + 1 + strspn(p + 1, " ") : p;
	if (!*p || !b.n || (*end && *end != ','))
		die(ST_USAGE, "%s: %s in '%s'", option, !*p ? "unclosed quote" : !b.n
		    ? "empty name" : "no comma after a quote", text);
	list_add(l, b.p, b.n);
	buf_free(&b);
	return end;
}

void
xlist_split(struct list *l, const char *text, const char *option)
{
	for (const char *p = text; ; p++) {
		p += strspn(p, " ");
		if (*p == '"') {
			p = add_quoted(l, p, text, option);
			if (!*p)
				return;
			continue;
		}
		size_t n = strcspn(p, ","), to = n;
		while (to && p[to - 1] == ' ')
			to--;
		if (!to)
			die(ST_USAGE, "%s: empty name in '%s'", option, text);
		list_add(l, p, to);
		p += n;
		if (!*p)
			return;
	}
}

void
xlist_append(struct list *l, const char *text, const char *option)
{
	(void)option;
	list_add(l, text, strlen(text));
}

bool
list_has(const struct list *l, const char *word)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i], word) == 0)
			return true;
	return false;
}
