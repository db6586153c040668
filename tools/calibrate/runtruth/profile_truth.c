/* profile_truth.c: what profilers found in the code of a cell, as members of its record.
 * Lines are those of the cell's source: of its own code and of functions that it defines. */
#include "profile_truth.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_value.h"
#include "profile/profile_record.h"

#include <stdio.h>

/* The member, an object, which is added if there is none. */
static json_t *
object_at(json_t *in, const char *key)
{
	json_t *at = json_object_get(in, key);
	if (!at && json_object_set_new(in, key, at = json_object()) != 0)
		die(ST_SYSTEM, "out of memory");
	return at;
}

static void
add_amount(json_t *in, const char *key, double x)
{
	double sum = num_or_0(json_value_real_at(in, key)) + x;
	json_object_set_new(in, key, json_real(sum));
}

static bool
is_in_cell(struct scan *s, const char *key, const json_t *cell)
{
	char name[40];
	snprintf(name, sizeof name, "<cell %lld>",
	    (long long)json_integer_value(json_object_get(cell, "cell_index")));
	return span_is_word(scan_get(s, key), name);
}

/* NULL: it is not a line of the cell. */
static json_t *
line_at(json_t *lines, struct scan *s, const json_t *cell)
{
	char number[24];
	snprintf(number, sizeof number, "%ld", profile_record_line(s, "line"));
	return is_in_cell(s, "file", cell) ? object_at(lines, number) : NULL;
}

static void
add_line(json_t *cell, struct scan *s)
{
	bool by_workers = profile_record_line(s, "processes") > 0;
	json_t *in = by_workers ? object_at(cell, "workers") : cell;
	json_t *line = line_at(object_at(in, "lines"), s, cell);
	if (!line)
		return;
	add_amount(line, "hits", profile_record_amount(s, "hits"));
	/* The line that calls a function has its time, too. */
	if (by_workers || is_in_cell(s, "function", cell))
		add_amount(line, "time_s", profile_record_amount(s, "time_s"));
}

static void
add_allocation(json_t *cell, struct scan *s)
{
	char *when = scan_string(s, "when");
	json_t *lines = object_at(object_at(cell, "allocations"), when ? when : "");
	json_t *line = line_at(lines, s, cell);
	if (line)
		add_amount(line, "bytes", profile_record_amount(s, "bytes"));
	free(when);
}

static void
add_reason(json_t *cell, struct scan *s)
{
	add_amount(cell, "profile_reasons", span_null(scan_get(s, "reason")) ? 0 : 1);
}

bool
profile_truth_add(json_t *cell, struct scan *s)
{
	static const struct {
		const char *type;
		void (*add)(json_t *, struct scan *);
	} kinds[] = {
		{"profile_line", add_line}, {"profile_allocation", add_allocation},
		{"profile", add_reason}, {"profile_function", NULL}, {"profile_stack", NULL},
		{"profile_file", NULL}, {"profile_task", NULL},
	};
	size_t i = 0;
	while (i < COUNT(kinds) && !scan_type_is(s, kinds[i].type))
		i++;
	if (i < COUNT(kinds) && kinds[i].add && cell)
		kinds[i].add(cell, s);
	return i < COUNT(kinds);
}

static void
add_shares(json_t *lines)
{
	const char *number;
	json_t *line;
	double all_s = 0;
	json_object_foreach(lines, number, line)
		all_s += num_or_0(json_value_real_at(line, "time_s"));
	json_object_foreach(lines, number, line)
		if (all_s > 0)
			json_object_set_new(line, "share_pct", json_real(100 *
			    num_or_0(json_value_real_at(line, "time_s")) / all_s));
}

void
profile_truth_end(json_t *cell)
{
	add_shares(json_object_get(cell, "lines"));
	add_shares(json_object_get(json_object_get(cell, "workers"), "lines"));
}
