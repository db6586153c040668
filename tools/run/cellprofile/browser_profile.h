/* browser_profile.h: the page's side of a cell, from the sampling profiler of DevTools. */
#pragma once

#include "notebook/notebook.h"

/* Starts sampling the page's JavaScript: NULL, or why it cannot be sampled, which the caller
 * frees. */
char *browser_profile_start(void);
/* Ends it and writes the records of a cell that started at unix time t: nbscope-records(7).
 * browser: its name and version. */
void browser_profile_write(const struct notebook_cell *, double t, const char *browser);
