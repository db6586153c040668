/* lines.h: records: JSON objects, one per line. */
#pragma once

#include "base/buf.h"

#include <jansson.h>

#include <jansson.h>

enum { LINE_LIMIT_BYTES = 16 << 20 };
struct lines {
	int fd;
	const char *name;	/* for messages: "stdin" or the file's name */
	size_t limit;	/* of one line; 0: LINE_LIMIT_BYTES */
	unsigned long number;	/* of the line last returned, from 1 */
	bool eof;	/* the input has ended; lines may be left */
	struct buf buf;	/* private from here on */
	size_t pos, seen;
};
/* The next line without its newline, NUL-terminated and valid until the next call; NULL
 * at the end.  Flushes stdout before it may wait.  Dies with ST_INPUT on a line over the
 * limit, with ST_SYSTEM on a read error. */
char *xlines_next(struct lines *, size_t *len);
/* Do one part of that: read(2) once, and take a line that has been read; NULL: there is none. */
void xlines_read(struct lines *);
char *xlines_take(struct lines *, size_t *len);
/* The line as a JSON object with a string "type"; dies with ST_INPUT and
 * "name:line:column: reason" if it is not (duplicate keys, NaN, invalid UTF-8, a NUL in a
 * key and numbers that do not fit are errors). */
json_t *xlines_parse(const struct lines *, const char *line, size_t len);
/* The same without a "type". */
json_t *xlines_parse_object(const struct lines *, const char *line, size_t len);
const char *lines_record_type(const json_t *record);	/* borrowed; "" if it has none */
void xlines_write(const json_t *record);	/* to stdout, as one line */
void xlines_write_new(json_t *record);	/* takes it over; dies if it could not be made */
/* Sends it through a socket, as one line, and takes it over.  -1 and errno: its peer has gone. */
int lines_send(int socket, json_t *);
