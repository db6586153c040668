/* plot_text.c: widths of texts, and texts that fit.
 * Widths of DejaVu Sans in thousandths of an em; a character outside ASCII counts as a
 * letter of medium width, or as a wide one in the scripts that have these. */
#include "plot_text.h"
#include "base/buf.h"
#include "base/die.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const short widths[] = {
	318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
	636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
	1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
	603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
	500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
	635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838};
enum { OTHER_LETTER = 640, WIDE_LETTER = 1000, WIDE_FROM = 0xe1, WORD_BYTES = 16 };

static bool
continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static double
letter(const char *p)
{
	unsigned char c = (unsigned char)*p;
	if (c >= ' ' && c < 127)
		return widths[c - ' '];
	return continues(*p) ? 0 : c > WIDE_FROM && c != 0xe2 ? WIDE_LETTER : OTHER_LETTER;
}

double
plot_text_px(const char *text, double px)
{
	double sum = 0;
	for (; *text; text++)
		sum += letter(text);
	return sum * px / 1000;
}

char *
plot_text_fit(const char *text, double px, double room)
{
	if (plot_text_px(text, px) <= room)
		return xstrdup(text);
	/* Similar names often differ at their end, so both ends are preserved. */
	const char *head = text, *tail = text + strlen(text);
	double used = plot_text_px("…", px);
	for (bool front = true; head < tail; front = !front) {
		const char *next = front ? head + 1 : tail - 1;
		while (front ? continues(*next) : next > head && continues(*next))
			next += front ? 1 : -1;
		used += letter(front ? head : next) * px / 1000;
		if (used > room)
			break;
		*(front ? &head : &tail) = next;
	}
	return xasprintf("%.*s…%s", (int)(head - text), text, tail);
}

/* The number of bytes at the beginning (from 0) or end that all wide names share. */
static size_t
shared_bytes(char *const *names, size_t n, double px, double room, bool at_end)
{
	const char *first = NULL;
	size_t shared = 0;
	for (size_t i = 0; i < n; i++) {
		if (plot_text_px(names[i], px) <= room)
			continue;
		size_t long_is = strlen(names[i]), k = 0;
		if (!first) {
			first = names[i];
			shared = long_is;
			continue;
		}
		const char *a = at_end ? first + strlen(first) : first, *b = at_end ?
		    names[i] + long_is : names[i];
		while (k < shared && k < long_is && (at_end ?
		    a[-1 - (ptrdiff_t)k] == b[-1 - (ptrdiff_t)k] : a[k] == b[k]))
			k++;
		shared = k;
	}
	if (!first || shared == strlen(first))
		return 0;
	/* Whole words: "side250" and "side2000" do not differ in "50" and "000". */
	for (size_t words = 0; shared && words < WORD_BYTES; words++) {
		char last = at_end ? first[strlen(first) - shared] : first[shared - 1];
		if (strchr(" -_./=", last))
			break;
		shared--;
	}
	while (shared && continues(at_end ? first[strlen(first) - shared] : first[shared]))
		shared--;
	return shared;
}

/* The name without its first `head` and last `tail` bytes. */
static char *
without_ends(const char *name, size_t head, size_t tail)
{
	return xasprintf("%s%.*s%s", head ? "…" : "", (int)(strlen(name) - head - tail),
	    name + head, tail ? "…" : "");
}

static bool
ends_fit(char *const *names, size_t n, double px, double room, size_t head, size_t tail)
{
	bool fit = true;
	for (size_t i = 0; i < n && fit; i++) {
		if (plot_text_px(names[i], px) <= room)
			continue;
		char *text = without_ends(names[i], head, tail);
		fit = plot_text_px(text, px) <= room;
		free(text);
	}
	return fit;
}

/* Names without what they have in common at their ends, and each shortened in its middle. */
static char **
fit_ends(char *const *names, size_t n, double px, double room)
{
	char **fits = xmalloc((n + 1) * sizeof(*fits));
	size_t head = shared_bytes(names, n, px, room, false), tail = shared_bytes(names, n, px,
	    room, true), shortest = SIZE_MAX;
	for (size_t i = 0; i < n; i++)
		if (plot_text_px(names[i], px) > room && strlen(names[i]) < shortest)
			shortest = strlen(names[i]);
	if (head + tail >= shortest)
		tail = 0;
	/* Remove only what is necessary, first from the end. */
	size_t least_tail = ends_fit(names, n, px, room, head, 0) ? 0 : tail;
	while (head && ends_fit(names, n, px, room, head - 1, least_tail))
		head--;
	while (least_tail && ends_fit(names, n, px, room, head, least_tail - 1))
		least_tail--;
	for (size_t i = 0; i < n; i++) {
		if (plot_text_px(names[i], px) <= room) {
			fits[i] = xstrdup(names[i]);
			continue;
		}
		size_t from = head, end = least_tail, long_is = strlen(names[i]);
		while (from && continues(names[i][from]))
			from++;
		while (end && continues(names[i][long_is - end]))
			end++;
		char *text = without_ends(names[i], from, end);
		fits[i] = plot_text_fit(text, px, room);
		free(text);
	}
	return fits;
}

/* ---- names of combinations ---------------------------------------------------------------- */

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

/* The keys that all names which have keys have; NULL: there are none, or others. */
static char *
common_keys(char *const *names, size_t n)
{
	char *keys = NULL;
	bool same = true;
	for (size_t i = 0; i < n; i++) {
		char *own = parts_of(names[i], false);
		same &= !own || !keys || strcmp(own, keys) == 0;
		if (!keys)
			keys = own;
		else
			free(own);
	}
	if (!same)
		free(keys);
	return same ? keys : NULL;
}

/* Groups with one name would be one group. */
static void
make_distinct(char **names, size_t n)
{
	for (size_t i = n; i-- > 1;) {
		char *name = names[i];
		size_t before = 0;
		for (size_t k = 0; k < i; k++)
			before += strcmp(name, names[k]) == 0;
		if (before) {
			names[i] = xasprintf("%s (%zu)", name, before + 1);
			free(name);
		}
	}
}

static bool
all_fit(char *const *names, size_t n, double px, double room)
{
	for (size_t i = 0; i < n; i++)
		if (plot_text_px(names[i], px) > room)
			return false;
	return true;
}

char **
plot_text_fit_names(char *const *names, size_t n, double px, double room, char **keys)
{
	char **short_names = xmalloc((n + 1) * sizeof *short_names), **fits;
	*keys = all_fit(names, n, px, room) ? NULL : common_keys(names, n);
	for (size_t i = 0; i < n; i++) {
		short_names[i] = *keys ? parts_of(names[i], true) : NULL;
		if (!short_names[i])
			short_names[i] = xstrdup(names[i]);
	}
	fits = fit_ends(short_names, n, px, room);
	make_distinct(fits, n);
	plot_text_free(short_names, n);
	return fits;
}

char **
plot_text_wrap(const char *text, double px, double room, size_t *n)
{
	char **lines = NULL;
	*n = 0;
	while (*text) {
		const char *end = text, *good = NULL;
		double used = 0;
		for (; *end && *end != '\n' && used <= room; end++) {
			if (*end == ' ')
				good = end;
			used += letter(end) * px / 1000;
		}
		if (used <= room || !good)
			good = end > text + 1 && used > room ? end - 1 : end;
		while (good > text + 1 && continues(*good))
			good--;
		lines = xrealloc(lines, (*n + 1) * sizeof(*lines));
		lines[(*n)++] = xasprintf("%.*s", (int)(good - text), text);
		text = good;
		while (*text == ' ' || *text == '\n')
			text++;
	}
	return lines;
}

void
plot_text_free(char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}
