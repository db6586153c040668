/* page_rules.c: what a driver without a page shares with the scripts of share/page. */
#include "kernel/page_rules.h"
#include "base/die.h"
#include "base/embed.h"
#include "kernel/python_literal.h"

EMBED(page_rules_json, "share/page/rules.json");
EMBED_STATIC(endless_py, "share/page/endless.py");
EMBED_STATIC(pending_py, "share/page/pending.py");
extern const char endless_py[], pending_py[];

const json_t *
page_rules(const char *group)
{
	static json_t *all;
	if (!all)
		all = json_loads(page_rules_json, 0, NULL);
	return json_object_get(all, group);
}

char *
page_rules_module(void)
{
	char *source = xasprintf("%s%s", endless_py, pending_py);
	char *module = python_module("_nbscope", source);
	free(source);
	return module;
}
