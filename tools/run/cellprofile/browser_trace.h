/* browser_trace.h: the browser's own work in a cell, and the messages that crossed meanwhile. */
#pragma once

#include "notebook/notebook.h"

/* Once.  opened: the driver's question of type "open". */
void browser_trace_open(const json_t *opened);
void browser_trace_start(void);
/* Ends it.  What the page's threads did when, in seconds after unix time t: see
 * share/profile/outside/spans.py.  profile: that of JavaScript.  NULL: unknown. */
json_t *browser_trace_end(json_t *profile, double t);
/* Writes the profile_message records of the cell. */
void browser_trace_messages(const struct notebook_cell *);
