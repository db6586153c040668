/* kernel_message.c: messages of a kernel on its WebSocket. */
#include "kernel_message.h"
#include "json/json_text.h"
#include "kernel_json.h"

#include <endian.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
	m->header = kernel_json_parse(data + at[HEADER], at[HEADER + 1] - at[HEADER]);
	m->parent = kernel_json_parse(data + at[PARENT], at[PARENT + 1] - at[PARENT]);
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
	m->whole = kernel_json_parse(data, n);
	m->header = json_incref(json_object_get(m->whole, "header"));
	m->parent = json_incref(json_object_get(m->whole, "parent_header"));
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
		m->content = kernel_json_parse(m->content_text, m->content_bytes);
	return m->content;
}

void
kernel_message_free(struct kernel_message *m)
{
	json_decref(m->header);
	json_decref(m->parent);
	json_decref(m->whole);
	json_decref(m->content);
	*m = (struct kernel_message){.type = "", .parent_id = ""};
}

/* "2026-11-25T20:42:37.123456Z" or with "+01:00"; without either it is in UTC. */
double
kernel_message_date(const struct kernel_message *m)
{
	const char *text = json_string_value(json_object_get(m->header, "date"));
	struct tm tm = {0};
	double second;
	int hours = 0, minutes = 0;
	char sign = 'Z';
	if (!text || sscanf(text, "%4d-%2d-%2dT%2d:%2d:%lf%c%2d:%2d", &tm.tm_year, &tm.tm_mon,
	    &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &second, &sign, &hours, &minutes) < 6)
		return NAN;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	double zone_s = (hours * 60 + minutes) * 60;
	return ((double)timegm(&tm) + second - (sign == '-' ? -zone_s : zone_s)) * 1000;
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
