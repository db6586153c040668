/* python_literal.h: text in a Python expression. */
#ifndef PYTHON_LITERAL_H
#define PYTHON_LITERAL_H

/* A string literal with this value, in ASCII; the caller's. */
char *python_literal(const char *text);

#endif
