/* kernel_message.c: messages of a kernel on its WebSocket. */
#include "kernel_message.h"
#include "base/utf8.h"
#include "json/json_text.h"
#include "text/moment.h"

#include <endian.h>
#include <stdio.h>

/* ---- JSON as kernels write it --------------------------------------------------------------- */

#define REPLACEMENT "\xef\xbf\xbd"

enum { ESCAPE_BYTES = 6, MAX_DIGITS = 18 };	/* \uXXXX; of whole numbers that surely fit */

/* The code of \uXXXX at p, in NUL-terminated text; 0: it is something else. */
static unsigned
escaped_code(const char *p)
{
	unsigned code = 0;
	bool is = strncmp(p, "\\u", 2) == 0 && strspn(p + 2, "0123456789abcdefABCDEF") >= 4;
	return is && sscanf(p + 2, "%4x", &code) == 1 ? code : 0;
}

/* Adds what begins with a backslash at p; returns its bytes. */
static size_t
add_escape(struct buf *b, const char *p)
{
	unsigned code = escaped_code(p), next = code ? escaped_code(p + ESCAPE_BYTES) : 0;
	bool first = code >= 0xd800 && code < 0xdc00, second = code >= 0xdc00 && code < 0xe000;
	bool pair = first && next >= 0xdc00 && next < 0xe000;
	size_t n = pair ? 2 * ESCAPE_BYTES : code ? ESCAPE_BYTES : p[1] ? 2 : 1;
	if (!pair && (first || second))
		buf_add(b, REPLACEMENT, 3);
	else
		buf_add(b, p, n);
	return n;
}

/* Adds a number, a whole one that does not fit into 64 bits as a real; returns its bytes. */
static size_t
add_number(struct buf *b, const char *p)
{
	size_t n = strspn(p, "+-0123456789.eE");
	bool whole = strcspn(p, ".eE") >= n;
	buf_add(b, p, n);
	if (whole && n > MAX_DIGITS)
		buf_add(b, ".0", 2);
	return n;
}

/* `text` is NUL-terminated. */
static void
add_repaired(struct buf *b, const char *text, size_t n)
{
	bool in_string = false;
	for (const char *p = text; p < text + n; ) {
		size_t bytes = utf8_length(p);
		if (in_string && *p == '\\') {
			p += add_escape(b, p);
		} else if (!in_string && (*p == '-' || (*p >= '0' && *p <= '9'))) {
			p += add_number(b, p);
		} else {
			in_string = in_string != (*p == '"');
			buf_add(b, bytes ? p : REPLACEMENT, bytes ? bytes : 3);
			p += bytes ? bytes : 1;
		}
	}
}

/* What a page would read: bytes that are not UTF-8 and halves of surrogate pairs become U+FFFD,
 * whole numbers of more than 64 bits become reals.  NULL: it is not JSON. */
static json_t *
parse_json(const char *text, size_t n)
{
	enum { FLAGS = JSON_DECODE_ANY | JSON_ALLOW_NUL };
	json_t *value = json_loadb(text, n, FLAGS, NULL);
	if (value || n == 0)
		return value;
	struct buf copy = {0}, repaired = {0};
	buf_add(&copy, text, n);
	add_repaired(&repaired, copy.p, copy.n);
	value = json_loadb(repaired.p, repaired.n, FLAGS, NULL);
	buf_free(&copy);
	buf_free(&repaired);
	return value;
}

/* ---- messages ------------------------------------------------------------------------------ */

/* Its parts follow each other within the data: channel, header, parent header, metadata, content;
 * behind the last is the end, or buffers. */
enum { CHANNEL, HEADER, PARENT, METADATA, CONTENT, PARTS };

static uint64_t
offset_at(const char *data, size_t i)
{
	uint64_t offset;
	memcpy(&offset, data + 8 * i, 8);
	return le64toh(offset);
}

static int
read_framed(struct kernel_message *m, const char *data, size_t n)
{
	uint64_t at[PARTS + 1];
	if (n < 8 * (PARTS + 2) || offset_at(data, 0) < PARTS + 1)
		return -1;
	for (size_t i = 0; i <= PARTS; i++) {
		at[i] = offset_at(data, i + 1);
		if (at[i] > n || (i > 0 && at[i] < at[i - 1]))
			return -1;
	}
	m->header = parse_json(data + at[HEADER], at[HEADER + 1] - at[HEADER]);
	m->parent = parse_json(data + at[PARENT], at[PARENT + 1] - at[PARENT]);
	m->metadata = parse_json(data + at[METADATA], at[METADATA + 1] - at[METADATA]);
	m->content_text = data + at[CONTENT];
	m->content_bytes = at[CONTENT + 1] - at[CONTENT];
	return 0;
}

/* A message with buffers is binary in this framing, too: the number of its parts and their
 * offsets, 32 bits each, the most significant byte first; the first part is the message. */
static int
read_json(struct kernel_message *m, const char *data, size_t n, bool binary)
{
	uint32_t parts, from = 0, to = (uint32_t)n;
	if (binary) {
		if (n < 8 || n > UINT32_MAX)
			return -1;
		memcpy(&parts, data, 4);
		memcpy(&from, data + 4, 4);
		from = be32toh(from);
		if (be32toh(parts) > 1 && n >= 12) {
			memcpy(&to, data + 8, 4);
			to = be32toh(to);
		}
		if (from > to || to > n)
			return -1;
		data += from;
		n = to - from;
	}
	m->whole = parse_json(data, n);
	m->header = json_incref(json_object_get(m->whole, "header"));
	m->parent = json_incref(json_object_get(m->whole, "parent_header"));
	m->metadata = json_incref(json_object_get(m->whole, "metadata"));
	m->content_bytes = n;
	return 0;
}

int
kernel_message_read(struct kernel_message *m, const char *data, size_t n, bool binary, bool framed)
{
	*m = (struct kernel_message){.type = "", .parent_id = "", .bytes = n};
	int bad = framed && binary ? read_framed(m, data, n) : read_json(m, data, n, binary);
	const char *type = json_string_value(json_object_get(m->header, "msg_type"));
	const char *id = json_string_value(json_object_get(m->parent, "msg_id"));
	if (bad || !type) {
		kernel_message_free(m);
		return -1;
	}
	m->type = type;
	m->parent_id = id ? id : "";
	return 0;
}

json_t *
kernel_message_content(struct kernel_message *m)
{
	if (m->whole)
		return json_object_get(m->whole, "content");
	if (!m->content)
		m->content = parse_json(m->content_text, m->content_bytes);
	return m->content;
}

void
kernel_message_free(struct kernel_message *m)
{
	json_decref(m->header);
	json_decref(m->parent);
	json_decref(m->metadata);
	json_decref(m->whole);
	json_decref(m->content);
	*m = (struct kernel_message){.type = "", .parent_id = ""};
}

double
kernel_message_date(const struct kernel_message *m)
{
	const char *text = json_string_value(json_object_get(m->header, "date"));
	return text ? 1000 * moment_unix_s(text) : (double)NAN;
}

/* ---- sending ----------------------------------------------------------------------------- */

static void
add_framed(struct buf *b, const char *const text[PARTS])
{
	uint64_t at = 8 * (PARTS + 2), word = htole64(PARTS + 1);
	buf_add(b, &word, sizeof word);
	for (size_t i = 0; i <= PARTS; i++) {
		word = htole64(at);
		buf_add(b, &word, sizeof word);
		at += i < PARTS ? strlen(text[i]) : 0;
	}
	for (size_t i = 0; i < PARTS; i++)
		buf_add(b, text[i], strlen(text[i]));
}

void
kernel_message_add(struct buf *b, bool framed, const char *channel, const json_t *header,
    const json_t *metadata, const json_t *content)
{
	char *head = json_text_of(header), *meta = json_text_of(metadata);
	char *body = json_text_of(content);
	const char *const text[PARTS] = {channel, head, "{}", meta, body};
	if (framed)
		add_framed(b, text);
	else
		buf_addf(b, "{\"channel\":\"%s\",\"header\":%s,\"parent_header\":{},"
		    "\"metadata\":%s,\"content\":%s,\"buffers\":[]}", channel, head, meta, body);
	free(head);
	free(meta);
	free(body);
}
