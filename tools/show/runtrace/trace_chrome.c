/* trace_chrome.c: Chrome's trace event format, which Perfetto and chrome://tracing open.
 * One event a line, written at once: memory does not grow. */
#include "trace_chrome.h"
#include "base/output.h"
#include "json/json_text.h"

#include <stdio.h>

enum { FULL_BYTES = 1 << 16 };

static struct buf out;
static bool begun;

/* Digits of x, the last one before `end`; where they begin. */
static char *
digits_before(char *end, unsigned long long x)
{
	do
		*--end = (char)('0' + x % 10);
	while (x /= 10);
	return end;
}

static void
append_string(struct buf *b, const char *text)
{
	json_t *s = json_stringn_nocheck(text, strlen(text));
	json_text_add(b, s);
	json_decref(s);
}

/* Between two events; groups come first, so a series' head has the comma. */
static const char *
separator(void)
{
	const char *text = begun ? ",\n" : "{\"traceEvents\":[\n";
	begun = true;
	return text;
}

static void
end_event(void)
{
	buf_add(&out, "}", 1);
	if (out.n < FULL_BYTES)
		return;
	if (fwrite(out.p, 1, out.n, stdout) != out.n)
		xoutput_close();
	out.n = 0;
}

/* Metadata events give names and an order to the numbers of groups and tracks. */
static void
append_name(const char *what, struct trace_place at, const char *name, int order)
{
	static const char head[] =
	    "%s{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s_%s\",\"args\":{\"%s\":";
	buf_addf(&out, head, separator(), at.group, at.track, what, "name", "name");
	append_string(&out, name);
	buf_addf(&out, "}");
	end_event();
	buf_addf(&out, head, separator(), at.group, at.track, what, "sort_index", "sort_index");
	buf_addf(&out, "%d}", order);
	end_event();
}

static void
put_group(unsigned group, const char *name, int order)
{
	append_name("process", (struct trace_place){group, 0}, name, order);
}

static void
put_track(struct trace_place at, const char *name)
{
	append_name("thread", at, name, (int)at.track);
}

static void
put_event(const char *ph, struct trace_place at, const char *name, int64_t t_us, const char *args)
{
	buf_addf(&out, "%s{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,\"cat\":\"nbscope\",",
	    separator(), ph, at.group, at.track);
	buf_addf(&out, "\"name\":");
	append_string(&out, name);
	buf_addf(&out, ",\"ts\":%lld", (long long)t_us);
	if (args)
		buf_addf(&out, ",\"args\":%s", args);
}

static void
put_slice(struct trace_place at, const char *name, int64_t begin_us, int64_t end_us,
    const char *args)
{
	put_event("X", at, name, begin_us, args);
	buf_addf(&out, ",\"dur\":%lld", (long long)(end_us - begin_us));
	end_event();
}

static void
put_instant(struct trace_place at, const char *name, int64_t t_us, const char *args)
{
	put_event("i", at, name, t_us, args);
	buf_addf(&out, ",\"s\":\"t\"");
	end_event();
}

/* All events of a series begin alike. */
static void
make_head(struct trace_series *s)
{
	buf_addf(&s->head, "%s{\"ph\":\"C\",\"pid\":%u,\"name\":", separator(), s->group);
	append_string(&s->head, s->name);
	buf_addf(&s->head, ",\"args\":{\"%s\":", *s->def->unit ? s->def->unit : "number");
}

/* A viewer holds a value until the next one: only changes are written.  By hand and from the
 * end, since nearly all events are of this kind. */
static void
put_counter(struct trace_series *s, int64_t from_us, int64_t t_us, double raw, double shown)
{
	(void)t_us, (void)raw;
	if (!(fabs(shown) < 9e15) || from_us < 0)
		return;
	long long value = llround(shown * 1000);
	if (!s->head.n)
		make_head(s);
	else if (value == s->written)
		return;
	s->written = value;
	char text[80], *end = text + sizeof text;
	char *p = digits_before(end, (unsigned long long)from_us);
	p -= 7;
	memcpy(p, "},\"ts\":", 7);
	unsigned long long left = (unsigned long long)llabs(value), behind = left % 1000;
	int places = behind ? 3 : 0;
	for (; behind && behind % 10 == 0; behind /= 10)
		places--;
	for (int i = 0; i < places; i++, behind /= 10)
		*--p = (char)('0' + behind % 10);
	if (places)
		*--p = '.';
	p = digits_before(p, left / 1000);
	if (value < 0)
		*--p = '-';
	buf_add(&out, s->head.p, s->head.n);
	buf_add(&out, p, (size_t)(end - p));
	end_event();
}

static void
put_end(const char *about)
{
	buf_addf(&out, "%s,\n\"displayTimeUnit\":\"ms\",\"otherData\":%s}",
	    begun ? "\n]" : "{\"traceEvents\":[]", about);
	xoutput_line(out.p, out.n);
}

const struct trace_writer *
trace_chrome(void)
{
	static const struct trace_writer w = {put_group, put_track, put_slice, put_instant,
		put_counter, put_end};
	return &w;
}
