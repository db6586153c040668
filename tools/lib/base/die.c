/* die.c: messages, and memory that is there or ends the program. */
#include "base/die.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { MAX_MESSAGE_BYTES = 16384, MIN_ELEMENTS = 16 };

bool die_in_fork;
static const char unnamed[] = "nbscope";
const char *program_name = unnamed;	/* until opt_parse(): the file's name is shown */

static const char *const level_words[] = {"DEBUG", "INFO", "WARNING", "ERROR"};

/* The index of a level's word; COUNT(level_words): none.  Our errors end the program: Python's
 * CRITICAL means them too. */
static size_t
level_of(const char *word)
{
	size_t i = 0;
	if (strcasecmp(word, "CRITICAL") == 0)
		return LOG_LEVEL_ERROR;
	while (i < COUNT(level_words) && strcasecmp(word, level_words[i]) != 0)
		i++;
	return i;
}

bool
die_knows_log_level(void)
{
	const char *want = getenv("LOG_LEVEL");
	return !want || !*want || level_of(want) < COUNT(level_words);
}

static enum log_level
threshold(void)
{
	static int known = -1;
	if (known < 0) {
		const char *want = getenv("LOG_LEVEL");
		size_t level = want ? level_of(want) : COUNT(level_words);
		known = level < COUNT(level_words) ? (int)level : LOG_LEVEL_WARNING;
	}
	return (enum log_level)known;
}

static void
log_to_file(enum log_level level, const char *text)
{
	const char *path = getenv("LOG_FILE");
	if (!path || !*path)
		return;
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	struct timespec ts;
	struct tm tm;
	char when[32] = "";
	clock_gettime(CLOCK_REALTIME, &ts);
	if (gmtime_r(&ts.tv_sec, &tm))
		strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &tm);
	dprintf(fd, "%s.%03ldZ %s %s[%ld]: %s\n", when, ts.tv_nsec / 1000000,
	    level_words[level], program_name, (long)getpid(), text);
	close(fd);
}

/* Names and words come from notebooks and servers: they must not control the
 * reader's terminal. */
static void
make_safe(char *text)
{
	char *to = text;
	for (const char *p = text; *p; ) {
		size_t n = utf8_length(p);
		if (utf8_is_unsafe(p, n)) {
			*to++ = *p == '\n' || *p == '\t' ? ' ' : '?';
		} else {
			memmove(to, p, n);
			to += n;
		}
		p += n ? n : 1;
	}
	*to = '\0';
}

static void
log_message(enum log_level level, const char *fmt, va_list ap)
{
	int saved = errno;
	char text[MAX_MESSAGE_BYTES];	/* without malloc(): memory may have run out */
	vsnprintf(text, sizeof text, fmt, ap);
	size_t len = strlen(fmt);
	bool has_reason = len && fmt[len - 1] == ':';
	make_safe(text);
	if (!die_in_fork)
		fflush(stdout);	/* one log of both is in order */
	if (level >= threshold())
		fprintf(stderr, "%s: %s%s%s\n",
		    program_name == unnamed ? program_invocation_short_name : program_name,
		    text, has_reason ? " " : "", has_reason ? strerror(saved) : "");
	log_to_file(level, text);
	errno = saved;
}

void
die(enum exit_status status, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	log_message(LOG_LEVEL_ERROR, fmt, ap);
	va_end(ap);
	if (die_in_fork)
		_exit((int)status);
	exit((int)status);
}

void
warn(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	log_message(LOG_LEVEL_WARNING, fmt, ap);
	va_end(ap);
}

void
log_at(enum log_level level, const char *fmt, ...)
{
	if (level < threshold() && !getenv("LOG_FILE"))
		return;
	va_list ap;
	va_start(ap, fmt);
	log_message(level, fmt, ap);
	va_end(ap);
}

void *
xmalloc(size_t n)
{
	return xrealloc(NULL, n);
}

void *
xrealloc(void *p, size_t n)
{
	p = realloc(p, n ? n : 1);
	if (!p)
		die(ST_SYSTEM, "out of memory");
	return p;
}

char *
xstrdup(const char *s)
{
	char *copy = strdup(s);
	if (!copy)
		die(ST_SYSTEM, "out of memory");
	return copy;
}

char *
xvasprintf(const char *fmt, va_list ap)
{
	char *text;
	if (vasprintf(&text, fmt, ap) < 0)
		die(ST_SYSTEM, "out of memory");
	return text;
}

char *
xasprintf(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	return text;
}

void
xsetenv(const char *name, const char *value)
{
	if (setenv(name, value, 1) != 0)
		die(ST_SYSTEM, "out of memory");
}

void *
xgrow(void *array, size_t n, size_t element_bytes)
{
	bool full = n < MIN_ELEMENTS ? n == 0 : !(n & (n - 1));
	return full ? xrealloc(array, (n ? 2 * n : MIN_ELEMENTS) * element_bytes) : array;
}

/* Out of memory, jansson ends the program too: few of its callers could distinguish that
 * from bad input.  Before main(), because some build values before opt_parse(). */
__attribute__((constructor)) static void
set_jansson_allocator(void)
{
	json_set_alloc_funcs(xmalloc, free);
}
