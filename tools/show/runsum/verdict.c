/* verdict.c: what a profile came to, as a line and as JSON. */
#include "verdict.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/installation.h"
#include "base/str.h"
#include "json/json_value.h"
#include "json/json_write.h"
#include "run/run_state.h"
#include "text/text.h"

enum { NAME_COLUMNS = 80 };

void
verdict_start(struct verdict *v)
{
	*v = (struct verdict){.missing = json_array()};
}

void
verdict_read_run_state(struct verdict *v, struct scan *s)
{
	char *name = run_state_missing(s);
	if (name)
		json_array_append_new(v->missing, json_string(name));
	free(name);
}

static void
add_missing(struct buf *b, const json_t *missing)
{
	size_t n = json_array_size(missing);
	if (!n)
		return;
	buf_addf(b, "; %zu run%s could not be made: ", n, text_plural(n));
	text_show(b, json_string_value(json_array_get(missing, 0)), NAME_COLUMNS);
	if (n > 1)
		buf_addf(b, " and %zu more", n - 1);
}

static void
add_result(struct buf *b, const struct summary *sum, const struct repeated *notebooks,
    size_t n_notebooks, bool all)
{
	size_t profiled = 0;
	for (size_t i = 0; i < n_notebooks; i++)
		profiled += notebooks[i].skipped < notebooks[i].n;
	bool repeated = sum->n - sum->films > n_notebooks;
	const char *what = sum->n > n_notebooks ? "run" : "notebook";
	if (!sum->n) {
		buf_addf(b, "verdict: no notebook was profiled");
	} else if (!sum->failed) {
		buf_addf(b, "verdict: %zu notebook%s profiled, ", profiled, text_plural(profiled));
		if (repeated)
			buf_addf(b, "%zu runs, ", sum->n - sum->films - sum->skipped);
		buf_addf(b, "%ld cell%s%s completed", sum->cells,
		    text_plural((size_t)sum->cells), all ? ", all" : "");
		if (sum->skipped)
			buf_addf(b, "; %zu skipped", sum->skipped);
	} else {
		const struct run_summary *n = sum->v;
		while (!summary_failed(n))
			n++;
		buf_addf(b, "verdict: %zu of %zu %s%s %s: ", sum->failed, sum->n, what,
		    text_plural(sum->n),
		    sum->interrupted == sum->failed ? "interrupted" : "failed");
		text_show(b, n->full_name, NAME_COLUMNS);
		if (n->failed_cell)
			buf_addf(b, " cell %ld", n->failed_cell);
		if (!n->interrupted) {
			buf_addf(b, " (");
			text_show(b, n->why ? n->why : n->status, NAME_COLUMNS);
			buf_addf(b, ")");
		}
		if (sum->failed > 1)
			buf_addf(b, " and %zu more", sum->failed - 1);
		if (sum->interrupted == sum->failed)
			buf_addf(b, "; the next %s profile continues",
			    installation_command());
	}
}

void
verdict_finish(struct verdict *v, const struct summary *sum, const struct repeated *notebooks,
    size_t n_notebooks)
{
	struct buf b = {0};
	add_result(&b, sum, notebooks, n_notebooks,
	    !json_array_size(v->missing) && !sum->bad_interactions);
	add_missing(&b, v->missing);
	v->sum = sum;
	if (sum->bad_interactions) {
		buf_addf(&b, "; %zu of %zu interactions failed: ", sum->bad_interactions,
		    sum->interactions);
		text_show(&b, sum->bad_interaction, NAME_COLUMNS);
	}
	v->ok = !sum->failed && !json_array_size(v->missing) && !sum->bad_interactions;
	v->line = b.p;
}

void
verdict_write(const char *path, const struct verdict *of)
{
	const struct summary *sum = of->sum;
	json_t *failures = json_array(), *skips = json_array();
	for (size_t i = 0; i < sum->n; i++)
		if (summary_failed(&sum->v[i]) || summary_skipped(&sum->v[i]))
			json_array_append_new(summary_failed(&sum->v[i]) ? failures : skips,
			    summary_result_json(&sum->v[i]));
	size_t completed = sum->n - sum->failed - sum->skipped;
	json_t *v = json_pack("{s:s, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:O}",
	    "verdict", !sum->n ? "nothing" : of->ok ? "ok" : "failed", "line", of->line,
	    "t", json_value_time(clock_unix_s()), "notebooks", (json_int_t)sum->n,
	    "completed", (json_int_t)completed, "failed", (json_int_t)sum->failed,
	    "skipped", (json_int_t)sum->skipped, "cells", (json_int_t)sum->cells,
	    "failures", failures, "skips", skips, "missing", of->missing);
	xjson_write_new(path, v);
}
