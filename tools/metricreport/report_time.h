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
/* The first line of a cell; on a notebook's page, a link to its source. */
void report_code_cell(struct buf *, const struct report *, const struct report_cell *);
void report_legend(struct buf *, bool apart);
/* The phases of all cells together, their client time and their number. */
struct spent report_spent_of_all(const struct report *, double *client_s, size_t *n);
report_part report_phases_table, report_timeline;

#endif
