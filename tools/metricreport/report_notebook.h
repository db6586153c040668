/* report_notebook.h: the page of one notebook: what was on screen, and the cells' sources. */
#ifndef REPORT_NOTEBOOK_H
#define REPORT_NOTEBOOK_H

#include "report_model.h"

report_part report_notebook_overview, report_strip, report_sources;

#endif
