/* metric_text.h: cells and values of metrics as text for people. */
#ifndef METRIC_TEXT_H
#define METRIC_TEXT_H

#include "metric/results.h"

/* Both return text that the caller frees. */
char *metric_text_cell(const struct result_cell *);	/* "quickstart-side250 cell 3" */
/* 0.0717 s: "71.7 ms"; 54374400 bytes: "54.4 MB"; "-" if it is not finite. */
char *metric_text_value(double, const char *column);

#endif
