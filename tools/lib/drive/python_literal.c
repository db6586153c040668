/* python_literal.c: text in a Python expression. */
#include "drive/python_literal.h"

#include <jansson.h>

/* A JSON string is one. */
char *
python_literal(const char *text)
{
	json_t *value = json_string(text);
	char *literal = json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
	json_decref(value);
	return literal;
}
