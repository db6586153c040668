/* die.h: messages, built in one place, and memory that is there or ends the program. */
#pragma once

#include "base/nbscope.h"

#include <stdarg.h>

/* Set by opt_parse(); every message begins with it. */
extern const char *program_name;
/* Set in a forked child, where die() leaves the exit handlers to the parent. */
extern bool die_in_fork;

/* "tool: message" on stderr, then exit(status).  A format that ends in ':' gets
 * errno's reason, as in  die(ST_SYSTEM, "cannot open '%s':", path). */
_Noreturn void die(enum exit_status, const char *fmt, ...) PRINTF(2, 3);
void warn(const char *fmt, ...) PRINTF(1, 2);

/* Shown on stderr from LOG_LEVEL (DEBUG INFO WARNING ERROR, or CRITICAL, which is ERROR; default
 * WARNING) up, and appended to LOG_FILE if that is set. */
enum log_level { LOG_LEVEL_DEBUG, LOG_LEVEL_INFO, LOG_LEVEL_WARNING, LOG_LEVEL_ERROR };
/* Whether LOG_LEVEL is one of them, or not set. */
bool die_knows_log_level(void);
void log_at(enum log_level, const char *fmt, ...) PRINTF(2, 3);

void *xmalloc(size_t);
void *xrealloc(void *, size_t);
char *xstrdup(const char *);
char *xasprintf(const char *fmt, ...) PRINTF(1, 2);
char *xvasprintf(const char *fmt, va_list) PRINTF(1, 0);
void xsetenv(const char *name, const char *value);

/* Makes room for element n of an array that only this has grown, from no element on: it doubles
 * where n is a power of two. */
void *xgrow(void *array, size_t n, size_t element_bytes);
/* Where the next element of such an array of n elements goes; counts it in n.
 * As in  *XAPPEND(a->v, a->n) = element;  whose right side must not use a->n. */
#define XAPPEND(array, n) \
	((array) = xgrow((array), (n), sizeof *(array)), &(array)[(n)++])
