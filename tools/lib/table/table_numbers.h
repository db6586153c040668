/* table_numbers.h: the text of a field as a number. */
#pragma once

#include "table/table.h"

bool table_is_invalid(double);
/* The number that is the whole text except blanks around it; otherwise a NaN:
 * table_is_invalid(), or missing if the text is empty or a word for that. */
double table_number(const char *p, size_t n);
/* How the text of a number is written. */
struct number_form {
	struct unit unit;	/* its own; OF_NOTHING: it has none */
	bool comma;		/* a decimal one */
};
/* The number in the unit of the column. */
double table_number_in(const struct table *, const struct column *, const char *p, size_t n,
    struct number_form *);
