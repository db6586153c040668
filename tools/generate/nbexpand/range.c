/* range.c: expands a range to the list of its values, both ends included.  Integers stay
 * integers, exactly.
 */
#include "range.h"
#include "json/json_text.h"

#include <stdio.h>

enum { MAX_VALUES = 1000000 };

struct range_form {
	json_t *from, *to, *step, *factor, *count;
};

/* The decimal places of a number as it would be written; -1: unknown. */
static int
decimal_places(const json_t *v)
{
	if (json_is_integer(v))
		return 0;
	char *text = json_text_of(v), *point = strchr(text, '.');
	int n = strchr(text, 'e') || !point ? -1 : (int)strspn(point + 1, "0123456789");
	free(text);
	return n;
}

/* Rounded, so that 0.1 + 2 * 0.1 becomes 0.3; a third does not change. */
static double
without_noise(double x, int places)
{
	char text[400];
	if (places < 0) {
		snprintf(text, sizeof text, "%.15g", x);
		return strcspn(text, "e") > 14 ? x : strtod(text, NULL);
	}
	snprintf(text, sizeof text, "%.*f", places, x);
	return strtod(text, NULL);
}

static double
real_value(const struct range_form *r, size_t i)
{
	double from = json_number_value(r->from), to = json_number_value(r->to);
	if (r->count) {
		json_int_t n = json_integer_value(r->count);
		if ((json_int_t)i == n - 1 && n > 1)
			return to;
		/* Divide last: 2 * 10 / 3 is 6.666666666666667, as is two thirds of 10. */
		long double past = n < 2 ? 0 : ((long double)to - from) * i / (n - 1);
		return without_noise((double)(from + past), -1);
	}
	if (r->factor)
		return without_noise(from * pow(json_number_value(r->factor), (double)i), -1);
	int a = decimal_places(r->from), b = decimal_places(r->step);
	double x = from + (double)i * json_number_value(r->step);
	return without_noise(x, a < 0 || b < 0 ? -1 : a > b ? a : b);
}

/* Whether all values are integers. */
static bool
is_whole(const struct range_form *r)
{
	json_int_t span;
	if (!json_is_integer(r->from) || !json_is_integer(r->to) ||
	    __builtin_sub_overflow(json_integer_value(r->to), json_integer_value(r->from), &span))
		return false;
	json_int_t count = json_integer_value(r->count);
	if (r->count)
		return count < 2 || span % (count - 1) == 0;
	return json_is_integer(r->step ? r->step : r->factor);
}

/* The values as integers, until the end or an overflow. */
static void
add_whole_values(json_t *list, const struct range_form *r)
{
	json_int_t v = json_integer_value(r->from), to = json_integer_value(r->to);
	json_int_t step = json_integer_value(r->step), factor = json_integer_value(r->factor);
	json_int_t count = json_integer_value(r->count);
	bool up = to >= v, overflow = false;
	if (count > 1)
		step = (to - v) / (count - 1);
	for (json_int_t i = 0; i <= MAX_VALUES && !overflow; i++) {
		if (r->count ? i == count : up ? v > to : v < to)
			return;
		json_array_append_new(list, json_integer(v));
		overflow = factor ? __builtin_mul_overflow(v, factor, &v) :
		    __builtin_add_overflow(v, step, &v);
	}
}

static void
add_real_values(json_t *list, const struct range_form *r)
{
	double to = json_number_value(r->to);
	bool up = to >= json_number_value(r->from);
	json_int_t count = json_integer_value(r->count);
	for (json_int_t i = 0; i <= MAX_VALUES; i++) {
		double x = real_value(r, (size_t)i);
		/* A last value that only rounding puts past the end belongs to the range. */
		double slack = 1e-12 * fmax(fabs(x), fabs(to));
		if (r->count ? i >= count : up ? x > to + slack : x < to - slack)
			return;
		json_array_append_new(list, json_real(x));
	}
}

static void
check_range(const struct source *s, const struct range_form *r, const char *name, size_t member)
{
	double from = json_number_value(r->from), to = json_number_value(r->to);
	double step = json_number_value(r->step), factor = json_number_value(r->factor);
	json_int_t count = json_integer_value(r->count);
	const char *fault = NULL;
	if (r->step && (step == 0 || (to > from && step < 0) || (to < from && step > 0)))
		fault = "step";
	if (r->factor && (from * to <= 0 || factor <= 0 || factor == 1 ||
	    (fabs(to) > fabs(from)) != (factor > 1)))
		fault = "factor";
	if (fault)
		source_die_at(s, s->root, member, "'%s': the %s does not lead from %g to %g", name,
		    fault, from, to);
	if (r->count && (!json_is_integer(r->count) || count < 1 || count > MAX_VALUES ||
	    (count == 1 && from != to)))
		source_die_at(s, s->root, member, "'%s': count must be an integer from 2 to %d",
		    name, MAX_VALUES);
}

json_t *
xrange_expand(const struct source *s, json_t *range, const char *name, size_t member)
{
	struct range_form r = {
		json_object_get(range, "from"), json_object_get(range, "to"),
		json_object_get(range, "step"), json_object_get(range, "factor"),
		json_object_get(range, "count"),
	};
	json_t *v, *list = json_array();
	const char *key;
	size_t i = 0;
	if (!r.from || !r.to || !(r.step || r.factor || r.count) || json_object_size(range) != 3)
		source_die_at(s, s->root, member, "'%s': a range is {from, to, step}, "
		    "{from, to, factor} or {from, to, count}, both ends included; "
		    "a value that is an object must be in a list", name);
	json_object_foreach(range, key, v) {
		if (!json_is_number(v))
			source_die_at(s, range, i, "'%s': %s is not a number", name, key);
		i++;
	}
	check_range(s, &r, name, member);
	if (is_whole(&r))
		add_whole_values(list, &r);
	else
		add_real_values(list, &r);
	if (json_array_size(list) > MAX_VALUES)
		source_die_at(s, s->root, member, "'%s': a range of more than %d values", name,
		    MAX_VALUES);
	return list;
}
