/* table_numbers.h: the text of a field as a number. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A NaN of its own for text that is not a finite number. */
double table_invalid(void);
bool table_is_invalid(double);
/* The number that is the whole text except blanks around it; otherwise a NaN:
 * table_is_invalid(), or missing if the text is empty or a word for that. */
double table_number(const char *p, size_t n);
