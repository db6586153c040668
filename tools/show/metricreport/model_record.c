/* model_record.c: records of other filters, which become rows of the model with more members. */
#include "model_record.h"
#include "base/die.h"
#include "json/json_value.h"
#include "metric/metric_column.h"

#include <stdlib.h>
#include <string.h>

const char *
model_text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));
	return s ? s : "";
}

void
model_set_title(json_t *row, const char *column)
{
	char *title = metric_column_title(column);
	json_object_set_new(row, "title", json_string(title));
	free(title);
}

void
model_set_column(json_t *row)
{
	const char *column = model_text(row, "column"), *unit = model_text(row, "unit");
	bool named = !*unit || metric_unit_of(column).quantity != OF_NOTHING;
	char *full = named ? xstrdup(column) : xasprintf("%s_%s", column, strcmp(unit, "B") == 0
	    ? "bytes" : strcmp(unit, "%") == 0 ? "pct" : unit);
	json_object_set_new(row, "full_column", json_string(full));
	model_set_title(row, full);
	free(full);
}

static const char *const *order;	/* of what is sorted now */

static int
compare_records(const void *a, const void *b)
{
	const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
	for (const char *const *key = order; *key; key++) {
		const char *name = *key + (**key == '-');
		double p = json_value_real_at(x, name), q = json_value_real_at(y, name);
		int after = p < q ? -1 : p > q ? 1
		    : strcmp(model_text(x, name), model_text(y, name));
		if (after)
			return **key == '-' ? -after : after;
	}
	return 0;
}

json_t *
model_sorted(const json_t *records, const char *const keys[])
{
	size_t n = json_array_size(records);
	json_t **v = xmalloc((n + 1) * sizeof(*v)), *sorted = json_array();
	for (size_t i = 0; i < n; i++)
		v[i] = json_array_get(records, i);
	order = keys;
	qsort(v, n, sizeof *v, compare_records);
	for (size_t i = 0; i < n; i++)
		json_array_append(sorted, v[i]);
	free(v);
	return sorted;
}
