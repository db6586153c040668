/* reqhead.c: the head of a request to a proxy, and where its body ends.
 * Strict: what two readers could understand differently (two lengths, a folded
 * line, a bare control character) is refused, not guessed. */
#include "proxy.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_SIZE_DIGITS = 15, TRAILER_LIMIT_BYTES = HEAD_LIMIT_BYTES };

size_t
reqhead_end(const char *p, size_t n)
{
	const char *at = p, *nl;
	while ((nl = memchr(at, '\n', n - (size_t)(at - p)))) {
		size_t i = (size_t)(nl - p) + 1;
		if (i < n && p[i] == '\n')
			return i + 1;
		if (i + 1 < n && p[i] == '\r' && p[i + 1] == '\n')
			return i + 2;
		at = nl + 1;
	}
	return 0;
}

static bool
all_of(const char *text, const char *also)
{
	const char *p = text;
	while (*p && (isalnum((unsigned char)*p) || strchr(also, *p)))
		p++;
	return p > text && !*p;
}

static bool
is_token(const char *text)
{
	return all_of(text, "!#$%&'*+-.^_`|~");
}

static bool
is_plain(const char *text)
{
	for (; *text; text++)
		if (((unsigned char)*text < 0x20 && *text != '\t') || *text == 0x7f)
			return false;
	return true;
}

/* "host:port", "[::1]:port", or the host alone where `port` is given. */
static const char *
take_authority(char *text, const char *port, struct reqhead *r)
{
	char *host = text, *end = *text == '[' ? strchr(text, ']') : NULL;
	if (*text == '[' && !end)
		return "no ']' after the address";
	char *colon = strchr(end ? end : text, ':');
	if (end && end[1] && end + 1 != colon)
		return "malformed address";
	if (colon) {
		*colon = '\0';
		port = colon[1] || !port ? colon + 1 : port;
	}
	if (end) {
		host++;
		*end = '\0';
	}
	if (!all_of(host, end ? ":." : "-._") || strlen(host) >= sizeof r->host)
		return "malformed host";
	if (!port || strlen(port) > 5 || strspn(port, "0123456789") != strlen(port))
		return "no port, or a malformed one";
	long number = strtol(port, NULL, 10);
	if (number < 1 || number > 65535)
		return "a port is from 1 to 65535";
	snprintf(r->host, sizeof r->host, "%s", host);
	snprintf(r->port, sizeof r->port, "%ld", number);
	return NULL;
}

/* Absolute form to origin form; browsers may name a WebSocket's own scheme. */
static const char *
take_target(const char *method, char *target, const char *version, struct reqhead *r)
{
	size_t scheme = strncasecmp(target, "http://", 7) == 0 ? 7 : strncasecmp(target, "ws://", 5) == 0 ? 5 : 0;
	if (!scheme)
		return "the target is no absolute http:// address: this is a proxy";
	char *authority = target + scheme, *path = authority + strcspn(authority, "/?");
	char *copy = xasprintf("%.*s", (int)(path - authority), authority);
	const char *wrong = take_authority(copy, "80", r);
	free(copy);
	if (wrong)
		return wrong;
	const char *slash = *path == '/' ? "" : !*path && strcmp(method, "OPTIONS") == 0 ? "*" : "/";
	buf_addf(&r->head, "%s %s%s %s\r\nHost: %.*s\r\n", method, slash, path, version, (int)(path - authority), authority);
	return NULL;
}

static const char *
take_first_line(char *line, struct reqhead *r)
{
	char *method = strsep(&line, " "), *target = line ? strsep(&line, " ") : NULL;
	if (!line || !is_token(method) || strncmp(line, "HTTP/1.", 7) != 0 || !isdigit((unsigned char)line[7]) || line[8])
		return "malformed request line";
	if (!is_plain(target) || strchr(target, '\t') || !*target)
		return "malformed target";
	r->tunnel = strcmp(method, "CONNECT") == 0;
	return r->tunnel ? take_authority(target, NULL, r) : take_target(method, target, line, r);
}

static const char *
take_length(const char *value, struct reqhead *r, bool *has_length)
{
	size_t digits = strspn(value, "0123456789");
	if (!digits || digits > 18 || value[digits] || *has_length || r->body.state == BODY_SIZE)
		return "malformed or repeated length";
	*has_length = true;
	r->body.left = strtoull(value, NULL, 10);
	r->body.state = r->body.left ? BODY_LENGTH : BODY_DONE;
	return NULL;
}

static const char *
take_field(char *line, struct reqhead *r, bool *has_length)
{
	char *value = strchr(line, ':');
	if (!value)
		return "a header line without a colon";
	*value++ = '\0';
	value += strspn(value, " \t");
	if (!is_token(line) || !is_plain(value))
		return "malformed header line";
	for (size_t n = strlen(value); n && strchr(" \t", value[n - 1]); )
		value[--n] = '\0';
	/* Between the client and this proxy only; the host is the target's. */
	if (strcasecmp(line, "Proxy-Connection") == 0 || strcasecmp(line, "Proxy-Authorization") == 0 || strcasecmp(line, "Host") == 0)
		return NULL;
	const char *wrong = NULL;
	if (strcasecmp(line, "Content-Length") == 0) {
		wrong = take_length(value, r, has_length);
	} else if (strcasecmp(line, "Transfer-Encoding") == 0) {
		if (strcasecmp(value, "chunked") != 0 || *has_length || r->body.state == BODY_SIZE)
			wrong = "a transfer encoding other than chunked alone";
		r->body.state = BODY_SIZE;
	} else if (strcasecmp(line, "Upgrade") == 0) {
		r->upgrade = true;
	}
	buf_addf(&r->head, "%s: %s\r\n", line, value);
	return wrong;
}

const char *
reqhead_parse(char *head, size_t n, struct reqhead *r)
{
	*r = (struct reqhead){0};
	if (memchr(head, '\0', n))
		return "a NUL";
	const char *wrong = NULL;
	bool has_length = false;
	char *line;
	for (int i = 0; !wrong && (line = strsep(&head, "\n")); i++) {
		size_t len = strlen(line);
		if (len && line[len - 1] == '\r')
			line[--len] = '\0';
		if (!len && i)
			break;
		wrong = i ? take_field(line, r, &has_length) : take_first_line(line, r);
	}
	buf_addf(&r->head, "\r\n");
	if (r->tunnel)
		r->body = (struct body){0};
	return wrong;
}

/* One byte of what stands around the chunks' data; false: malformed. */
static bool
take_framing(struct body *b, char c)
{
	const char *digits = "0123456789abcdef", *digit = strchr(digits, tolower((unsigned char)c));
	switch (b->state) {
	case BODY_SIZE:
		if (c && digit) {
			b->left = b->left * 16 + (uint64_t)(digit - digits);
			return ++b->digits <= MOST_SIZE_DIGITS;
		}
		if (!b->digits || !strchr("\r\n; \t", c))
			return false;
		b->state = BODY_EXTENSION;
		/* fall through */
	case BODY_EXTENSION:
		if (c == '\n') {
			b->state = b->left ? BODY_DATA : BODY_TRAILER;
			b->digits = 0;
		}
		return c != '\0';
	case BODY_DATA_END:
		if (c == '\n')
			*b = (struct body){.state = BODY_SIZE};
		return c == '\n' || c == '\r';
	case BODY_TRAILER:
		if (c == '\n') {
			if (!b->digits)
				b->state = BODY_DONE;
			b->digits = 0;
		} else if (c != '\r') {
			b->digits++;
		}
		return b->digits <= TRAILER_LIMIT_BYTES;
	default:
		return false;
	}
}

ssize_t
body_take(struct body *b, const char *p, size_t n)
{
	size_t i = 0;
	while (i < n && b->state != BODY_DONE) {
		if (b->state != BODY_LENGTH && b->state != BODY_DATA) {
			if (!take_framing(b, p[i++]))
				return -1;
			continue;
		}
		uint64_t k = b->left < n - i ? b->left : n - i;
		i += (size_t)k;
		b->left -= k;
		if (!b->left)
			b->state = b->state == BODY_LENGTH ? BODY_DONE : BODY_DATA_END;
	}
	return (ssize_t)i;
}
