/* request.h: what to request for further executions of each group: memory, time and cores. */
#pragma once

#include "table/stat_figure.h"

#include <jansson.h>

struct request_options {
	const char *risk, *killed, *execution;
	double confidence_pct;
	long attempts;
};
extern struct request_options request_options;
void xrequest_need(void);	/* before the table is read, if a risk is given */
/* An array of records, one for each group; a new reference.  Dies with ST_USAGE if no analysed
 * column is one of memory. */
json_t *xrequest_records(const struct stat_table *);
