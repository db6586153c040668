/* report_read.h: records, read into a report. */
#ifndef REPORT_READ_H
#define REPORT_READ_H

#include "json/scan.h"
#include "report.h"

void report_read_start(struct report *);
void report_read_record(struct report *, struct scan *);

#endif
