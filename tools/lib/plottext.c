/* plottext.c: how wide words are, before anything draws them.
 * DejaVu Sans, its widths in thousandths of an em; what is beyond ASCII is taken
 * for a middling letter, and for a wide one from the scripts that have them. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const short widths[] = {318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
	636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775,
	752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
	500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818,
	592, 592, 525, 636, 337, 636, 838};
enum { OTHER_LETTER = 640, WIDE_LETTER = 1000, WIDE_FROM = 0xe1 };

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
text_px(const char *text, double px)
{
	double sum = 0;
	for (; *text; text++)
		sum += letter(text);
	return sum * px / 1000;
}

char *
text_fit(const char *text, double px, double room)
{
	if (text_px(text, px) <= room)
		return xstrdup(text);
	/* The end tells names of a family apart, so both ends stay. */
	const char *head = text, *tail = text + strlen(text);
	double used = text_px("…", px);
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

char **
text_wrap(const char *text, double px, double room, size_t *n)
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
