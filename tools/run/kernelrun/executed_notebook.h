/* executed_notebook.h: a notebook with the outputs of its cells, as JupyterLab saves it. */
#ifndef EXECUTED_NOTEBOOK_H
#define EXECUTED_NOTEBOOK_H

#include "kernel_cells.h"

/* The caller's. */
json_t *executed_notebook(const struct kernel_cells *);

#endif
