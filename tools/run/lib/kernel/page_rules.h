/* page_rules.h: what a driver without a page shares with the scripts of share/page. */
#pragma once

#include <jansson.h>

/* What lists in the kernel what is pending there, once page_rules_module() has defined it. */
#define PAGE_RULES_TELL "__import__('sys').modules['_nbscope'].tell()"

/* share/page/rules.json, as text. */
extern const char page_rules_json[];
/* A group of these rules, borrowed. */
const json_t *page_rules(const char *group);
/* The Python expression that defines the module _nbscope, which lists what is pending; its value
 * is the module.  The caller's. */
char *page_rules_module(void);
