/* plot_names.c: how names that are too long are shown. */
#include "plot_names.h"
#include "base/buf.h"
#include "base/die.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The label before "  (12, 3.4 %)". */
#define NAME "split(datum.label, '  (')[0]"

size_t
plot_names_letters(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* "mode / side" of "mode=png side=1000"; NULL: another name. */
static char *
keys_of(const char *name)
{
	struct buf b = {0};
	for (const char *at = name; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		size_t n = strcspn(at, "= ");
		if (at[n] == '=' && n)
			buf_addf(&b, "%s%.*s", b.n ? " / " : "", (int)n, at);
		else if (!b.n)
			return NULL;
	}
	return b.p;
}

/* The bytes at the beginning or end that both names share. */
static size_t
shared_bytes(const char *a, const char *b, bool at_end)
{
	size_t n = 0, la = strlen(a), lb = strlen(b);
	while (n < la && n < lb && (at_end ? a[la - 1 - n] == b[lb - 1 - n] : a[n] == b[n]))
		n++;
	return n;
}

/* Letters of whole words that all long names share, but of the nearest word: it says what the rest
 * is. */
static size_t
omitted_letters(const char *name, size_t shared, bool at_end)
{
	size_t all = strlen(name), words = 0;
	for (; shared; shared--)
		if (strchr(" -_./", at_end ? name[all - shared] : name[shared - 1]) &&
		    ++words == 2)
			break;
	char *part = xasprintf("%.*s", (int)shared, at_end ? name + all - shared : name);
	size_t letters = plot_names_letters(part);
	free(part);
	return letters;
}

char *
plot_names_short(const json_t *names, size_t most, char **keys)
{
	const char *first = NULL;
	size_t head = SIZE_MAX, tail = SIZE_MAX, i;
	json_t *text;
	json_array_foreach((json_t *)names, i, text) {
		const char *name = json_string_value(text);
		if (plot_names_letters(name) <= most)
			continue;
		size_t start = first ? shared_bytes(first, name, false) : head;
		size_t end = first ? shared_bytes(first, name, true) : tail;
		head = start < head ? start : head;
		tail = end < tail ? end : tail;
		first = first ? first : name;
	}
	*keys = first ? keys_of(first) : NULL;
	head = head != SIZE_MAX ? omitted_letters(first, head, false) : 0;
	tail = tail != SIZE_MAX ? omitted_letters(first, tail, true) : 0;
	char *rest = *keys ? xstrdup("slice(replace(" NAME ", /(^| )[^ =]+=/g, ' / '), 3)") :
	    xasprintf("'%s' + slice(" NAME ", %zu, length(" NAME ") - %zu) + '%s'",
		head ? "…" : "", head, tail, tail ? "…" : "");
	char *all = xasprintf("(length(" NAME ") <= %zu ? " NAME " : truncate(%s, %zu, 'center', "
	    "'…')) + slice(datum.label, length(" NAME "))", most, rest, most);
	free(rest);
	return all;
}
