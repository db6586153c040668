/* results_files.h: metrics from files of records and from tables. */
#ifndef RESULTS_FILES_H
#define RESULTS_FILES_H

#include "metric/results.h"

/* Reads records from the files (none: stdin).  Tables (CSV, Parquet, folders of them) are read
 * by a child process, table2metrics: `by`, columns with commas between, names what a cell is
 * there; if it is not NULL, all files are tables.  Exits with the child's status if it fails. */
void xresults_files(struct results *, char **paths, const char *by);

#endif
