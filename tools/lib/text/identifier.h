/* identifier.h: names of parameters and variables, [A-Za-z_][A-Za-z0-9_]*. */
#ifndef IDENTIFIER_H
#define IDENTIFIER_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the identifier at the start of a string; 0 if there is none. */
size_t identifier_length(const char *s);
/* Whether the whole string is one. */
bool identifier_valid(const char *s);

#endif
