/* cell_time.h: how long a cell took, of which its phases are shares. */
#pragma once

#include <stdbool.h>

/* Returns the client time from the values of all metrics or, if the cell ran without a browser, the
 * time from the request to its reply; NaN: unknown. */
double cell_time(const double *number);
/* Whether a page saw the cell: it has a client time, or at least that of rendering. */
bool cell_time_has_page(const double *number);
