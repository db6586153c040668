/* browser_names.c: what the page's functions are called by those who wrote them.
 * share/profile/page/names.js finds it in the page, from source maps and packages.  The text of a
 * module that has no address any more comes from DevTools, and the kernel says whose it is. */
#include "browser_names.h"
#include "base/die.h"
#include "base/embed.h"
#include "hook/hook_driver.h"
#include "json/json_text.h"
#include "kernel/python_literal.h"

enum { KERNEL_MS = 10000, MIN_HITS = 10 };	/* hits: of what is not worth asking for, fewer */

EMBED_STATIC(names_js, "share/profile/page/names.js");
extern const char names_js[];
EMBED_STATIC(esm_py, "share/profile/page/esm.py");
extern const char esm_py[];

/* {text: [file, package]} of the modules of widgets; NULL where the kernel cannot tell. */
static json_t *
ask_kernel(void)
{
	char *module = python_module("_nbscope_esm", esm_py);
	char *expression = xasprintf("%s.Modules()", module);
	json_t *data = hook_driver_evaluate(expression, KERNEL_MS, NULL);
	json_t *owners = data ? json_loads(json_string_value(data), 0, NULL) : NULL;
	json_decref(data);
	free(expression);
	free(module);
	return owners;
}

static json_t *
call(const char *method, json_t *params)
{
	return hook_driver_call_devtools(method, params ? params : json_object(), NULL);
}

/* {script: [source, [file, package]]} of those without an address, each once in a run. */
static json_t *
new_modules(const json_t *nodes)
{
	static json_t *asked;
	json_t *modules = json_object(), *owners = NULL, *node;
	size_t i;
	asked = asked ? asked : json_object();
	json_array_foreach(nodes, i, node) {
		const char *id, *url;
		int line, hits;
		if (json_unpack(node, "{s:{s:s, s:s, s:i}, s:i}", "callFrame", "scriptId", &id,
		    "url", &url, "lineNumber", &line, "hitCount", &hits) != 0 ||
		    json_object_get(asked, id) ||
		    (*url ? strncmp(url, "blob:", 5) != 0 : line < 0 || hits < MIN_HITS))
			continue;
		if (!json_object_size(modules))
			json_decref(call("Debugger.enable", NULL));
		if (*url && !owners)
			owners = ask_kernel();
		json_t *answer = call("Debugger.getScriptSource", json_pack("{s:s}", "scriptId",
		    id));
		json_t *source = json_object_get(answer, "scriptSource");
		const char *text = json_string_value(source);
		json_object_set_new(asked, id, json_true());
		json_object_set_new(modules, id, json_pack("[O?, O?]", source,
		    json_object_get(owners, text ? text : "")));
		json_decref(answer);
	}
	if (json_object_size(modules))
		json_decref(call("Debugger.disable", NULL));
	json_decref(owners);
	return modules;
}

/* In a world of its own: the page cannot replace its functions, and waits for no request of it. */
void
browser_names_set(json_t *profile)
{
	json_t *nodes = json_object_get(profile, "nodes"), *modules = new_modules(nodes);
	json_t *tree = call("Page.getFrameTree", NULL), *id = json_object_get(json_object_get(
	    json_object_get(tree, "frameTree"), "frame"), "id");
	json_t *world = call("Page.createIsolatedWorld", json_pack("{s:O?, s:s}", "frameId", id,
	    "worldName", "nbscope"));
	char *before = json_text_of(nodes), *texts = json_text_of(modules);
	json_t *answer = call("Runtime.evaluate", json_pack("{s:o, s:O?, s:b, s:b}", "expression",
	    json_sprintf("(%s)(%s, %s)", names_js, before, texts),
	    "contextId", json_object_get(world, "executionContextId"),
	    "awaitPromise", 1, "returnByValue", 1));
	json_t *named = json_object_get(json_object_get(answer, "result"), "value");
	if (json_is_array(named))
		json_object_set(profile, "nodes", named);
	json_decref(answer);
	free(texts);
	free(before);
	json_decref(world);
	json_decref(tree);
	json_decref(modules);
}
