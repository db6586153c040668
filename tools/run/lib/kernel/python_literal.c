/* python_literal.c: text and modules in a Python expression. */
#include "kernel/python_literal.h"
#include "base/die.h"
#include "json/json_text.h"

/* A JSON string is one. */
char *
python_literal(const char *text)
{
	json_t *value = json_string(text);
	char *literal = json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
	json_decref(value);
	return literal;
}

char *
python_literal_value(const json_t *value)
{
	char *text = json_text_of(value), *literal = python_literal(text);
	free(text);
	return literal;
}

char *
python_module(const char *name, const char *source)
{
	char *literal = python_literal(source);
	char *expression = xasprintf("(lambda n, t, s, m: (s.modules.__setitem__(n, m), "
	    "exec(compile(t, '<' + n + '>', 'exec'), m.__dict__), m)[-1])('%s', %s, "
	    "__import__('sys'), __import__('types').ModuleType('%s'))", name, literal, name);
	free(literal);
	return expression;
}
