/* cell_time.h: how long a cell took, of which its phases are shares. */
#ifndef CELL_TIME_H
#define CELL_TIME_H

/* Of the values of all metrics: the client time, or if the cell ran without a browser the time from
 * the request to its reply; NaN: unknown. */
double cell_time(const double *number);

#endif
