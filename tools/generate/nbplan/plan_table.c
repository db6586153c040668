/* plan_table.c: a plan as text for people, and as a record. */
#include "plan_table.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/num.h"
#include "base/output.h"
#include "json/json_value.h"
#include "text/memory_need.h"
#include "text/text.h"
#include "text/unit.h"

enum { HEAD_COLUMNS = 12, MAX_WHAT_COLUMNS = 120 };

/* ---- text ---- */

static void
start_row(struct buf *b, const char *head)
{
	buf_addf(b, "%s%-*s", b->n ? "\n" : "", HEAD_COLUMNS, head);
}

static void
add_notebooks(struct buf *b, const struct plan *p)
{
	text_show(b, p->usecase, MAX_WHAT_COLUMNS);
	buf_addf(b, ", label %s: %zu notebook%s", p->label, p->notebooks,
	    p->notebooks == 1 ? "" : "s");
	if (p->repeat > 1)
		buf_addf(b, ", %ld runs each", p->repeat);
	start_row(b, "notebooks");
	buf_addf(b, "%zu up to date, %zu to run", p->up_to_date, p->to_run);
	if (p->repeat > 1)
		buf_addf(b, " (%zu runs)", p->runs);
	buf_addf(b, ", %zu skipped", p->skipped);
}

static void
add_skipped(struct buf *b, const struct plan *p)
{
	struct oversized_row rows[OVERSIZED_ROWS];
	size_t n = p->oversized ? oversized_table(p->oversized, rows) : 0;
	for (size_t i = 0; i < n; i++) {
		start_row(b, i ? "" : "skipped");
		buf_addf(b, "%zu: ", rows[i].n);
		text_show(b, rows[i].what, MAX_WHAT_COLUMNS);
		buf_addf(b, " (");
		memory_need_add(b, rows[i].low, rows[i].high, "", p->memory->bytes);
		buf_addf(b, ")");
		free(rows[i].what);
	}
	if (p->skipped_before) {
		start_row(b, n ? "" : "skipped");
		buf_addf(b, "%zu: by an earlier run, though they fit now", p->skipped_before);
	}
}

static void
add_law(struct buf *b, const struct forecast *f)
{
	buf_addf(b, ": ");
	if (f->law.has_fixed)
		buf_addf(b, "%s and a part ", unit_time(round(f->law.fixed)).p);
	buf_addf(b, "proportional to");
	for (size_t i = 0; i < f->n_terms; i++)
		buf_addf(b, "%s %s^%.2f", i ? " *" : "", f->past->factors[f->terms[i]],
		    f->law.k[i]);
	buf_addf(b, ", typical error %.0f %%", 100 * f->law.spread);
}

static void
add_source(struct buf *b, const struct plan *p)
{
	const struct forecast *f = p->forecast;
	if (!p->predicted) {
		buf_addf(b, ", from their own past runs");
		return;
	}
	buf_addf(b, ", from %zu past notebook%s", f->n, f->n == 1 ? "" : "s");
	if (f->n == 1)
		buf_addf(b, ": too few for a range");
	else if (!f->n_terms)
		buf_addf(b, ": their mean");
	else
		add_law(b, f);
}

/* NaN if it is not known, and if it is saved already. */
static double
loading_s(const struct plan *p)
{
	const char *page = getenv("PAGE");
	bool kept = page && strcmp(page, "reuse") == 0;
	return kept ? (double)NAN : (double)p->runs * p->forecast->past->loading_s;
}

static void
add_times(struct buf *b, const struct plan *p)
{
	start_row(b, "time");
	if (p->to_run == 0 || !isfinite(p->time_s)) {
		buf_addf(b, p->to_run ? "unknown: no past run" : "none");
		return;
	}
	buf_addf(b, "%s", unit_time(round(p->time_s)).p);
	if (isfinite(p->low_s) && p->high_s > p->low_s)
		buf_addf(b, " (%s to %s)", unit_time(round(p->low_s)).p,
		    unit_time(round(p->high_s)).p);
	add_source(b, p);
	if (p->runs > 1 && isfinite(loading_s(p))) {
		start_row(b, "");
		buf_addf(b, "%s of it to load JupyterLab, most of which PAGE=reuse would save",
		    unit_time(round(loading_s(p))).p);
	}
	if (p->extrapolated) {
		start_row(b, "");
		buf_addf(b, "%zu of %zu extrapolated outside the values of past runs",
		    p->extrapolated, p->to_run);
	}
	if (p->early) {
		start_row(b, "");
		buf_addf(b, "some of these runs ended early: it may take longer");
	}
	if (p->stale) {
		start_row(b, "");
		buf_addf(b, "some of these runs are stale: it may take longer, or less");
	}
}

static void
add_memory(struct buf *b, const struct plan *p)
{
	const struct memory_limit *m = p->memory;
	start_row(b, "memory");
	if (!p->oversized)
		buf_addf(b, "need unknown (set MEMORY_BYTES, or --memory); the machine has ");
	else if (p->to_run) {
		buf_addf(b, "up to ");
		unit_bytes(b, p->peak_bytes, 1);
		buf_addf(b, " of ");
	}
	unit_bytes(b, m->bytes, 1);
	if (strcmp(m->set_by, "cgroup") == 0)
		buf_addf(b, " (limit of the control group)");
	if (isfinite(m->available_bytes)) {
		buf_addf(b, ", ");
		unit_bytes(b, m->available_bytes, 1);
		buf_addf(b, " free now");
		if (p->peak_bytes > m->available_bytes)
			buf_addf(b, ": too little");
	}
}

static void
add_disk(struct buf *b, const struct plan *p)
{
	start_row(b, "disk");
	if (isfinite(p->disk_bytes)) {
		unit_bytes(b, p->disk_bytes, 1);
		buf_addf(b, " more");
	} else {
		buf_addf(b, "unknown: no past run");
	}
	if (isfinite(p->disk_bytes) && p->disk_uncounted)
		buf_addf(b, " (not counting %s: none exist yet)", p->disk_uncounted);
	if (isfinite(p->disk_free_bytes)) {
		buf_addf(b, ", ");
		unit_bytes(b, p->disk_free_bytes, 1);
		buf_addf(b, " free%s", p->disk_bytes > p->disk_free_bytes ? ": too little" : "");
	}
}

void
plan_table_print(const struct plan *p)
{
	struct buf b = {0};
	add_notebooks(&b, p);
	add_skipped(&b, p);
	add_times(&b, p);
	add_memory(&b, p);
	add_disk(&b, p);
	xoutput_line(b.p, b.n);
	buf_free(&b);
}

/* ---- the record ---- */

static json_t *
json_rounded(double x, int decimals)
{
	if (!isfinite(x))
		return json_null();
	x = num_round(x, decimals) + 0.0;
	return decimals == 0 && fabs(x) < 9e15 ? json_integer((json_int_t)x) : json_real(x);
}

static json_t *
skips_json(const struct plan *p)
{
	struct oversized_row rows[OVERSIZED_ROWS];
	size_t n = p->oversized ? oversized_table(p->oversized, rows) : 0;
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++) {
		json_t *low = json_rounded(rows[i].low, 0), *high = json_rounded(rows[i].high, 0);
		json_array_append_new(list, json_pack("{s:s, s:I, s:o, s:o}", "what", rows[i].what,
		    "notebooks", (json_int_t)rows[i].n, "need_low_bytes", low,
		    "need_high_bytes", high));
		free(rows[i].what);
	}
	return list;
}

static json_t *
terms_json(const struct forecast *f)
{
	json_t *list = json_array();
	for (size_t i = 0; i < f->n_terms; i++)
		json_array_append_new(list, json_pack("{s:s, s:o}",
		    "param", f->past->factors[f->terms[i]],
		    "power", json_rounded(f->law.k[i], 4)));
	return list;
}

static json_t *
times_json(const struct plan *p)
{
	const struct forecast *f = p->forecast;
	bool unknown = !isfinite(p->time_s);
	const char *reason = unknown ? "no past run" : "one past notebook gives no range";
	double fixed = f->n_terms ? f->law.fixed : (double)NAN;
	double error = f->n_terms ? 100 * f->law.spread : (double)NAN;
	return json_pack("{s:o, s:o, s:o, s:o, s:s, s:I, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:I,"
	    " s:I}",
	    "time_s", json_rounded(p->time_s, 3), "time_low_s", json_rounded(p->low_s, 3),
	    "time_high_s", json_rounded(p->high_s, 3),
	    "time_reason", json_value_text(isfinite(p->low_s) ? NULL : reason),
	    "time_from", !p->to_run || unknown ? "none" : !p->predicted ? "own" :
	    f->n_terms ? "fit" : "mean",
	    "time_notebooks", (json_int_t)f->n, "time_terms", terms_json(f),
	    "time_fixed_s", json_rounded(fixed, 3), "time_error_pct", json_rounded(error, 1),
	    "time_ended_early", p->early, "time_stale", p->stale,
	    "between_s", json_rounded(f->past->between_s, 3),
	    "loading_s", json_rounded(loading_s(p), 3),
	    "predicted", (json_int_t)p->predicted, "extrapolated", (json_int_t)p->extrapolated);
}

static json_t *
resources_json(const struct plan *p)
{
	const struct memory_limit *m = p->memory;
	bool known = p->oversized && p->to_run;
	const char *reason = known ? NULL : p->oversized ? "nothing to run" : "no --memory";
	char *disk = !isfinite(p->disk_bytes) ? xstrdup("no past run") : !p->disk_uncounted ? NULL :
	    xasprintf("not counting %s: none exist yet", p->disk_uncounted);
	json_t *r = json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o}",
	    "memory_peak_bytes", json_rounded(known ? p->peak_bytes : (double)NAN, 0),
	    "memory_peak_name", json_value_text(known ? p->peak_name : NULL),
	    "memory_reason", json_value_text(reason),
	    "machine_memory_bytes", json_rounded(m->bytes, 0),
	    "machine_available_bytes", json_rounded(m->available_bytes, 0),
	    "machine_limited_by", m->set_by, "disk_bytes", json_rounded(p->disk_bytes, 0),
	    "disk_free_bytes", json_rounded(p->disk_free_bytes, 0),
	    "disk_reason", json_value_text(disk));
	free(disk);
	return r;
}

json_t *
plan_table_json(const struct plan *p)
{
	json_t *r = json_pack("{s:s, s:o, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}",
	    "type", "plan", "t", json_value_time(clock_unix_s()), "usecase", p->usecase,
	    "label", p->label, "repeat", (json_int_t)p->repeat,
	    "notebooks", (json_int_t)p->notebooks, "up_to_date", (json_int_t)p->up_to_date,
	    "to_run", (json_int_t)p->to_run, "runs", (json_int_t)p->runs,
	    "skipped", (json_int_t)p->skipped, "skipped_before", (json_int_t)p->skipped_before,
	    "skips", skips_json(p));
	return xjson_value_join(xjson_value_join(r, times_json(p)), resources_json(p));
}
