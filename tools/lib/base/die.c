/* die.c: messages are built in one place: "tool: error 'subject': reason". */
#include "nbscope.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

bool die_alone;
const char *tool = "nbscope";	/* until options() knows better: the file's name is told */

static const char *const level_words[] = {"DEBUG", "INFO", "WARNING", "ERROR"};

static enum level
threshold(void)
{
	static int known = -1;
	if (known < 0) {
		const char *want = getenv("LOG_LEVEL");
		known = LV_WARNING;
		for (size_t i = 0; want && i < COUNT(level_words); i++)
			if (strcasecmp(want, level_words[i]) == 0)
				known = (int)i;
	}
	return (enum level)known;
}

static void
log_to_file(enum level level, const char *text)
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
	    level_words[level], tool, (long)getpid(), text);
	close(fd);
}

/* The bytes of one character of UTF-8; 0: it is none. */
static size_t
character(const unsigned char *p)
{
	size_t n = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 : *p >= 0xe0 && *p < 0xf0 ? 3 : *p >= 0xf0 && *p < 0xf5 ? 4 : 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* Drives a terminal (C0, DEL, C1), or turns the order around of what follows. */
static bool
is_control(const unsigned char *p, size_t n)
{
	unsigned long c = n < 2 ? *p : *p & (0x7fu >> n);
	for (size_t i = 1; i < n; i++)
		c = c << 6 | (p[i] & 63u);
	return n == 0 || c < 0x20 || (c >= 0x7f && c < 0xa0) || deceives(c);
}

/* Names and words come from notebooks and servers: they must not drive the
 * reader's terminal. */
static void
tame(char *text)
{
	unsigned char *to = (unsigned char *)text;
	for (const unsigned char *p = to; *p; ) {
		size_t n = character(p);
		if (is_control(p, n)) {
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
say(enum level level, const char *fmt, va_list ap)
{
	int saved = errno;
	char *text = NULL;
	char fixed[512];
	va_list again;
	va_copy(again, ap);
	int n = vasprintf(&text, fmt, ap);
	if (n < 0) {
		vsnprintf(fixed, sizeof fixed, fmt, again);
		text = fixed;
	}
	va_end(again);
	const char *reason = "", *space = "";
	size_t len = strlen(fmt);
	if (len && fmt[len - 1] == ':') {
		reason = strerror(saved);
		space = " ";
	}
	tame(text);
	if (level >= threshold())
		fprintf(stderr, "%s: %s%s%s\n", strcmp(tool, "nbscope") == 0 ? program_invocation_short_name : tool, text, space, reason);
	log_to_file(level, text);
	if (text != fixed)
		free(text);
	errno = saved;
}

void
die(enum status status, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	say(LV_ERROR, fmt, ap);
	va_end(ap);
	if (die_alone)
		_exit((int)status);
	exit((int)status);
}

void
warn(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	say(LV_WARNING, fmt, ap);
	va_end(ap);
}

void
logline(enum level level, const char *fmt, ...)
{
	if (level < threshold() && !getenv("LOG_FILE"))
		return;
	va_list ap;
	va_start(ap, fmt);
	say(level, fmt, ap);
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
xasprintf(const char *fmt, ...)
{
	char *text;
	va_list ap;
	va_start(ap, fmt);
	int n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		die(ST_SYSTEM, "out of memory");
	return text;
}

void
xsetenv(const char *name, const char *value)
{
	if (setenv(name, value, 1) != 0)
		die(ST_SYSTEM, "out of memory");
}

size_t
xsetenv_all(const json_t *variables)
{
	const char *name;
	json_t *value;
	size_t n = 0;
	json_object_foreach((json_t *)(uintptr_t)variables, name, value)
		if (json_is_string(value)) {
			xsetenv(name, json_string_value(value));
			n++;
		}
	return n;
}

/* jansson too ends the program where memory does: few of its callers could tell
 * that from bad input.  Before main, since some make values before options(). */
__attribute__((constructor)) static void
watch_jansson(void)
{
	json_set_alloc_funcs(xmalloc, free);
}
