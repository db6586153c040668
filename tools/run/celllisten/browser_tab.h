/* browser_tab.h: the tabs of a browser that was joined. */
#pragma once

#include "browser/wd.h"

/* Switches to the tab that shows the notebook `name` (the end of its path; NULL: any
 * notebook, preferably a visible one) and returns what share/page/where.js reports of it;
 * NULL: there is none. */
json_t *browser_tab_find(struct wd *, const char *name);
int browser_tab_open(struct wd *);	/* a new one, and switches to it; 0, or -1: see w->code */
