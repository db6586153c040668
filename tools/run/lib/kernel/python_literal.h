/* python_literal.h: text and modules in a Python expression. */
#pragma once

#include <jansson.h>

/* A string literal with this value, in ASCII; the caller's. */
char *python_literal(const char *text);
/* A string literal with a value's JSON text, which json.loads() reads. */
char *python_literal_value(const json_t *);
/* An expression that puts a module with this source into the kernel's sys.modules, without any
 * other trace; its value is the module.  The caller's. */
char *python_module(const char *name, const char *source);
