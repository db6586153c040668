/* series_table.h: the quantities that samples have, for graphs and traces. */
#ifndef SERIES_TABLE_H
#define SERIES_TABLE_H

#include "run/series.h"

enum { SERIES_TABLE = 25 };
extern const struct series_def series_table[SERIES_TABLE];

#endif
