/* model_record.c: objects of the model, sorted. */
#include "model_record.h"
#include "base/die.h"
#include "json/json_value.h"

#include <stdlib.h>
#include <string.h>

static const char *
text_at(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));
	return s ? s : "";
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
		    : strcmp(text_at(x, name), text_at(y, name));
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
