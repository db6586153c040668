/* planshow.c: a plan, for people and as a record. */
#include "plan.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 12, WHAT_COLUMNS = 120, MOST_DECIMALS = 9 };

/* ---- numbers for people ---- */

/* GB is 10^9 bytes. */
static char *
bytes_text(double x, int decimals)
{
	static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
	size_t i = 0;
	while (i + 1 < COUNT(units) && round_to(x, i ? decimals : 0) >= 1000) {
		x /= 1000;
		i++;
	}
	return xasprintf("%.*f %s", i ? decimals : 0, x, units[i]);
}

static char *
time_text(double s)
{
	double min = round(s / 60);
	if (s < 99.5)
		return xasprintf("%.0f s", s);
	if (min < 100)
		return xasprintf("%.0f min", min);
	if (min < 48 * 60)
		return xasprintf("%.0f h %.0f min", floor(min / 60), fmod(min, 60));
	if (s < 730 * 86400.0)
		return xasprintf("%.0f days", s / 86400);
	return xasprintf("%.1f years", s / (365.25 * 86400));
}

/* With as many decimals as tell the two apart. */
static void
tell_apart(double need, double have, char **a, char **b)
{
	for (int decimals = 1; ; decimals++) {
		*a = bytes_text(need, decimals);
		*b = bytes_text(have, decimals);
		if (strcmp(*a, *b) != 0 || decimals == MOST_DECIMALS)
			return;
		free(*a);
		free(*b);
	}
}

char *
beyond_reason(double need, double have)
{
	char *a, *b;
	tell_apart(need, have, &a, &b);
	char *text = xasprintf("needs %s of memory, this machine has %s", a, b);
	free(a);
	free(b);
	return text;
}

/* ---- text ---- */

static void
add_bytes(struct buf *b, double x)
{
	char *text = bytes_text(x, 1);
	buf_addf(b, "%s", text);
	free(text);
}

static void
add_time(struct buf *b, double s)
{
	char *text = time_text(s);
	buf_addf(b, "%s", text);
	free(text);
}

static void
add_row(struct buf *b, const char *head)
{
	buf_addf(b, "%s%-*s", b->n ? "\n" : "", INDENT, head);
}

static void
add_notebooks(struct buf *b, const struct plan *p)
{
	show_text(b, p->usecase, WHAT_COLUMNS);
	buf_addf(b, ", label %s: %" PRIu64 " notebook%s", p->label, p->notebooks, p->notebooks == 1 ? "" : "s");
	if (p->repeat > 1)
		buf_addf(b, ", %ld runs each", p->repeat);
	add_row(b, "notebooks");
	buf_addf(b, "%" PRIu64 " up to date, %" PRIu64 " to run", p->up_to_date, p->to_run);
	if (p->repeat > 1)
		buf_addf(b, " (%" PRIu64 " runs)", p->runs);
	buf_addf(b, ", %" PRIu64 " skipped", p->skipped);
}

static void
add_group(struct buf *b, const struct group *g, double have)
{
	char *least, *most = bytes_text(g->most, 1), *machine;
	tell_apart(g->least, have, &least, &machine);
	buf_addf(b, "%" PRIu64 ": ", g->n);
	show_text(b, g->what, WHAT_COLUMNS);
	if (g->most > g->least)
		buf_addf(b, " (need %s to %s, this machine has %s)", least, most, machine);
	else
		buf_addf(b, " (needs %s, this machine has %s)", least, machine);
	free(least);
	free(most);
	free(machine);
}

static void
add_skipped(struct buf *b, const struct plan *p)
{
	struct group *groups;
	size_t n = group_beyond(p->beyond, &groups);
	for (size_t i = 0; i < n; i++) {
		add_row(b, i ? "" : "skipped");
		add_group(b, &groups[i], p->machine->memory_bytes);
		free(groups[i].what);
	}
	free(groups);
	if (p->skipped_before) {
		add_row(b, n ? "" : "skipped");
		buf_addf(b, "%" PRIu64 ": recorded so earlier, though they fit now", p->skipped_before);
	}
}

static void
add_source(struct buf *b, const struct plan *p)
{
	const struct forecast *f = p->forecast;
	if (!p->foretold) {
		buf_addf(b, ", as they took before");
		return;
	}
	buf_addf(b, ", from %zu notebook%s run before", f->n, f->n == 1 ? "" : "s");
	if (f->n == 1)
		buf_addf(b, ": too few for a range");
	else if (!f->n_terms)
		buf_addf(b, ": their mean");
	for (size_t i = 0; i < f->n_terms; i++)
		buf_addf(b, "%s%s^%.2f", i ? " * " : ": like ", f->earlier->params[f->terms[i].factor], f->terms[i].power);
	if (f->n_terms)
		buf_addf(b, ", usually within %.0f %%", f->error_pct);
}

static void
add_times(struct buf *b, const struct plan *p)
{
	add_row(b, "time");
	if (p->to_run == 0) {
		buf_addf(b, "none");
		return;
	}
	if (!isfinite(p->time_s)) {
		buf_addf(b, "unknown: no earlier run");
		return;
	}
	add_time(b, p->time_s);
	if (isfinite(p->low_s) && p->high_s > p->low_s) {
		buf_addf(b, " (");
		add_time(b, p->low_s);
		buf_addf(b, " to ");
		add_time(b, p->high_s);
		buf_addf(b, ")");
	}
	add_source(b, p);
	if (p->outside) {
		add_row(b, "");
		buf_addf(b, "%" PRIu64 " of %" PRIu64 " have values outside those that were run: a guess", p->outside, p->to_run);
	}
	if (p->early) {
		add_row(b, "");
		buf_addf(b, "some of these runs ended early: it may take longer");
	}
}

static void
add_memory(struct buf *b, const struct plan *p)
{
	add_row(b, "memory");
	if (!p->needs_known)
		buf_addf(b, "need not known (--memory, a use case's MEMORY_BYTES); ");
	else if (p->to_run) {
		buf_addf(b, "up to ");
		add_bytes(b, p->peak_bytes);
		buf_addf(b, " of ");
	}
	add_bytes(b, p->machine->memory_bytes);
	if (strcmp(p->machine->limited_by, "cgroup") == 0)
		buf_addf(b, " (a control group's limit)");
	if (isfinite(p->machine->available_bytes)) {
		buf_addf(b, ", ");
		add_bytes(b, p->machine->available_bytes);
		buf_addf(b, " free now");
		if (p->needs_known && p->peak_bytes > p->machine->available_bytes)
			buf_addf(b, ": too little");
	}
}

static void
add_disk(struct buf *b, const struct plan *p)
{
	add_row(b, "disk");
	if (isfinite(p->disk_bytes)) {
		add_bytes(b, p->disk_bytes);
		buf_addf(b, " more");
		if (p->disk_without)
			buf_addf(b, " (without %s: none yet)", p->disk_without);
	} else {
		buf_addf(b, "unknown before a run");
	}
	if (isfinite(p->disk_free_bytes)) {
		buf_addf(b, ", ");
		add_bytes(b, p->disk_free_bytes);
		buf_addf(b, " free%s", p->disk_bytes > p->disk_free_bytes ? ": too little" : "");
	}
}

void
show_plan(const struct plan *p)
{
	struct buf b = {0};
	add_notebooks(&b, p);
	add_skipped(&b, p);
	add_times(&b, p);
	add_memory(&b, p);
	add_disk(&b, p);
	xput_line(b.p, b.n);
	buf_free(&b);
}

/* ---- the record ---- */

static json_t *
json_rounded(double x, int decimals)
{
	if (!isfinite(x))
		return json_null();
	x = round_to(x, decimals) + 0.0;
	return decimals == 0 && fabs(x) < 9e15 ? json_integer((json_int_t)x) : json_real(x);
}

static json_t *
json_count(uint64_t n)
{
	return json_integer((json_int_t)n);
}

static json_t *
json_why(bool missing, const char *reason)
{
	return missing ? json_string(reason) : json_null();
}

static json_t *
skips_json(const struct plan *p)
{
	struct group *groups;
	size_t n = group_beyond(p->beyond, &groups);
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++) {
		json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "what", groups[i].what, "notebooks", json_count(groups[i].n),
		    "need_low_bytes", json_rounded(groups[i].least, 0), "need_high_bytes", json_rounded(groups[i].most, 0)));
		free(groups[i].what);
	}
	free(groups);
	return list;
}

static void
set_times(json_t *r, const struct plan *p)
{
	const struct forecast *f = p->forecast;
	bool unknown = !isfinite(p->time_s);
	json_t *terms = json_array();
	for (size_t i = 0; i < f->n_terms; i++)
		json_array_append_new(terms, json_pack("{s:s, s:o}", "param", f->earlier->params[f->terms[i].factor],
		    "power", json_rounded(f->terms[i].power, 4)));
	json_object_set_new(r, "time_s", json_rounded(p->time_s, 3));
	json_object_set_new(r, "time_low_s", json_rounded(p->low_s, 3));
	json_object_set_new(r, "time_high_s", json_rounded(p->high_s, 3));
	json_object_set_new(r, "time_reason", json_why(!isfinite(p->low_s), unknown ? "no earlier run" : "one earlier notebook gives no range"));
	json_object_set_new(r, "time_from", json_string(!p->to_run || unknown ? "none" : !p->foretold ? "own" : f->n_terms ? "fit" : "mean"));
	json_object_set_new(r, "time_notebooks", json_integer((json_int_t)f->n));
	json_object_set_new(r, "time_terms", terms);
	json_object_set_new(r, "time_error_pct", json_rounded(f->error_pct, 1));
	json_object_set_new(r, "time_ended_early", json_boolean(p->early));
	json_object_set_new(r, "between_s", json_rounded(f->earlier->between_s, 3));
	json_object_set_new(r, "foretold", json_count(p->foretold));
	json_object_set_new(r, "outside", json_count(p->outside));
}

json_t *
plan_json(const struct plan *p)
{
	const struct machine *m = p->machine;
	bool peak = p->needs_known && p->to_run;
	json_t *r = json_pack("{s:s, s:o, s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "type", "plan", "t", json_t_of(now_t()),
	    "usecase", p->usecase, "label", p->label, "repeat", (json_int_t)p->repeat, "notebooks", json_count(p->notebooks),
	    "up_to_date", json_count(p->up_to_date), "to_run", json_count(p->to_run), "runs", json_count(p->runs),
	    "skipped", json_count(p->skipped), "skipped_before", json_count(p->skipped_before), "skips", skips_json(p));
	set_times(r, p);
	json_object_set_new(r, "memory_peak_bytes", json_rounded(peak ? p->peak_bytes : (double)NAN, 0));
	json_object_set_new(r, "memory_peak_name", peak ? json_string(p->peak_name) : json_null());
	json_object_set_new(r, "memory_reason", json_why(!peak, p->needs_known ? "nothing to run" : "no --memory"));
	json_object_set_new(r, "machine_memory_bytes", json_rounded(m->memory_bytes, 0));
	json_object_set_new(r, "machine_available_bytes", json_rounded(m->available_bytes, 0));
	json_object_set_new(r, "machine_limited_by", json_string(m->limited_by));
	json_object_set_new(r, "disk_bytes", json_rounded(p->disk_bytes, 0));
	json_object_set_new(r, "disk_free_bytes", json_rounded(p->disk_free_bytes, 0));
	json_object_set_new(r, "disk_reason", isfinite(p->disk_bytes) && !p->disk_without ? json_null() :
	    isfinite(p->disk_bytes) ? json_sprintf("without %s: there are none yet", p->disk_without) : json_string("no earlier run"));
	return r;
}
