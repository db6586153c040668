/* report_tables.h: the results of metricstat for any table. */
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include "report_model.h"

report_part report_table_overview, report_groups, report_check, report_largest;

#endif
