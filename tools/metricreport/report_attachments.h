/* report_attachments.h: the calibration, figures, and the index of reports. */
#ifndef REPORT_ATTACHMENTS_H
#define REPORT_ATTACHMENTS_H

#include "report_model.h"

report_part report_calibration, report_figures, report_list;

#endif
