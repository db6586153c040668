/* cell_files.h: the files under whose names the kernel compiles the code of cells. */
#pragma once

#include "notebook/notebook.h"

void cell_files_open(const struct notebook *);	/* asks the kernel, once */
/* A file's name next to the notebook, if it is there; else the file. */
const char *cell_files_name(const char *file);
/* What records call the code cell with this file, that with the index `current` if several have it,
 * and how many lines of it, or of its script, precede the kernel's first one.  NULL: no cell. */
const char *cell_files_cell(const char *file, size_t n, size_t current, long *left_out);
