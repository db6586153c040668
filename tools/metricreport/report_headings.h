/* report_headings.h: the time of cells by the headings of their notebooks. */
#ifndef REPORT_HEADINGS_H
#define REPORT_HEADINGS_H

#include "report_model.h"

report_part report_headings;

#endif
