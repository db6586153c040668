/* model_cell.h: one cell in the model of a report, and what all sections say of it. */
#ifndef MODEL_CELL_H
#define MODEL_CELL_H

#include "report.h"

/* Returns the address of a notebook's page, at an id (""), for another page or for the report;
 * null: it has no page. */
json_t *model_href(const struct report *, const struct report_notebook *, bool page,
    const char *at);
/* Sets `notebook`, its name, and `href`, the address of its page, at a cell (0: none), or null. */
void model_link(json_t *row, const struct report *, const struct report_notebook *, long index);
/* A bar of phases that begins at from_s, where scale_s is its whole width; null: no time. */
json_t *model_bar(const struct report *, const struct phase_times *, double client_s, double from_s,
    double scale_s);
/* Sets the number of runs, the range of their times, and the time s of the one that is shown. */
void model_set_runs(json_t *row, size_t n, double least_s, double median_s, double most_s,
    double s);
/* A row of the cell tables; scale_s 0: the bar has the shares of its phases; -1: there is none. */
json_t *model_cell(const struct report *, const struct cell_row *, double scale_s);
const char *model_status_class(enum cell_status);

#endif
