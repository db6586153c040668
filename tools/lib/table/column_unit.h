/* column_unit.h: the unit of a column: the user's --unit, else what its name says. */
#pragma once

#include "text/unit.h"

void xcolumn_units(const char *text);	/* "memory=bytes,run_time=s" */
/* The unit that most of its values have, if neither says one. */
void column_unit_set(const char *column, const char *symbol);
struct unit column_unit(const char *column);
struct unit column_unit_named(const char *column);	/* whatever its values have */
/* False: the sum of its values has no meaning, see metric_adds_up(). */
bool column_adds_up(const char *column);
