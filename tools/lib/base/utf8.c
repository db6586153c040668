/* utf8.c: characters that must not reach a terminal. */
#include "base/utf8.h"
#include "base/nbscope.h"

size_t
utf8_length(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 :
	    *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

unsigned long
utf8_code(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned long c = n < 2 ? *p : *p & (0x7fu >> n);
	for (size_t i = 1; i < n; i++)
		c = c << 6 | (p[i] & 63u);
	return c;
}

bool
utf8_is_unsafe(const char *text, size_t n)
{
	unsigned long c = utf8_code(text, n);
	return n == 0 || c < 0x20 || (c >= 0x7f && c < 0xa0) || utf8_is_deceptive(c);
}

bool
utf8_is_deceptive(unsigned long c)
{
	/* These are, in order: Arabic letter mark, Hangul fillers, Khmer and Mongolian invisibles,
	 * joiners and marks, separators and embeddings, isolates, more fillers, the noncharacters
	 * that stand for styles, the byte order mark, annotation anchors, tags. */
	static const struct {
		unsigned long first, last;
	} ranges[] = {
		{0x61c, 0x61c}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},
		{0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},
		{0xfdd0, 0xfdef}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff9, 0xfffb},
		{0xe0000, 0xe007f},
	};
	for (size_t i = 0; i < COUNT(ranges); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}
