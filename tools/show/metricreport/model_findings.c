/* model_findings.c: what other filters found, in the model of a report: outliers, scaling, a
 * comparison. */
#include "model_findings.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "json/json_value.h"
#include "model_cell.h"
#include "model_record.h"
#include "stats/scaling_words.h"
#include "stats/test_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAR_PCT = 5, MIN_RUNS = 5 };

/* Sets the link to a cell, with its notebook's name in the other tables; the name in the record if
 * this label has no such notebook. */
static void
set_link(json_t *row, const struct report *r, const char *name, long cell)
{
	size_t i = 0;
	while (i < r->n_notebooks && strcmp(r->notebook[i].name, name) != 0)
		i++;
	json_object_set_new(row, "cell", cell ? json_integer(cell) : json_null());
	json_object_set_new(row, "notebook", json_string(name));
	json_object_set_new(row, "href", json_null());
	if (i < r->n_notebooks)
		model_link(row, r, &r->notebook[i], cell);
}

/* ---- outliers ----------------------------------------------------------------------- */

/* The rule also finds outliers where values hardly vary, which are not relevant.  The rows of a
 * table are not repetitions. */
static bool
is_far(const struct report *r, const json_t *o)
{
	double runs = json_value_real_at(json_object_get(o, "group"), "count");
	double times = json_value_real_at(o, "times_median");
	return (r->tables || !(runs < MIN_RUNS)) && !(fabs(times - 1) < FAR_PCT / 100.0);
}

/* Members that identify a cell become a link; the others are shown after it. */
static void
set_outlier(json_t *o, const struct report *r)
{
	json_t *of = json_object_get(o, "of"), *rest = of ? json_copy(of) : json_object();
	const char *name = model_text(of, "name"), *index = model_text(of, "cell_index");
	double cell = json_value_real_at(of, "cell_index");
	long number = isfinite(cell) ? (long)cell : strtol(index, NULL, 10);
	bool linked = *name && number > 0;
	set_link(o, r, linked ? name : "", linked ? number : 0);
	if (linked) {
		json_object_del(rest, "name");
		json_object_del(rest, "cell_index");
	}
	model_set_column(o);
	json_object_set_new(o, "rest", rest);
}

static json_t *
outliers(const struct report *r)
{
	json_t *rows = json_array(), *o;
	size_t i;
	json_array_foreach(report_records(r, "outlier"), i, o)
		if (is_far(r, o)) {
			set_outlier(o, r);
			json_array_append(rows, o);
		}
	return json_pack("{s:o, s:i, s:b}", "rows", rows, "min_runs", MIN_RUNS, "enough_runs",
	    r->most_runs >= MIN_RUNS);
}

/* ---- scaling ------------------------------------------------------------------------ */

/* Null: the interval has no bound on that side. */
static double
bound_of(const json_t *o, const char *key, double none)
{
	double x = json_value_real_at(o, key);
	return isnan(x) ? none : x;
}

static bool
is_without_law(const json_t *o)
{
	return strcmp(model_text(o, "law"), "none") == 0;
}

static bool
does_grow(const json_t *o)
{
	const char *word = model_text(o, "word");
	if (is_without_law(o))
		return true;
	size_t levels = (size_t)fmax(0, json_value_real_at(o, "levels"));
	return strcmp(word, "constant") != 0 && strcmp(word, "unknown") != 0 &&
	    scaling_holds(levels, bound_of(o, "exponent_low", -INFINITY),
	    bound_of(o, "exponent_high", INFINITY));
}

static void
set_text(json_t *o, const char *key, char *text)
{
	json_object_set_new(o, key, json_string(text));
	free(text);
}

static json_t *
scaling(const struct report *r)
{
	json_t *fits = report_records(r, "scaling"), *rows = json_array(), *o;
	bool limits = false;
	size_t i;
	json_array_foreach(fits, i, o) {
		if (!does_grow(o))
			continue;
		if (is_without_law(o))
			set_text(o, "word", scaling_bad_text(json_value_real_at(o, "off"),
			    json_value_real_at(o, "noise")));
		set_text(o, "interval", scaling_interval(json_value_real_at(o, "exponent_low"),
		    json_value_real_at(o, "exponent_high")));
		model_set_title(o, model_text(o, "metric"));
		limits |= isfinite(json_value_real_at(o, "limit_at"));
		json_array_append(rows, o);
	}
	return json_pack("{s:o, s:I, s:b}", "rows", rows, "fits",
	    (json_int_t)json_array_size(fits), "limits", limits);
}

/* ---- the comparison with a base ----------------------------------------------------- */

/* What matters most comes first, and notebooks before their cells. */
static int
compared_rank(const json_t *o)
{
	static const int ranks[] = {[WORSE] = 0, [BETTER] = 2, [UNKNOWN] = 4, [NO_WORSE] = 6};
	return ranks[test_result_of(model_text(o, "result"))] +
	    json_is_integer(json_object_get(o, "cell_index"));
}

static json_t *
comparison(const struct report *r)
{
	static const char begin[] = "verdict: ";
	static const char *const order[] = {"rank", "place", NULL};
	json_t *rows = report_records(r, "comparison"), *change = NULL, *o;
	json_t *verdicts = report_records(r, "comparison_verdict");
	json_t *c = json_array_get(verdicts, json_array_size(verdicts) - 1);
	size_t i;
	if (!c)
		return json_null();
	json_array_foreach(rows, i, o) {
		const char *metric = model_text(o, "metric");
		json_t *cell = json_object_get(o, "cell_index");
		json_object_set_new(o, "rank", json_integer(compared_rank(o)));
		json_object_set_new(o, "place", json_integer((json_int_t)i));
		model_set_title(o, metric);
		set_link(o, r, model_text(o, "name"), (long)json_integer_value(cell));
		/* The change of the client time, where it is that of one notebook. */
		if (r->n_notebooks == 1 && !json_is_integer(cell) &&
		    strcmp(metric, "client_execution_time_metric") == 0)
			change = json_object_get(o, "change");
	}
	const char *line = model_text(c, "line");
	json_object_set_new(c, "summary", json_string(line +
	    (strncmp(line, begin, strlen(begin)) == 0 ? strlen(begin) : 0)));
	json_object_set_new(c, "rows", model_sorted(rows, order));
	json_object_set(c, "client_change", change ? change : json_null());
	return json_incref(c);
}

void
model_findings(json_t *model, const struct report *r)
{
	json_object_set_new(model, "outliers", outliers(r));
	json_object_set_new(model, "scaling", scaling(r));
	json_object_set_new(model, "comparison", comparison(r));
}
