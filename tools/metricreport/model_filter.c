/* model_filter.c: the parts of a report's model that follow from records of other filters, which
 * share/report/model.jq selects, sorts and joins.  Here they get what the libraries know. */
#include "model_filter.h"
#include "base/child.h"
#include "base/die.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "metric/metric_column.h"
#include "page.h"
#include "stats/scaling_words.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct child jq;

void
xmodel_filter_start(void)
{
	char *argv[] = {"jq", "-c", "--unbuffered", (char *)(uintptr_t)page_file("model.jq"), NULL};
	xchild_start(&jq, argv, false);
}

/* ---- what libraries know of a record --------------------------------------------------- */

static const char *
text_at(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));
	return s ? s : "";
}

static void
set_text(json_t *o, const char *key, char *text)
{
	json_object_set_new(o, key, json_string(text));
	free(text);
}

/* Sets `full_column`, the column of metricstat's record with its unit ("run_time_s"), its title and
 * its quantity. */
static void
set_column(json_t *o)
{
	static const char *const quantities[] = {[OF_NOTHING] = "", [OF_TIME] = "time",
		[OF_BYTES] = "bytes", [OF_SHARE] = "share", [OF_ENERGY] = "energy",
		[OF_OTHER] = "other"};
	const char *column = text_at(o, "column"), *unit = text_at(o, "unit");
	bool named = !*unit || metric_unit_of(column).quantity != OF_NOTHING;
	char *full = named ? xstrdup(column) : xasprintf("%s_%s", column, strcmp(unit, "B") == 0
	    ? "bytes" : strcmp(unit, "%") == 0 ? "pct" : unit);
	json_object_set_new(o, "quantity", json_string(quantities[metric_unit_of(full).quantity]));
	set_text(o, "title", metric_column_title(full));
	set_text(o, "full_column", full);
}

/* Sets its words, and `holds`: whether the metric depends on the parameter.  A bound that is null
 * is infinite. */
static void
set_scaling(json_t *o)
{
	double low = json_value_real_at(o, "exponent_low");
	double high = json_value_real_at(o, "exponent_high");
	set_text(o, "interval", scaling_interval(low, high));
	if (strcmp(text_at(o, "law"), "none") == 0)
		set_text(o, "word", scaling_bad_text(json_value_real_at(o, "off"),
		    json_value_real_at(o, "noise")));
	json_object_set_new(o, "holds", json_boolean(scaling_holds((size_t)fmax(0,
	    json_value_real_at(o, "levels")), isnan(low) ? -INFINITY : low,
	    isnan(high) ? INFINITY : high)));
}

static void
set_known(json_t *o, const char *type)
{
	if (json_object_get(o, "column"))
		set_column(o);
	else if (json_object_get(o, "metric"))
		set_text(o, "title", metric_column_title(text_at(o, "metric")));
	if (strcmp(type, "scaling") == 0)
		set_scaling(o);
}

/* ---- the filter ------------------------------------------------------------------------ */

void
xmodel_filter_send(const struct report *r, const json_t *notebooks)
{
	const char *type;
	json_t *list, *o;
	size_t i;
	json_object_foreach(r->others, type, list)
		json_array_foreach(list, i, o)
			set_known(o, type);
	json_t *input = json_pack("{s:O, s:O, s:O, s:O?, s:I, s:b}", "records", r->others,
	    "notebooks", notebooks, "mixed", r->mixed, "first", r->first,
	    "most_runs", (json_int_t)r->most_runs, "tables", r->tables);
	char *text = json_text_of(input);
	fprintf(jq.to, "%s\n", text);
	fflush(jq.to);
	free(text);
	json_decref(input);
}

void
xmodel_filter_end(json_t *model)
{
	json_t *more = json_loadf(jq.from, JSON_DISABLE_EOF_CHECK, NULL);
	if (!more)
		die(ST_SYSTEM, "cannot make the report: jq failed, or is not installed");
	json_object_update_new(model, more);
	child_end(&jq);
}
