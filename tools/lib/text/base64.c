/* base64.c: RFC 4648, for files sent to a server and screenshots from a browser. */
#include "text/base64.h"
#include "base/atomic_file.h"
#include "base/die.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *
base64_encode(const void *data, size_t n)
{
	const unsigned char *p = data;
	char *text = xmalloc((n + 2) / 3 * 4 + 1), *q = text;
	for (size_t i = 0; i < n; i += 3) {
		unsigned v = (unsigned)p[i] << 16;
		if (i + 1 < n)
			v |= (unsigned)p[i + 1] << 8;
		if (i + 2 < n)
			v |= p[i + 2];
		*q++ = digits[v >> 18];
		*q++ = digits[v >> 12 & 63];
		*q++ = i + 1 < n ? digits[v >> 6 & 63] : '=';
		*q++ = i + 2 < n ? digits[v & 63] : '=';
	}
	*q = '\0';
	return text;
}

static unsigned char *
base64_decode(const char *text, size_t *n)
{
	unsigned char *data = xmalloc(strlen(text) / 4 * 3 + 3), *q = data;
	unsigned v = 0, bits = 0;
	for (; *text && *text != '='; text++) {
		const char *at = strchr(digits, *text);
		if (!at) {
			free(data);
			return NULL;
		}
		v = (v << 6 | (unsigned)(at - digits)) & 0xffffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			*q++ = (unsigned char)(v >> bits);
		}
	}
	*n = (size_t)(q - data);
	return data;
}

bool
xbase64_write_file(const char *path, const char *text)
{
	struct buf b = {0};
	b.p = (char *)base64_decode(text, &b.n);
	if (!b.p)
		return false;
	xatomic_file_write_buf(path, &b);
	free(b.p);
	return true;
}
