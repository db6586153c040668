/* cell_ranges.c: cells that a person names. */
#include "run/cell_ranges.h"
#include "base/die.h"

#include <errno.h>

struct cell_ranges {
	struct { long from, to; } v[64];
	size_t n;
};

/* One end of a range, `open` if it is omitted.  Returns the rest of the text; NULL: invalid. */
static const char *
end_of_range(const char *text, long open, long *to)
{
	char *end;
	*to = open;
	if (*text == ':' || *text == '\0')
		return text;
	if (strncmp(text, "last", 4) == 0) {
		*to = -1;
		return text + 4;
	}
	if (*text != '-' && (*text < '0' || *text > '9'))
		return NULL;
	errno = 0;
	*to = strtol(text, &end, 10);
	return errno || end == text || *to == 0 ? NULL : end;
}

static bool
add_range(struct cell_ranges *p, const char *text)
{
	long from, to;
	if (p->n == COUNT(p->v) || !*text)
		return false;
	const char *rest = end_of_range(strcmp(text, "all") == 0 ? ":" : text, 1, &from);
	if (!rest)
		return false;
	to = from;
	if (*rest == ':' || *rest == '-')
		rest = end_of_range(rest + 1, -1, &to);
	if (!rest || *rest || ((from > 0) == (to > 0) && from > to))
		return false;
	p->v[p->n].from = from;
	p->v[p->n++].to = to;
	return true;
}

struct cell_ranges *
xcell_ranges(const char *text, const char *what)
{
	struct cell_ranges *p = xmalloc(sizeof *p);
	char *copy = xstrdup(text), *rest = copy, *word;
	p->n = 0;
	while ((word = strsep(&rest, ",")))
		if (!add_range(p, word))
			die(ST_USAGE, "%s must name cells (3, last, all, 2:5, :4, 7:, -3:-1 or "
			    "1,4), not '%s'", what, text);
	free(copy);
	return p;
}

bool
cell_ranges_have(const struct cell_ranges *p, long index, size_t k, size_t n)
{
	long at = (long)k - (long)n;	/* the last one: -1 */
	for (size_t i = 0; i < p->n; i++) {
		long from = p->v[i].from, to = p->v[i].to;
		bool after = from < 0 ? at < 0 && at >= from : index >= from;
		bool before = to < 0 ? to == -1 || (at < 0 && at <= to) : index <= to;
		if (after && before)
			return true;
	}
	return false;
}
