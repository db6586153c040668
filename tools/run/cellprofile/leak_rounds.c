/* leak_rounds.c: what kernel and page have in memory after each round of a notebook.
 * The first rounds fill caches, and count in nothing.  What came after them and outlived the last
 * round is what grows: what each round makes in place of the one before does not. */
#include "leak_rounds.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/embed.h"
#include "devtools/devtools.h"
#include "heap_snapshot.h"
#include "hook/hook_driver.h"
#include "json/json_value.h"
#include "kernel/python_literal.h"

#define MODULE "_nbscope_leaks"

enum { CALL_MS = 60000, KERNEL_MS = 300000, COLLECTIONS = 2, MIN_FIRST = 3, MAX_FIRST = 10,
	FIRST_SHARE = 5 };

EMBED_STATIC(leaks_py, "share/leaks/kernel.py");
extern const char leaks_py[];
EMBED_STATIC(leaks_js, "share/leaks/page.js");
extern const char leaks_js[];

static struct devtools *page;	/* NULL: there is none, or not that can be asked */
static char *no_page, *no_kernel;	/* why */
static json_int_t rounds, first;	/* how many; how many of them count in nothing */
static json_t *marks;	/* of the page's heap */

/* The value of a call of the module; NULL and the reason in no_kernel. */
static json_t *
call_kernel(const char *call)
{
	char *expression = xasprintf("__import__('sys').modules['" MODULE "'].%s", call);
	json_t *data = no_kernel ? NULL : hook_driver_evaluate(expression, KERNEL_MS, &no_kernel);
	json_t *value = data ? json_loads(json_string_value(data), JSON_DECODE_ANY, NULL) : NULL;
	json_decref(data);
	free(expression);
	return value;
}

static json_t *
call_page(const char *method, json_t *params)
{
	if (!no_page)
		return devtools_call(page, method, params, CALL_MS, &no_page);
	json_decref(params);
	return NULL;
}

/* See heap_snapshot.h. */
static json_t *
read_heap(void)
{
	json_t *found = no_page ? NULL : heap_snapshot_read(page, marks, &no_page);
	return found ? found : json_null();
}

void
leak_rounds_open(const json_t *settings, const json_t *opened)
{
	marks = json_array();
	rounds = json_integer_value(json_object_get(settings, "rounds"));
	first = rounds / FIRST_SHARE;
	first = first < MIN_FIRST ? MIN_FIRST : first > MAX_FIRST ? MAX_FIRST : first;
	char *module = python_module(MODULE, leaks_py);
	char *expression = xasprintf("%s.Answer(0)", module);
	json_decref(hook_driver_evaluate(expression, CALL_MS, &no_kernel));
	free(expression);
	free(module);
	page = devtools_open_session(json_object_get(opened, "session"), CALL_MS, &no_page);
}

static json_t *
measure_page(void)
{
	json_t *used, *counters, *asked, *all = json_object();
	for (int i = 0; i < COLLECTIONS; i++)
		json_decref(call_page("HeapProfiler.collectGarbage", NULL));
	used = call_page("Runtime.getHeapUsage", NULL);
	counters = call_page("Memory.getDOMCounters", NULL);
	asked = call_page("Runtime.evaluate", json_pack("{s:s, s:b, s:b}", "expression", leaks_js,
	    "awaitPromise", 1, "returnByValue", 1));
	json_object_set_new(all, "heap_bytes", json_value_real(
	    json_value_real_at(used, "usedSize")));
	json_object_set_new(all, "buffers_bytes", json_value_real(
	    json_value_real_at(used, "backingStorageSize")));
	json_object_set(all, "dom_nodes", json_object_get(counters, "nodes"));
	json_object_set(all, "documents", json_object_get(counters, "documents"));
	json_object_set(all, "listeners", json_object_get(counters, "jsEventListeners"));
	json_object_update(all, json_object_get(json_object_get(asked, "result"), "value"));
	json_decref(asked);
	json_decref(counters);
	json_decref(used);
	if (!no_page)
		return all;
	json_decref(all);
	return json_null();
}

static void
write_holders(json_t *holders, const char *side)
{
	json_t *each;
	size_t i;
	json_array_foreach(holders, i, each) {
		json_t *record = json_pack("{s:s, s:s}", "type", "leak_holder", "side", side);
		json_object_update(record, each);
		json_object_set_new(record, "rounds", json_integer(rounds - 1 - first));
		hook_driver_write(record);
	}
}

void
leak_rounds_measure(json_int_t round)
{
	json_t *kernel = call_kernel("measure()"), *on_page = measure_page(), *found;
	hook_driver_write(json_pack("{s:s, s:f, s:I, s:b, s:o?, s:o, s:o, s:o}", "type",
	    "leak_round", "t", clock_unix_s(), "round", round, "counted", round > first,
	    "kernel", kernel, "kernel_reason", json_value_text(no_kernel),
	    "page", on_page, "page_reason", json_value_text(no_page)));
	if (round == first || round == rounds - 1) {
		json_decref(call_kernel("mark()"));
		json_array_append_new(marks, read_heap());
	}
	if (round < rounds)
		return;
	found = call_kernel("holders()");
	write_holders(json_object_get(found, "holders"), "kernel");
	json_decref(found);
	found = read_heap();
	write_holders(found, "page");
	json_decref(found);
	devtools_close(page);
}
