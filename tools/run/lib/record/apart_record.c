/* apart_record.c: records among a cell's outputs. */
#include "record/apart_record.h"
#include "json/json_value.h"
#include "record/run_record.h"

#include <math.h>
#include <string.h>

/* What a kernel sends may be anything. */
static bool
is_record(const json_t *value)
{
	const char *type = json_string_value(json_object_get(value, "type"));
	return type && (strcmp(type, "scorep_cell") == 0 || strcmp(type, "emissions") == 0) &&
	    isfinite(json_value_real_at(value, "t"));
}

void
apart_record_write(const struct notebook_cell *c, const json_t *seen)
{
	json_t *value, *record;
	size_t i;
	json_array_foreach(json_object_get(seen, "apart"), i, value) {
		if (!is_record(value))
			continue;
		record = json_pack("{s:O, s:O, s:I}", "type", json_object_get(value, "type"), "t",
		    json_object_get(value, "t"), "cell_index", (json_int_t)c->index);
		json_object_update_missing(record, value);
		xrun_record_write(record);
	}
}

const char *
apart_record_not_run(const json_t *seen)
{
	const json_t *value;
	const char *reason = NULL;
	size_t i;
	json_array_foreach(json_object_get(seen, "apart"), i, value) {
		const char *status = json_string_value(json_object_get(value, "status"));
		const char *why = json_string_value(json_object_get(value, "reason"));
		if (is_record(value) && status && strcmp(status, "not_run") == 0)
			reason = why ? why : "unknown";
	}
	return reason;
}
