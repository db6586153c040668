/* figure_value.h: texts and numbers in a specification. */
#ifndef FIGURE_VALUE_H
#define FIGURE_VALUE_H

#include "base/nbscope.h"

#include <jansson.h>

json_t *figure_text(const char *);	/* any bytes; the caller's */
/* Gives an object a text, which may have any bytes, or what it was formatted to. */
void figure_set_text(json_t *object, const char *key, const char *fmt, ...) PRINTF(3, 4);
/* The same with a number of at most 12 digits; null if it is not finite. */
void figure_set_number(json_t *object, const char *key, double);

#endif
