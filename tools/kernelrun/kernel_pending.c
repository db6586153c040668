/* kernel_pending.c: what cells have left to do in the kernel after their replies.
 * The same Python that the page sends (share/page/pending.py) lists it. */
#include "kernel_pending.h"
#include "base/clock.h"
#include "base/die.h"
#include "browser/page_script.h"
#include "kernel/python_literal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MODULE "_nbscope"

enum { LATE_MS = 5000, POLL_MS = 250, AFTER_MS = 10, ASK_MS = 5000 };

static json_t *earlier;	/* keys of what was pending before the first cell; NULL: not known */

static char *
question(bool first)
{
	static const char list[] = "(lambda p, i: (p['budget'].__setitem__(0, p['MAX_CODES']), "
	    "p['attempt'](p['add_all'], i, p['asyncio'].get_running_loop()), "
	    "p['json'].dumps(i))[-1])(__import__('sys').modules['" MODULE "'].__dict__, [])";
	if (!first)
		return xstrdup(list);
	char *all = xasprintf("%s%s", page_endless_py, page_pending_py);
	char *source = python_literal(all);
	char *expression = xasprintf("(lambda m, s: (s.modules.__setitem__('" MODULE "', "
	    "m('types').ModuleType('" MODULE "')), exec(%s, s.modules['" MODULE "'].__dict__), "
	    "%s))(__import__, __import__('sys'))[-1]", source, list);
	free(all);
	free(source);
	return expression;
}

/* The items that are pending, as pending.py describes them; NULL: the kernel does not say. */
static json_t *
ask(struct kernel_client *k, bool first)
{
	char *expression = question(first);
	const json_t *reply = kernel_client_evaluate(k, expression, ASK_MS);
	json_t *value = json_object_get(json_object_get(reply, "user_expressions"), "nbscope");
	json_t *data = json_object_get(value, "data"), *text = json_object_get(data, "text/plain");
	size_t n = json_string_length(text);
	free(expression);
	return n > 2 ? json_loadb(json_string_value(text) + 1, n - 2, 0, NULL) : NULL;
}

void
kernel_pending_begin(struct kernel_client *k)
{
	json_t *items = kernel_client_is_python(k) ? ask(k, true) : NULL, *item;
	size_t i;
	if (!items)
		return;
	earlier = json_object();
	json_array_foreach(items, i, item) {
		const char *key = json_string_value(json_array_get(item, 1));
		if (key)
			json_object_set_new(earlier, key, json_true());
	}
	json_decref(items);
}

/* After how many ms to ask again; NaN: nothing is worth waiting for. */
static double
next_ms(const json_t *items, double left_ms)
{
	double next = NAN;
	size_t i;
	json_t *item;
	json_array_foreach(items, i, item) {
		const char *kind = json_string_value(json_array_get(item, 0));
		const char *key = json_string_value(json_array_get(item, 1));
		double due_ms = json_number_value(json_array_get(item, 2)) * 1000 + AFTER_MS;
		if (!kind || !key || strcmp(kind, "periodic") == 0 ||
		    json_object_get(earlier, key))
			continue;
		if (strcmp(kind, "timer") != 0)
			due_ms = POLL_MS;
		if (due_ms <= left_ms)
			next = fmin(next, due_ms);
	}
	return next;
}

static bool
is_never(void *arg)
{
	(void)arg;
	return false;
}

void
kernel_pending_wait(struct kernel_client *k)
{
	uint64_t start_ns = clock_monotonic_ns();
	double ms = 0;
	while (earlier && !k->lost && !http_stop && !isnan(ms)) {
		json_t *items = ask(k, false);
		double left_ms = LATE_MS - (double)(clock_monotonic_ns() - start_ns) / 1e6;
		ms = items ? next_ms(items, left_ms) : (double)NAN;
		json_decref(items);
		if (!isnan(ms))
			kernel_client_wait(k, is_never, NULL,
			    clock_monotonic_ns() + (uint64_t)(ms * 1e6));
	}
}
