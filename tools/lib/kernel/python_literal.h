/* python_literal.h: text in a Python expression. */
#ifndef PYTHON_LITERAL_H
#define PYTHON_LITERAL_H

#include <jansson.h>

/* A string literal with this value, in ASCII; the caller's. */
char *python_literal(const char *text);
/* One of a value's JSON text, as json.loads() reads it. */
char *python_literal_value(const json_t *);

#endif
