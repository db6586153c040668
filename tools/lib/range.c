/* range.c: {from, to, step}, {from, to, factor} or {from, to, count} to the list
 * of values, both ends included.  Integers stay integers, exactly.
 */
#include "generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANGE_VALUES = 1000000 };

static int
decimals(const json_t *v)
{
	if (json_is_integer(v))
		return 0;
	char *text = json_text(v), *point = strchr(text, '.');
	int n = strchr(text, 'e') || !point ? -1 : (int)strspn(point + 1, "0123456789");
	free(text);
	return n;
}

/* 0.1 + 2 * 0.1 is 0.3 to whoever wrote the range, and a third stays itself. */
static double
tidy(double x, int places)
{
	char text[400];
	if (places < 0) {
		snprintf(text, sizeof text, "%.15g", x);
		return strcspn(text, "e") > 14 ? x : strtod(text, NULL);
	}
	snprintf(text, sizeof text, "%.*f", places, x);
	return strtod(text, NULL);
}

struct range {
	json_t *from, *to, *step, *factor, *count;
};

static json_t *
range_value(const struct range *r, size_t i)
{
	double from = json_number_value(r->from), to = json_number_value(r->to);
	if (r->count) {
		json_int_t n = json_integer_value(r->count);
		/* Divided last: two thirds of 10 is 6.666666666666667 to whoever divides. */
		long double past = n < 2 ? 0 : ((long double)to - from) * i / (n - 1);
		return json_real((json_int_t)i == n - 1 && n > 1 ? to : tidy((double)(from + past), -1));
	}
	if (r->factor)
		return json_real(tidy(from * pow(json_number_value(r->factor), (double)i), -1));
	int a = decimals(r->from), b = decimals(r->step);
	return json_real(tidy(from + (double)i * json_number_value(r->step), a < 0 || b < 0 ? -1 : a > b ? a : b));
}

/* Integers stay integers, exactly. */
static json_t *
whole_range(const struct range *r, size_t most)
{
	json_t *list = json_array();
	json_int_t v = json_integer_value(r->from), to = json_integer_value(r->to), step;
	json_int_t factor = json_integer_value(r->factor);
	bool up = to >= v;
	if (r->count) {
		json_int_t n = json_integer_value(r->count);
		step = n > 1 ? (to - v) / (n - 1) : 0;
	} else {
		step = json_integer_value(r->step);
	}
	for (;;) {
		if ((up ? v > to : v < to) || json_array_size(list) > most)
			return list;
		json_array_append_new(list, json_integer(v));
		if (r->factor ? __builtin_mul_overflow(v, factor, &v) : __builtin_add_overflow(v, step, &v))
			return list;
		if (r->count && json_array_size(list) == (size_t)json_integer_value(r->count))
			return list;
	}
}

static json_t *
real_range(const struct range *r, size_t most)
{
	json_t *list = json_array();
	double to = json_number_value(r->to);
	bool up = to >= json_number_value(r->from);
	for (size_t i = 0; i <= most; i++) {
		json_t *v = range_value(r, i);
		double x = json_real_value(v);
		/* A last value that only rounding has put beyond the end belongs. */
		double slack = 1e-12 * fmax(fabs(x), fabs(to));
		bool past = r->count ? i >= (size_t)json_integer_value(r->count)
		                     : up ? x > to + slack : x < to - slack;
		if (past) {
			json_decref(v);
			break;
		}
		json_array_append_new(list, v);
	}
	return list;
}

static void
check_range(const struct source *s, const json_t *o, const struct range *r, const char *name, const json_t *in, size_t member)
{
	if (!r->from || !r->to || !!r->step + !!r->factor + !!r->count != 1)
		die_at(s, in, member, "'%s': a range is {from, to, step}, {from, to, factor} or {from, to, count}, "
		    "both ends included; a value that is an object stands in a list", name);
	const char *key;
	json_t *v;
	size_t i = 0;
	json_object_foreach((json_t *)(uintptr_t)o, key, v) {
		if (!json_is_number(v))
			die_at(s, o, i, "'%s': %s is not a number", name, key);
		i++;
	}
	double from = json_number_value(r->from), to = json_number_value(r->to);
	double step = json_number_value(r->step), factor = json_number_value(r->factor);
	if (r->step && (step == 0 || (to > from && step < 0) || (to < from && step > 0)))
		die_at(s, in, member, "'%s': the step does not lead from %g to %g", name, from, to);
	if (r->factor && (from * to <= 0 || factor <= 0 || factor == 1 || (fabs(to) > fabs(from)) != (factor > 1)))
		die_at(s, in, member, "'%s': the factor does not lead from %g to %g", name, from, to);
	if (r->count && (!json_is_integer(r->count) || json_integer_value(r->count) < 1 ||
	    json_integer_value(r->count) > RANGE_VALUES || (json_integer_value(r->count) == 1 && from != to)))
		die_at(s, in, member, "'%s': count is a whole number from 2 to %d", name, RANGE_VALUES);
}

static bool
is_whole(const struct range *r)
{
	if (!json_is_integer(r->from) || !json_is_integer(r->to))
		return false;
	json_int_t from = json_integer_value(r->from), to = json_integer_value(r->to), span;
	if (__builtin_sub_overflow(to, from, &span))
		return false;
	if (r->count)
		return json_integer_value(r->count) < 2 || span % (json_integer_value(r->count) - 1) == 0;
	return json_is_integer(r->step ? r->step : r->factor);
}

json_t *
xexpand_range(const struct source *s, const json_t *o, const char *name, const json_t *in, size_t member)
{
	struct range r = {
		json_object_get(o, "from"), json_object_get(o, "to"), json_object_get(o, "step"),
		json_object_get(o, "factor"), json_object_get(o, "count"),
	};
	if (json_object_size(o) != 3)
		r.from = NULL;
	check_range(s, o, &r, name, in, member);
	json_t *list = is_whole(&r) ? whole_range(&r, RANGE_VALUES) : real_range(&r, RANGE_VALUES);
	if (json_array_size(list) > RANGE_VALUES)
		die_at(s, in, member, "'%s': a range of more than %d values", name, RANGE_VALUES);
	return list;
}
