/* browser_profile.h: the page's side of a cell, from the sampling profiler of DevTools. */
#ifndef BROWSER_PROFILE_H
#define BROWSER_PROFILE_H

#include "drive/notebook.h"

struct wd;

/* Starts sampling the page's JavaScript: 0, or -1, see w->message (chromedriver only). */
int browser_profile_start(struct wd *w);
/* Ends it and writes the records of a cell that started at unix time t: nbscope-records(7). */
void browser_profile_write(struct wd *w, const struct notebook_cell *, double t);

#endif
