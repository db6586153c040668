/* lines.c: records: JSON objects, one per line. */
#include "json/lines.h"
#include "base/die.h"
#include "base/output.h"
#include "json/json_parse.h"
#include "json/json_text.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 16 };

/* Ends the program if the reader of its output leaves while it waits for input, unless it
 * ignores SIGPIPE because it has another use for its input. */
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

_Noreturn static void
die_too_long(const struct lines *in, size_t limit)
{
	unsigned long line = in->number + 1;
	die(ST_INPUT, "%s:%lu:1: line longer than %zu bytes", in->name, line, limit);
}

void
xlines_read(struct lines *in)
{
	if (in->pos) {
		memmove(in->buf.p, in->buf.p + in->pos, in->buf.n - in->pos);
		in->buf.n -= in->pos;
		in->pos = 0;
	}
	char chunk[CHUNK_BYTES];
	ssize_t n;
	xoutput_flush();
	wait_readable(in->fd);
	while ((n = read(in->fd, chunk, sizeof chunk)) < 0 && errno == EINTR)
		continue;
	if (n < 0)
		die(ST_SYSTEM, "cannot read '%s':", in->name);
	in->eof = n == 0;
	size_t limit = in->limit ? in->limit : LINE_LIMIT_BYTES;
	in->buf.limit = limit + 2 * CHUNK_BYTES;
	if (buf_add(&in->buf, chunk, (size_t)n) < 0)
		die_too_long(in, limit);
}

char *
xlines_take(struct lines *in, size_t *len)
{
	size_t limit = in->limit ? in->limit : LINE_LIMIT_BYTES;
	char *start = in->buf.p ? in->buf.p + in->pos : NULL;
	size_t have = in->buf.n - in->pos;
	char *nl = have > in->seen ? memchr(start + in->seen, '\n', have - in->seen) : NULL;
	size_t n = nl ? (size_t)(nl - start) : have;
	if (n > limit)
		die_too_long(in, limit);
	in->seen = have;
	if (!nl && (!in->eof || have == 0))
		return NULL;
	start[n] = '\0';
	in->pos += n + (nl ? 1 : 0);
	in->seen = 0;
	in->number++;
	*len = n;
	return start;
}

char *
xlines_next(struct lines *in, size_t *len)
{
	char *line;
	while (!(line = xlines_take(in, len)) && !in->eof)
		xlines_read(in);
	return line;
}

json_t *
xlines_parse_object(const struct lines *in, const char *line, size_t len)
{
	json_error_t e;
	json_t *r = json_parse_strict(line, len, &e);
	if (!r)
		die(ST_INPUT, "%s:%lu:%d: %s", in->name, in->number, e.column < 1 ? 1 : e.column,
		    e.text);
	if (!json_is_object(r))
		die(ST_INPUT, "%s:%lu:1: not a JSON object", in->name, in->number);
	return r;
}

json_t *
xlines_parse(const struct lines *in, const char *line, size_t len)
{
	json_t *r = xlines_parse_object(in, line, len);
	if (!json_is_string(json_object_get(r, "type")))
		die(ST_INPUT, "%s:%lu:1: no \"type\" in the record", in->name, in->number);
	return r;
}

const char *
lines_record_type(const json_t *record)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	return type ? type : "";
}

void
xlines_write(const json_t *r)
{
	struct buf b = {0};
	json_text_add(&b, r);
	xoutput_line(b.p, b.n);
	buf_free(&b);
}

void
xlines_write_new(json_t *r)
{
	if (!r)
		die(ST_SYSTEM, "out of memory");
	xlines_write(r);
	json_decref(r);
}

int
lines_send(int socket, json_t *value)
{
	struct buf line = {0};
	json_text_add(&line, value);
	json_decref(value);
	int sent = buf_add(&line, "\n", 1) == 0 ? output_send_all(socket, line.p, line.n) : -1;
	buf_free(&line);
	return sent;
}
