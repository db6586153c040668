/* report_findings.h: what other filters found: outliers, scaling, a comparison. */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "report_model.h"

report_part report_outliers, report_scaling, report_comparison;

#endif
