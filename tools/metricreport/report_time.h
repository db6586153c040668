/* report_time.h: where the time went. */
#ifndef REPORT_TIME_H
#define REPORT_TIME_H

#include "report_model.h"

/* The bar of a cell, as a part of scale_s. */
void report_bar(struct buf *, const struct report *, const struct spent *, double client_s,
    double from_s, double scale_s);
/* A link to the notebook's page, if there are pages, at a cell (0: none). */
/* text NULL: report_book_name(). */
void report_book_link(struct buf *, const struct report *, const struct book *, long index,
    const char *text);
report_part report_phases_table, report_slowest, report_timeline;

#endif
