/* kernel_pending.c: what cells have left to do in the kernel after their replies.
 * The same Python that the page sends (share/page/pending.py) lists it, and the same rules say what
 * is worth waiting for (share/page/rules.json). */
#include "kernel_pending.h"
#include "base/clock.h"
#include "base/die.h"
#include "kernel/page_rules.h"

enum { ASK_MS = 5000 };

static json_t *earlier;	/* what was pending before the first cell: {key: true}; NULL: not known */
static double begin_ms;	/* when that was */

static double
clock_ms(void)
{
	return (double)clock_monotonic_ns() / 1e6;
}

static double
rule_ms(const char *name)
{
	return json_number_value(json_object_get(page_rules("pending"), name));
}

/* The items that are pending, as pending.py describes them; NULL: the kernel does not say. */
static json_t *
ask(struct kernel_client *k, const char *expression)
{
	const json_t *reply = kernel_client_evaluate(k, expression, ASK_MS);
	json_t *value = json_object_get(json_object_get(reply, "user_expressions"), "nbscope");
	json_t *data = json_object_get(value, "data"), *text = json_object_get(data, "text/plain");
	size_t n = json_string_length(text);
	json_t *told = n > 2 ? json_loadb(json_string_value(text) + 1, n - 2, 0, NULL) : NULL;
	json_t *items = json_incref(json_array_get(told, 1));
	json_decref(told);
	return items;
}

void
kernel_pending_begin(struct kernel_client *k)
{
	char *module = page_rules_module(), *expression = xasprintf("%s.tell()", module);
	json_t *items = kernel_client_is_python(k) ? ask(k, expression) : NULL, *item;
	size_t i;
	earlier = items ? json_object() : NULL;
	begin_ms = clock_ms();
	json_array_foreach(items, i, item)
		json_object_set_new(earlier, json_string_value(json_array_get(item, 1)),
		    json_true());
	json_decref(items);
	free(expression);
	free(module);
}

/* When to ask again because of an item; NaN: it is not worth waiting for.  This is Pending.add() of
 * share/page/pending.js, for all cells at once. */
static double
item_ms(const json_t *item, double now_ms)
{
	const char *kind = json_string_value(json_array_get(item, 0));
	const char *key = json_string_value(json_array_get(item, 1));
	const json_t *rule = json_object_get(json_object_get(page_rules("pending"), "kinds"), kind);
	const char *from = json_string_value(json_object_get(rule, "from"));
	const char *when = json_string_value(json_object_get(rule, "ask"));
	if (!from || !when || json_object_get(earlier, key))
		return NAN;
	double soonest_ms = (strcmp(from, "request") == 0 ? begin_ms : now_ms) +
	    json_number_value(json_array_get(item, 2)) * 1000;
	if (soonest_ms > now_ms + rule_ms("late_ms"))
		return NAN;
	return strcmp(when, "when due") != 0 ? now_ms + rule_ms("poll_ms") :
	    fmax(soonest_ms + rule_ms("after_ms"), now_ms + rule_ms("min_ms"));
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
	double now_ms = clock_ms(), end_ms = now_ms + rule_ms("late_ms"), next_ms = now_ms;
	while (earlier && !k->lost && !http_stop && now_ms < end_ms && !isnan(next_ms)) {
		json_t *items = ask(k, PAGE_RULES_TELL), *item;
		size_t i;
		now_ms = clock_ms();
		next_ms = NAN;
		json_array_foreach(items, i, item)
			next_ms = fmin(next_ms, item_ms(item, now_ms));
		json_decref(items);
		double wait_ms = fmin(next_ms, end_ms) - now_ms;
		if (!isnan(next_ms) && wait_ms > 0)
			kernel_client_wait(k, is_never, NULL,
			    clock_monotonic_ns() + (uint64_t)(wait_ms * 1e6));
		now_ms = clock_ms();
	}
}
