/* plot_names.c: names of groups without what they share. */
#include "plot_names.h"
#include "base/buf.h"
#include "base/die.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t
plot_names_letters(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* The bytes of a key, if the text begins with "KEY="; else 0. */
static size_t
key_bytes(const char *text)
{
	size_t n = strcspn(text, "= ");
	return text[n] == '=' ? n : 0;
}

/* "mode / side" (keys) or "png / 1000" (values) of "mode=png side=1000"; NULL: another name. */
static char *
parts_of(const char *name, bool values)
{
	struct buf b = {0};
	for (const char *at = name, *end; *at; at = *end ? end + 1 : end) {
		size_t n = key_bytes(at);
		if (!n) {
			buf_free(&b);
			return NULL;
		}
		for (end = at + n + 1; *end && !(*end == ' ' && key_bytes(end + 1)); end++)
			continue;
		const char *from = values ? at + n + 1 : at;
		buf_addf(&b, "%s%.*s", b.n ? " / " : "", (int)((values ? end : at + n) - from),
		    from);
	}
	return b.p;
}

/* The keys that all names have; NULL: there are none, or others. */
static char *
common_keys(char *const *names, size_t n)
{
	char *keys = n ? parts_of(names[0], false) : NULL;
	for (size_t i = 1; i < n && keys; i++) {
		char *own = parts_of(names[i], false);
		if (!own || strcmp(own, keys) != 0) {
			free(keys);
			keys = NULL;
		}
		free(own);
	}
	return keys;
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

/* Of what the long names share, whole words but the nearest one: that says what the rest is. */
static size_t
omitted_bytes(const char *name, size_t shared, bool at_end)
{
	size_t n = strlen(name), words = 0;
	for (; shared; shared--) {
		char c = at_end ? name[n - shared] : name[shared - 1];
		if (strchr(" -_./", c) && ++words == 2)
			break;
	}
	return shared;
}

char **
plot_names_short(char *const *names, size_t n, size_t most, char **keys)
{
	char **to = xmalloc((n + 1) * sizeof *to);
	const char *first = NULL;
	size_t head = SIZE_MAX, tail = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		if (plot_names_letters(names[i]) <= most)
			continue;
		size_t start = first ? shared_bytes(first, names[i], false) : head;
		size_t end = first ? shared_bytes(first, names[i], true) : tail;
		head = start < head ? start : head;
		tail = end < tail ? end : tail;
		first = first ? first : names[i];
	}
	*keys = first ? common_keys(names, n) : NULL;
	bool many = head != SIZE_MAX;
	head = many ? omitted_bytes(first, head, false) : 0;
	tail = many ? omitted_bytes(first, tail, true) : 0;
	for (size_t i = 0; i < n; i++) {
		size_t all = strlen(names[i]);
		if (*keys)
			to[i] = parts_of(names[i], true);
		else if (plot_names_letters(names[i]) <= most || all <= head + tail)
			to[i] = xstrdup(names[i]);
		else
			to[i] = xasprintf("%s%.*s%s", head ? "…" : "", (int)(all - head - tail),
			    names[i] + head, tail ? "…" : "");
	}
	return to;
}
