/* model_cells.h: the tables of cells and notebooks in the model of a report. */
#pragma once

#include "report.h"

/* Sets `notebooks`; returns their names and times, {NAME: row}. */
json_t *model_notebooks(json_t *model, const struct report *);
/* Sets `cells` and `with_items`. */
void model_cells(json_t *model, const struct report *);
/* Sets `failures`, and `headings`; of one notebook or of all
 * (NULL). */
void model_failures(json_t *model, const struct report *, const struct report_notebook *only);
void model_headings(json_t *model, const struct report *, const struct report_notebook *only);
/* Sets `slowest`, `pictures`, and the `diagnoses` of the other cells. */
void model_slowest(json_t *model, const struct report *);
