/* die.c: messages are built in one place: "tool: error 'subject': reason". */
#include "nbscope.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

const char *tool = "nbscope";

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

/* Control characters come from notebooks and servers: they must not drive the
 * reader's terminal. */
static void
tame(char *text)
{
	for (unsigned char *p = (unsigned char *)text; *p; p++)
		if (*p < 0x20 || *p == 0x7f)
			*p = *p == '\n' || *p == '\t' ? ' ' : '?';
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
		fprintf(stderr, "%s: %s%s%s\n", tool, text, space, reason);
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
