/* report_slowest.h: the slowest cells, with what was on screen and why they were slow. */
#ifndef REPORT_SLOWEST_H
#define REPORT_SLOWEST_H

#include "report_model.h"

report_part report_slowest;	/* with their diagnoses */
report_part report_diagnosis;	/* those of other cells */

#endif
