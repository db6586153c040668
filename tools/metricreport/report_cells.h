/* report_cells.h: tables of cells and notebooks, and failures. */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "report_model.h"

report_part report_cells, report_data, report_notebooks, report_notebook_cells, report_failures;

#endif
