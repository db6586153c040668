/* url.c: percent-encoding. */
#include "net/url.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void
url_add_escaped(struct buf *b, const char *text, const char *also)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		if (isalnum(*p) || strchr("-._~", *p) || strchr(also, *p))
			buf_add(b, p, 1);
		else
			buf_addf(b, "%%%02X", *p);
}

char *
url_path(const char *prefix, const char *path)
{
	struct buf b = {0};
	buf_addf(&b, "%s", prefix);
	url_add_escaped(&b, path, "/");
	return b.p;
}

void
url_unescape(char *s)
{
	char *to = s;
	for (unsigned int byte; *s; *to++ = (char)byte) {
		bool encoded = *s == '%' && isxdigit((unsigned char)s[1]) &&
		    isxdigit((unsigned char)s[2]) && sscanf(s + 1, "%2x", &byte) == 1;
		if (!encoded)
			byte = (unsigned char)*s;
		s += encoded ? 3 : 1;
	}
	*to = '\0';
}
