/* model_cell.h: one cell in the model of a report, and what all sections say of it. */
#pragma once

#include "report.h"

/* "c-NAME/5", or without an index (0) "c-NAME", in characters that are valid in an id and in an
 * address; the caller's. */
char *model_anchor(const struct report_notebook *, long index);
/* Returns the file of a notebook's page as an address; null: it has no page. */
json_t *model_file(const struct report *, const struct report_notebook *);
/* Sets `notebook`, its name, `file` of its page, and the `anchor` of a cell there (0: null). */
void model_link(json_t *row, const struct report_notebook *, long index);
/* Sets a bar of phases: `parts`, `sum_s`, `handling`, and `scale_s`, its whole width (0: the sum),
 * or null without a time. */
void model_bar(json_t *row, const struct report *, const struct phase_times *, double client_s,
    double scale_s);
/* Sets the number of runs, the range of their times, and the time s of the one that is shown. */
void model_set_runs(json_t *row, size_t n, double least_s, double median_s, double most_s,
    double s);
/* Returns a new object of a cell with all this. */
json_t *model_cell(const struct report *, const struct cell_row *);
const char *model_status_class(enum cell_status);
