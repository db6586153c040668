/* request.c: a request to a proxy: its head, and where its body ends.
 * Strict: what two readers could understand differently (two lengths, a folded line, a bare
 * control character) is refused, not guessed. */
#include "request.h"
#include "base/die.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

enum { MAX_SIZE_DIGITS = 15, MAX_TRAILER_BYTES = MAX_HEAD_BYTES };

size_t
request_head_end(const char *p, size_t n)
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
is_alphanumeric_or(const char *text, const char *also)
{
	const char *p = text;
	while (*p && (isalnum((unsigned char)*p) || strchr(also, *p)))
		p++;
	return p > text && !*p;
}

static bool
is_token(const char *text)
{
	return is_alphanumeric_or(text, "!#$%&'*+-.^_`|~");
}

static bool
has_no_controls(const char *text)
{
	for (; *text; text++)
		if (((unsigned char)*text < 0x20 && *text != '\t') || *text == 0x7f)
			return false;
	return true;
}

/* "host:port", "[::1]:port", or the host alone where `port` is given. */
static const char *
parse_authority(char *text, const char *port, struct request_head *r)
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
	if (!is_alphanumeric_or(host, end ? ":." : "-._") || strlen(host) >= sizeof r->host)
		return "malformed host";
	if (!port || strlen(port) > 5 || strspn(port, "0123456789") != strlen(port))
		return "missing or malformed port";
	long number = strtol(port, NULL, 10);
	if (number < 1 || number > 65535)
		return "the port is not from 1 to 65535";
	snprintf(r->host, sizeof r->host, "%s", host);
	snprintf(r->port, sizeof r->port, "%ld", number);
	return NULL;
}

static size_t
scheme_length(const char *target)
{
	/* Browsers may use the WebSocket's own scheme. */
	static const char *const schemes[] = {"http://", "ws://"};
	for (size_t i = 0; i < COUNT(schemes); i++)
		if (strncasecmp(target, schemes[i], strlen(schemes[i])) == 0)
			return strlen(schemes[i]);
	return 0;
}

/* Rewrites the absolute form of a target to the origin form. */
static const char *
parse_target(const char *method, char *target, const char *version, struct request_head *r)
{
	char *authority = target + scheme_length(target);
	if (authority == target)
		return "the target is not an absolute http:// address: this is a proxy";
	char *path = authority + strcspn(authority, "/?");
	char *copy = xasprintf("%.*s", (int)(path - authority), authority);
	const char *wrong = parse_authority(copy, "80", r);
	free(copy);
	if (wrong)
		return wrong;
	bool whole_server = !*path && strcmp(method, "OPTIONS") == 0;
	const char *prefix = *path == '/' ? "" : whole_server ? "*" : "/";
	buf_addf(&r->text, "%s %s%s %s\r\nHost: %.*s\r\n", method, prefix, path, version,
	    (int)(path - authority), authority);
	return NULL;
}

static bool
is_http_1(const char *version)
{
	unsigned char minor = (unsigned char)version[strnlen(version, 7)];
	return strncmp(version, "HTTP/1.", 7) == 0 && isdigit(minor) && !version[8];
}

static const char *
parse_request_line(char *line, struct request_head *r)
{
	char *method = strsep(&line, " "), *target = line ? strsep(&line, " ") : NULL;
	if (!line || !is_token(method) || !is_http_1(line))
		return "malformed request line";
	if (!has_no_controls(target) || strchr(target, '\t') || !*target)
		return "malformed target";
	r->connect = strcmp(method, "CONNECT") == 0;
	if (r->connect)
		return parse_authority(target, NULL, r);
	return parse_target(method, target, line, r);
}

static const char *
parse_length(const char *value, struct request_head *r, bool *has_length)
{
	size_t digits = strspn(value, "0123456789");
	bool repeated = *has_length || r->body.state == BODY_SIZE;
	if (!digits || digits > 18 || value[digits] || repeated)
		return "malformed or repeated length";
	*has_length = true;
	r->body.left = strtoull(value, NULL, 10);
	r->body.state = r->body.left ? BODY_LENGTH : BODY_DONE;
	return NULL;
}

/* Fields between the client and this proxy only, and Host, which is the target's. */
static bool
is_hop_field(const char *name)
{
	return strcasecmp(name, "Proxy-Connection") == 0 ||
	    strcasecmp(name, "Proxy-Authorization") == 0 || strcasecmp(name, "Host") == 0;
}

static const char *
parse_field(char *line, struct request_head *r, bool *has_length)
{
	char *value = strchr(line, ':');
	if (!value)
		return "a header line without a colon";
	*value++ = '\0';
	value += strspn(value, " \t");
	if (!is_token(line) || !has_no_controls(value))
		return "malformed header line";
	for (size_t n = strlen(value); n && strchr(" \t", value[n - 1]); )
		value[--n] = '\0';
	if (is_hop_field(line))
		return NULL;
	const char *wrong = NULL;
	if (strcasecmp(line, "Content-Length") == 0) {
		wrong = parse_length(value, r, has_length);
	} else if (strcasecmp(line, "Transfer-Encoding") == 0) {
		if (strcasecmp(value, "chunked") != 0 || *has_length || r->body.state == BODY_SIZE)
			wrong = "a transfer encoding other than chunked alone";
		r->body.state = BODY_SIZE;
	} else if (strcasecmp(line, "Upgrade") == 0) {
		r->upgrade = true;
	}
	buf_addf(&r->text, "%s: %s\r\n", line, value);
	return wrong;
}

const char *
request_head_parse(char *head, size_t n, struct request_head *r)
{
	*r = (struct request_head){0};
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
		wrong = i ? parse_field(line, r, &has_length) : parse_request_line(line, r);
	}
	buf_addf(&r->text, "\r\n");
	if (r->connect)
		r->body = (struct request_body){0};
	return wrong;
}

/* One byte of the framing around the chunks' data; false: malformed. */
static bool
advance_framing(struct request_body *b, char c)
{
	const char *digits = "0123456789abcdef", *digit = strchr(digits, tolower((unsigned char)c));
	switch (b->state) {
	case BODY_SIZE:
		if (c && digit) {
			b->left = b->left * 16 + (uint64_t)(digit - digits);
			return ++b->digits <= MAX_SIZE_DIGITS;
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
			*b = (struct request_body){.state = BODY_SIZE};
		return c == '\n' || c == '\r';
	case BODY_TRAILER:
		if (c == '\n') {
			if (!b->digits)
				b->state = BODY_DONE;
			b->digits = 0;
		} else if (c != '\r') {
			b->digits++;
		}
		return b->digits <= MAX_TRAILER_BYTES;
	default:
		return false;
	}
}

ssize_t
request_body_advance(struct request_body *b, const char *p, size_t n)
{
	size_t i = 0;
	while (i < n && b->state != BODY_DONE) {
		if (b->state != BODY_LENGTH && b->state != BODY_DATA) {
			if (!advance_framing(b, p[i++]))
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
