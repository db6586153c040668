/* url.c: percent-encoding, hosts. */
#include "net/url.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

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

bool
url_is_loopback(const char *url)
{
	const char *scheme = strstr(url, "://"), *host = scheme ? scheme + 3 : url;
	const char *user = memchr(host, '@', strcspn(host, "/?#"));
	if (user)
		host = user + 1;
	size_t n = strcspn(host, ":/?#");
	return strncmp(host, "[::1]", 5) == 0 ||
	    (n == strlen("localhost") && strncasecmp(host, "localhost", n) == 0) ||
	    (strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == n);
}
