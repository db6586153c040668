/* trace_run.c: what a run is in a trace. */
#include "trace_run.h"
#include "base/die.h"
#include "json/member.h"
#include "run/role.h"
#include "text/text.h"
#include "trace_group.h"
#include "trace_number.h"

enum { NAME_COLUMNS = 60 };

static struct {
	char *name;	/* NULL: no run is open */
	struct buf about;	/* the members of its record that go into the trace */
	int64_t begin_us, last_us;
	double max_bound_ms;	/* NaN: unknown */
} run;
static struct buf ended;	/* the metadata of runs that are over */

/* ---- time -------------------------------------------------------------------------- */

int64_t
trace_us(double t)
{
	return t >= 0 && t < 9e11 ? llround(t * 1e6) : INT64_MIN;
}

int64_t
xtrace_record_us(struct scan *s, const struct lines *in)
{
	int64_t us = trace_us(span_number(scan_get(s, "t")));
	if (us < 0)
		die(ST_INPUT, "%s:%lu:1: \"t\" is missing or not a time", in->name, in->number);
	return us;
}

int64_t
trace_run_until(int64_t us)
{
	run.last_us = us > run.last_us ? us : run.last_us;
	return us;
}

void
trace_run_bound(double bound_ms)
{
	run.max_bound_ms = fmax(run.max_bound_ms, bound_ms);
}

/* ---- a run ------------------------------------------------------------------------- */

void
trace_run_begin(struct scan *s, const struct run_reader *r)
{
	static const char *const keys[] = {"name", "notebook", "label", "repetition", "attempt",
		"params", "nbscope_version", "browser", "jupyterlab", "kernel", "machine"};
	/* Groups in reading order. */
	const char *const groups[] = {"notebook", "page", role_word(ROLE_KERNEL),
		role_word(ROLE_BROWSER)};
	char *name = scan_string(s, "name");
	run.about.n = 0;
	buf_addf(&run.about, "{");
	for (size_t i = 0; i < COUNT(keys); i++)
		member_span(&run.about, keys[i], scan_get(s, keys[i]));
	run.name = name ? name : xstrdup("run");
	run.begin_us = trace_us(r->t);
	run.last_us = INT64_MIN;
	run.max_bound_ms = NAN;
	trace_group_run(run.name);
	for (size_t i = 0; i < COUNT(groups); i++)
		trace_group(groups[i]);
	trace_place("notebook", "run");
	trace_place("notebook", "cells");
}

static void
add_number(struct buf *b, const char *key, double x)
{
	buf_addf(b, "\"%s\":", key);
	buf_addf(b, isfinite(x) ? "%.3f," : "null,", x);
}

void
trace_run_end(const struct run_reader *r)
{
	trace_end_rates();
	if (!run.name)
		return;
	bool whole = !r->open;
	struct buf b = {0};
	buf_addf(&b, "%s", run.about.p);
	add_number(&b, "clock_offset_ms", r->offset_ms);
	add_number(&b, "clock_bound_ms", r->bound_ms);
	add_number(&b, "clock_bound_worst_ms", run.max_bound_ms);
	add_number(&b, "page_shift_ms", 1000 * run_page_shift_s(r));
	buf_addf(&b, "\"status\":\"%s\"}", whole ? cell_status_word(r->end.status) : "incomplete");
	int64_t begin = run.begin_us, end = run.last_us > begin ? run.last_us : begin;
	if (whole && fabs(r->end.open_s) < 1e9)
		begin -= llround(r->end.open_s * 1e6);
	struct trace_place p = trace_place("notebook", "run");
	trace_writer->slice(p, run.name, begin, end, b.p);
	if (begin < run.begin_us)
		trace_writer->slice(p, "opens JupyterLab and the notebook", begin, run.begin_us,
		    NULL);
	buf_addf(&ended, "%s%s", ended.n ? "," : "", b.p);
	buf_free(&b);
	free(run.name);
	run.name = NULL;
}

char *
trace_run_about(void)
{
	return xasprintf("{\"nbscope_version\":\"%s\","
	    "\"clock\":\"the samples', unix microseconds\",\"runs\":[%s]}",
	    NBSCOPE_VERSION, ended.n ? ended.p : "");
}

/* ---- outside its cells ------------------------------------------------------------- */

char *
trace_run_args(const struct scan *s)
{
	struct buf b = {0};
	for (size_t i = 0; i < s->n; i++) {
		struct span key = s->m[i].key, value = s->m[i].value;
		bool time = key.n > 2 && memcmp(key.p + key.n - 2, "_t", 2) == 0;
		if (time || span_is(key, "t") || span_is(key, "type") || span_null(value))
			continue;
		buf_add(&b, b.n ? ",\"" : "{\"", 2);
		buf_add(&b, key.p, key.n);
		buf_add(&b, "\":", 2);
		if (buf_add(&b, value.p, value.n) < 0)
			die(ST_SYSTEM, "out of memory");
	}
	buf_add(&b, b.n ? "}" : "{}", b.n ? 1 : 2);
	return b.p;
}

void
trace_run_instant(struct scan *s, const char *track, int64_t t_us)
{
	static const char *const texts[] = {"message", "what", "reason"};
	char *type = scan_string(s, "type"), *text = NULL, *args = trace_run_args(s);
	for (size_t i = 0; i < COUNT(texts) && !text; i++)
		text = scan_string(s, texts[i]);
	struct buf name = {0};
	buf_addf(&name, "%s%s", type, text ? ": " : "");
	if (text)
		text_show(&name, text, NAME_COLUMNS);
	trace_writer->instant(trace_place("notebook", track), name.p, trace_run_until(t_us), args);
	free(args);
	free(text);
	free(type);
	buf_free(&name);
}
