/* profile_calls.c: functions, and which function called which. */
#include "profile_calls.h"
#include "base/die.h"
#include "json/json_value.h"
#include "profile/profile_record.h"

#include <stdio.h>

/* A caller of a function, by its number in the run that is being read. */
struct profile_pending {
	size_t function;
	json_t *caller;	/* [id, calls, primitive_calls, own_s, cumulative_s] */
};

static void
append_callers(struct profile_cell *c, size_t function, struct span list)
{
	json_t *callers = span_json(list), *caller;
	size_t i;
	json_array_foreach(callers, i, caller) {
		*XAPPEND(c->pending, c->n_pending) = (struct profile_pending){function,
			json_incref(caller)};
	}
	json_decref(callers);
}

static void
remove_functions(struct profile_cell *c)
{
	for (size_t i = 0; i < c->n_pending; i++)
		json_decref(c->pending[i].caller);
	c->n_pending = c->n_functions = 0;
	json_object_clear(c->ids);
}

void
xprofile_calls_fold(struct profile_cell *c, struct scan *s, const struct lines *in,
    const struct profile_fold *f)
{
	bool sampled = span_is(scan_get(s, "calls"), "null") && !c->page;
	size_t run = f->run;
	if (sampled && c->n_functions && !c->sampled)
		return;
	if (!sampled && c->sampled)
		remove_functions(c);
	c->sampled = sampled;
	const char *type = "profile_function";
	struct span id = scan_get(s, "id");
	char *file = xprofile_record_text(s, in, type, "file"), key[40];
	char *function = xprofile_record_text(s, in, type, "function");
	long line = profile_record_line(s, "line");
	size_t i = xjson_value_index(c->by_key, xasprintf("f%d%s\n%ld\n%s", sampled, file, line,
	    function), c->n_functions);
	if (i == c->n_functions) {
		*XAPPEND(c->functions, c->n_functions) = (struct profile_function){.file = file,
			.function = function, .line = line};
	} else {
		free(file);
		free(function);
	}
	struct profile_function *to = &c->functions[i];
	double calls = profile_record_amount(s, "calls");
	double own_s = profile_record_amount(s, "own_s");
	to->calls += calls;
	to->primitive_calls += profile_record_amount(s, "primitive_calls");
	to->own_s += own_s;
	profile_values_append(s, &to->values, run - 1, own_s, calls);
	to->cumulative_s += profile_record_amount(s, "cumulative_s");
	profile_record_count(s, run, &to->runs, &to->last_run);
	if (isfinite(span_number(id))) {
		snprintf(key, sizeof key, "%.0f", span_number(id));
		json_object_set_new(c->ids, key, json_integer((json_int_t)i));
	}
	append_callers(c, i, scan_get(s, "callers"));
}

static double
caller_amount(const json_t *caller, size_t k)
{
	double x = json_number_value(json_array_get(caller, k));
	return isfinite(x) && x > 0 ? x : 0;
}

static void
fold_caller(struct profile_function *to, size_t function, const json_t *caller)
{
	size_t i = 0;
	while (i < to->n_callers && to->callers[i].function != function)
		i++;
	if (i == to->n_callers)
		*XAPPEND(to->callers, to->n_callers) =
		    (struct profile_caller){.function = function};
	struct profile_caller *k = &to->callers[i];
	k->calls += caller_amount(caller, 1);
	k->primitive_calls += caller_amount(caller, 2);
	k->own_s += caller_amount(caller, 3);
	k->cumulative_s += caller_amount(caller, 4);
}

void
profile_calls_resolve(struct profile_cell *c)
{
	char key[40];
	for (size_t i = 0; i < c->n_pending; i++) {
		struct profile_pending *p = &c->pending[i];
		snprintf(key, sizeof key, "%.0f",
		    json_number_value(json_array_get(p->caller, 0)));
		const json_t *at = json_object_get(c->ids, key);
		if (at)
			fold_caller(&c->functions[p->function],
			    (size_t)json_integer_value(at), p->caller);
		json_decref(p->caller);
	}
	c->n_pending = 0;
	json_object_clear(c->ids);
}
