/* source.h: a JSON or YAML file with the positions of its values, for messages.
 * Lines and columns count from 1, columns in characters.  source_die...() end the process with
 * ST_INPUT and "file:line:column: reason".
 */
#pragma once

#include "base/nbscope.h"

#include <jansson.h>
#include <stdarg.h>

enum {
	MAX_SOURCE_BYTES = 16 << 20,	/* of a parameter file, and of what its aliases expand to */
	MAX_SOURCE_DEPTH = 200,
};

/* The position of a member of a container; members count from 0. */
struct source_mark {
	const json_t *in;
	size_t member, line, column;
};
struct source {
	const char *name;
	char *text;
	size_t n;
	json_t *root;
	struct source_mark *marks;	/* none: found in the text when needed */
	size_t n_marks;
};
void source_add_mark(struct source *, const json_t *in, size_t member, size_t line, size_t column);
_Noreturn void source_die_at(const struct source *, const json_t *in, size_t member,
    const char *fmt, ...) PRINTF(4, 5);
_Noreturn void source_die_at_byte(const struct source *, size_t offset, const char *reason);
_Noreturn void source_vdie(const struct source *, size_t line, size_t column,
    const char *fmt, va_list);

/* Reads the file without its byte order mark; dies with ST_INPUT if it is longer, ST_SYSTEM if it
 * cannot be read. */
void xsource_read(struct source *, const char *path, size_t limit);
/* Whether a string in it contains a NUL, which neither code nor names can. */
bool source_has_nul(json_t *);
