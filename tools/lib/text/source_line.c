/* source_line.c: the line of a cell's source that names the cell. */
#include "text/source_line.h"
#include "base/die.h"

#include <ctype.h>

/* A line without its end, from its first character that is not blank. */
struct code_line {
	const char *p;
	size_t n, indent;
};

static bool
begins_with(struct code_line l, const char *word)
{
	size_t n = strlen(word);
	return l.n > n && strncmp(l.p, word, n) == 0;
}

static bool
is_definition(struct code_line l)
{
	return begins_with(l, "def ") || begins_with(l, "class ") || begins_with(l, "async def ");
}

static bool
is_in_name(char c)
{
	return isalnum((unsigned char)c) || strchr("_])", c) || (c & 0x80);
}

/* Whether nothing follows the call that begins with this parenthesis; it can end on another
 * line. */
static bool
is_last_call(const char *open, const char *end)
{
	int depth = 0;
	for (; open < end; open++) {
		depth += (*open == '(') - (*open == ')');
		if (!depth)
			break;
	}
	return open + 1 >= end;
}

/* "out = w.Output()": a call whose function has a capital, to the right of "=". */
static bool
only_makes_object(struct code_line l, const char *open, const char *end)
{
	const char *name = open, *equals = memchr(l.p, '=', (size_t)(open - l.p));
	while (name > l.p && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
		name--;
	return equals && isupper((unsigned char)*name) && is_last_call(open, end);
}

static bool
calls(struct code_line l)
{
	const char *end = l.p;
	while (end < l.p + l.n && !(*end == '#' && end > l.p && isblank((unsigned char)end[-1])))
		end++;
	while (end > l.p && isblank((unsigned char)end[-1]))
		end--;
	if (begins_with(l, "import ") || begins_with(l, "from ") || *l.p == '@')
		return false;
	const char *open = l.p;
	while ((open = memchr(open + 1, '(', (size_t)(end - open - 1))) && !is_in_name(open[-1]))
		continue;
	return open && !only_makes_object(l, open, end);
}

static struct code_line
next_line(const char **at)
{
	size_t n = strcspn(*at, "\r\n"), indent = strspn(*at, " \t");
	struct code_line l = {*at + indent, n - indent, indent};
	*at += n + ((*at)[n] != '\0');
	while (l.n && isblank((unsigned char)l.p[l.n - 1]))
		l.n--;
	return l;
}

char *
source_line(const char *source, size_t most)
{
	struct code_line named = {"", 0, 0}, first = named;
	size_t body = SIZE_MAX;	/* lines that are indented more are in a definition */
	while (*source) {
		struct code_line l = next_line(&source);
		if (!l.n)
			continue;
		first = first.n ? first : l;
		if (*l.p == '#' || *l.p == '%' || l.indent > body)
			continue;
		named = named.n ? named : l;
		body = is_definition(l) ? l.indent : SIZE_MAX;
		if (body == SIZE_MAX && calls(l)) {
			named = l;
			break;
		}
	}
	named = named.n ? named : first;
	size_t n = named.n < most ? named.n : most;
	while (n < named.n && (named.p[n] & 0xc0) == 0x80)
		n++;
	return xasprintf("%.*s", (int)n, named.p);
}
