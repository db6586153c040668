/* lines.c: JSON lines in, JSON lines out. */
#include "nbscope.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 16 };

/* What a text begins with that people take for JSON; NULL: no such thing. */
static const char *
no_json(const char *text, size_t len)
{
	static const struct { const char *magic, *what; } seen[] = {
		{"\x1f\x8b", "it is compressed by gzip: send it through zcat"}, {"\xfd" "7zXZ", "it is compressed by xz: send it through xzcat"},
		{"\x28\xb5\x2f\xfd", "it is compressed by zstd: send it through zstdcat"}, {"BZh", "it is compressed by bzip2: send it through bzcat"},
		{"\xef\xbb\xbf", "a byte order mark, which JSON has not: save it as UTF-8 without one"},
		{"\xff\xfe", "it is UTF-16: save it as UTF-8"}, {"\xfe\xff", "it is UTF-16: save it as UTF-8"},
	};
	for (size_t i = 0; i < COUNT(seen); i++)
		if (len >= strlen(seen[i].magic) && memcmp(text, seen[i].magic, strlen(seen[i].magic)) == 0)
			return seen[i].what;
	return NULL;
}

/* RFC 8259, but that a key stands once.  jansson passes over a NUL that stands
 * behind a number, and keeps no key with one in it. */
static json_t *
load(const char *text, size_t len, json_error_t *e)
{
	const char *nul = memchr(text, '\0', len), *other = no_json(text, len);
	if (other) {
		*e = (json_error_t){.line = 1, .column = 1};
		snprintf(e->text, sizeof e->text, "%s", other);
		return NULL;
	}
	if (!nul)
		return json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, e);
	*e = (json_error_t){.line = 1, .column = 1};
	for (const char *p = text; p < nul; p++) {
		e->line += *p == '\n';
		e->column = *p == '\n' ? 1 : e->column + 1;
	}
	snprintf(e->text, sizeof e->text, "a NUL byte");
	return NULL;
}

/* Right after a write that failed: errno says why. */
_Noreturn static void
die_of_write(void)
{
	if (errno == EPIPE)
		_exit(ST_SYSTEM);	/* the reader left: not our news */
	die(ST_SYSTEM, "cannot write to standard output:");
}

static void
xflush(void)
{
	if (!errno)
		errno = EIO;	/* an earlier write failed, and its reason is gone */
	if (fflush(stdout) != 0 || ferror(stdout))
		die_of_write();
}

bool
reader_left(int fd)
{
	struct pollfd p = {.fd = fd};
	return poll(&p, 1, 0) == 1 && (p.revents & POLLERR);
}

/* Who reads our output may leave while we wait for input: then nobody wants it.
 * One that ignores SIGPIPE has something else to do with what it reads. */
static void
wait_readable(int fd)
{
	struct sigaction pipe_signal;
	struct pollfd p[2] = {{.fd = fd, .events = POLLIN}, {.fd = STDOUT_FILENO}};
	sigaction(SIGPIPE, NULL, &pipe_signal);
	if (pipe_signal.sa_handler != SIG_DFL)
		return;
	while (poll(p, 2, -1) < 0 && errno == EINTR)
		continue;
	if ((p[1].revents & POLLERR) && !(p[0].revents & (POLLIN | POLLHUP)))
		raise(SIGPIPE);
}

/* Reads one more chunk behind what is there; false at end of input. */
static bool
fill(struct lines *in)
{
	if (in->pos) {
		memmove(in->buf.p, in->buf.p + in->pos, in->buf.n - in->pos);
		in->buf.n -= in->pos;
		in->pos = 0;
	}
	char chunk[CHUNK_BYTES];
	ssize_t n;
	xflush();
	wait_readable(in->fd);
	while ((n = read(in->fd, chunk, sizeof chunk)) < 0 && errno == EINTR)
		continue;
	if (n < 0)
		die(ST_SYSTEM, "cannot read '%s':", in->name);
	if (n == 0)
		return false;
	size_t limit = in->limit ? in->limit : LINE_LIMIT_BYTES;
	in->buf.limit = limit + 2 * CHUNK_BYTES;
	if (buf_add(&in->buf, chunk, (size_t)n) < 0)
		die(ST_INPUT, "%s:%lu:1: line longer than %zu bytes", in->name, in->number + 1, limit);
	return true;
}

char *
xnext_line(struct lines *in, size_t *len)
{
	size_t seen = 0;
	size_t limit = in->limit ? in->limit : LINE_LIMIT_BYTES;
	for (;;) {
		char *start = in->buf.p ? in->buf.p + in->pos : NULL;
		size_t have = in->buf.n - in->pos;
		char *nl = have > seen ? memchr(start + seen, '\n', have - seen) : NULL;
		if (!nl && !in->eof) {
			seen = have;
			if (have > limit)
				die(ST_INPUT, "%s:%lu:1: line longer than %zu bytes", in->name, in->number + 1, limit);
			in->eof = !fill(in);
			continue;
		}
		if (!nl && have == 0)
			return NULL;
		size_t n = nl ? (size_t)(nl - start) : have;
		if (n > limit)
			die(ST_INPUT, "%s:%lu:1: line longer than %zu bytes", in->name, in->number + 1, limit);
		start[n] = '\0';
		in->pos += n + (nl ? 1 : 0);
		in->number++;
		*len = n;
		return start;
	}
}

json_t *
parse_json(const char *text, size_t len, const char *name, char **error)
{
	json_error_t e;
	json_t *v = load(text, len, &e);
	if (!v)
		*error = xasprintf("%s:%d:%d: %s", name, e.line < 1 ? 1 : e.line, e.column < 1 ? 1 : e.column, e.text);
	return v;
}

json_t *
xparse_record(const struct lines *in, const char *line, size_t len)
{
	json_error_t e;
	json_t *r = load(line, len, &e);
	if (!r)
		die(ST_INPUT, "%s:%lu:%d: %s", in->name, in->number, e.column < 1 ? 1 : e.column, e.text);
	if (!json_is_object(r))
		die(ST_INPUT, "%s:%lu:1: not a JSON object", in->name, in->number);
	if (!json_is_string(json_object_get(r, "type")))
		die(ST_INPUT, "%s:%lu:1: no \"type\" in the record", in->name, in->number);
	return r;
}

char *
whole_text(const json_t *string)
{
	const char *p = json_string_value(string), *end = p + json_string_length(string);
	struct buf b = {0};
	buf_add(&b, "", 0);
	for (;;) {
		size_t n = strlen(p);
		buf_add(&b, p, n);
		if (p + n == end)
			return b.p;
		buf_add(&b, "\xef\xbf\xbd", 3);
		p += n + 1;
	}
}

const char *
record_type(const json_t *record)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	return type ? type : "";
}

/* The shortest of %.15g..%.17g that reads back the same. */
static void
dump_real(struct buf *b, double x)
{
	if (!isfinite(x)) {
		buf_addf(b, "null");
		return;
	}
	char text[40];
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			break;
	}
	buf_addf(b, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

/* jansson escapes what JSON says must be; DEL and C1 drive terminals as well. */
static int
to_buf(const char *data, size_t n, void *b)
{
	const char *end = data + n;
	for (const char *p = data; p < end; p++) {
		bool c1 = (unsigned char)*p == 0xc2 && p + 1 < end && (unsigned char)p[1] < 0xa0;
		if (*p != 0x7f && !c1)
			continue;
		if (buf_add(b, data, (size_t)(p - data)) < 0 || buf_addf(b, "\\u%04x", c1 ? (unsigned char)p[1] : 0x7fu) < 0)
			return -1;
		p += c1;
		data = p + 1;
	}
	return buf_add(b, data, (size_t)(end - data));
}

void
dump_json(struct buf *b, const json_t *v)
{
	const char *key;
	json_t *item;
	size_t i;
	switch (json_typeof(v)) {
	case JSON_REAL:
		dump_real(b, json_real_value(v));
		return;
	case JSON_ARRAY:
		buf_add(b, "[", 1);
		json_array_foreach(v, i, item) {
			if (i)
				buf_add(b, ",", 1);
			dump_json(b, item);
		}
		buf_add(b, "]", 1);
		return;
	case JSON_OBJECT: {
		bool first = true;
		buf_add(b, "{", 1);
		/* jansson's macro wants a non-const object; nothing is changed. */
		json_object_foreach((json_t *)(uintptr_t)v, key, item) {
			if (!first)
				buf_add(b, ",", 1);
			first = false;
			json_t *k = json_string(key);
			if (!k || json_dump_callback(k, to_buf, b, JSON_ENCODE_ANY) < 0)
				die(ST_SYSTEM, "out of memory");
			json_decref(k);
			buf_add(b, ":", 1);
			dump_json(b, item);
		}
		buf_add(b, "}", 1);
		return;
	}
	default:
		if (json_dump_callback(v, to_buf, b, JSON_ENCODE_ANY) < 0)
			die(ST_SYSTEM, "out of memory");
	}
}

char *
json_text(const json_t *v)
{
	struct buf b = {0};
	dump_json(&b, v);
	return b.p;
}

void
xput_line(const char *line, size_t len)
{
	if (fwrite(line, 1, len, stdout) != len || putchar('\n') == EOF)
		die_of_write();
}

void
xput_text(const char *text, size_t len)
{
	if (fwrite(text, 1, len, stdout) != len)
		die_of_write();
}

int
send_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t k = send(fd, bytes, n, MSG_NOSIGNAL);
		if (k == 0 || (k < 0 && errno != EINTR))
			return -1;
		bytes += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
	return 0;
}

void
xput_record(const json_t *r)
{
	struct buf b = {0};
	dump_json(&b, r);
	xput_line(b.p, b.n);
	buf_free(&b);
}

void
xclose_stdout(void)
{
	xflush();
	if (fclose(stdout) != 0 && errno != EBADF)
		die(ST_SYSTEM, "cannot write to standard output:");
}
