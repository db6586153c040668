/* tracechrome.c: Chrome's trace event format, which Perfetto and chrome://tracing
 * open.  One event a line, written as it comes: memory does not grow.
 */
#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FULL_BYTES = 1 << 16 };

static struct buf out;
static bool begun;

static void
add(const char *text, size_t n)
{
	buf_add(&out, text, n);
}

static void
add_word(const char *text)
{
	add(text, strlen(text));
}

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
add_whole(long long x)
{
	char text[24], *end = text + sizeof text;
	char *p = digits_before(end, (unsigned long long)llabs(x));
	if (x < 0)
		*--p = '-';
	add(p, (size_t)(end - p));
}

static void
add_string(struct buf *b, const char *text)
{
	json_t *s = json_stringn_nocheck(text, strlen(text));
	dump_json(b, s);
	json_decref(s);
}

/* What stands between two events; groups come first, so a head has the comma. */
static const char *
separator(void)
{
	const char *text = begun ? ",\n" : "{\"traceEvents\":[\n";
	begun = true;
	return text;
}

static void
begin_event(const char *ph)
{
	add_word(separator());
	buf_addf(&out, "{\"ph\":\"%s\",\"pid\":", ph);
}

static void
end_event(void)
{
	add("}", 1);
	if (out.n < FULL_BYTES)
		return;
	if (fwrite(out.p, 1, out.n, stdout) != out.n)
		xclose_stdout();
	out.n = 0;
}

/* Metadata events give names to what events only number. */
static void
name_it(const char *what, struct trace_place at, const char *key, const char *text, int order)
{
	begin_event("M");
	add_whole(at.group);
	add_word(",\"tid\":");
	add_whole(at.track);
	buf_addf(&out, ",\"name\":\"%s\",\"args\":{\"%s\":", what, key);
	if (text)
		add_string(&out, text);
	else
		add_whole(order);
	add("}", 1);
	end_event();
}

static void
put_group(unsigned group, const char *name, int order)
{
	name_it("process_name", (struct trace_place){group, 0}, "name", name, 0);
	name_it("process_sort_index", (struct trace_place){group, 0}, "sort_index", NULL, order);
}

static void
put_track(struct trace_place at, const char *name)
{
	name_it("thread_name", at, "name", name, 0);
	name_it("thread_sort_index", at, "sort_index", NULL, (int)at.track);
}

static void
put_event(const char *ph, struct trace_place at, const char *name, int64_t t_us, const char *args)
{
	begin_event(ph);
	add_whole(at.group);
	add_word(",\"tid\":");
	add_whole(at.track);
	add_word(",\"cat\":\"nbscope\",\"name\":");
	add_string(&out, name);
	add_word(",\"ts\":");
	add_whole(t_us);
	if (args) {
		add_word(",\"args\":");
		add_word(args);
	}
}

static void
put_slice(struct trace_place at, const char *name, int64_t begin_us, int64_t end_us, const char *args)
{
	put_event("X", at, name, begin_us, args);
	add_word(",\"dur\":");
	add_whole(end_us - begin_us);
	end_event();
}

static void
put_instant(struct trace_place at, const char *name, int64_t t_us, const char *args)
{
	put_event("i", at, name, t_us, args);
	add_word(",\"s\":\"t\"");
	end_event();
}

/* What stands before a number and its time is the same in all events of a series. */
static void
make_head(struct trace_series *s)
{
	buf_addf(&s->head, "%s{\"ph\":\"C\",\"pid\":%u,\"name\":", separator(), s->group);
	add_string(&s->head, s->name);
	buf_addf(&s->head, ",\"args\":{\"%s\":", s->kind->unit);
}

/* A viewer holds a value until the next one: only changes are written.  By hand
 * and from the end, for these are nearly all that there is. */
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
	char text[80], *end = text + sizeof text, *p = digits_before(end, (unsigned long long)from_us);
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
	add(s->head.p, s->head.n);
	add(p, (size_t)(end - p));
	end_event();
}

static void
put_end(const char *about)
{
	add_word(begun ? "\n],\n\"displayTimeUnit\":\"ms\",\"otherData\":" : "{\"traceEvents\":[],\n\"displayTimeUnit\":\"ms\",\"otherData\":");
	add_word(about);
	add("}", 1);
	xput_line(out.p, out.n);
}

const struct trace_writer *
chrome_trace(void)
{
	static const struct trace_writer w = {put_group, put_track, put_slice, put_instant, put_counter, put_end};
	return &w;
}
