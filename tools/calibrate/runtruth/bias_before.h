/* bias_before.h: the bias of each metric in an earlier calibration. */
#ifndef BIAS_BEFORE_H
#define BIAS_BEFORE_H

/* Reads the truth records in a file; there are none if it does not exist. */
void xbias_before_read(const char *path);
/* The median error of a metric; `cell` NULL: of all cells.  NaN: it is not known. */
double bias_before(const char *metric, const char *cell);

#endif
