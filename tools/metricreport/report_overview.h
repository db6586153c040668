/* report_overview.h: the first screen: how long a person waits, where the time goes, which cell is
 * slowest, whether it became worse, and whether the numbers can be trusted. */
#ifndef REPORT_OVERVIEW_H
#define REPORT_OVERVIEW_H

#include "report_model.h"

report_part report_title, report_verdict, report_overview;
struct report_totals {
	double client_s, wall_s, from_t, to_t, mb;
	size_t cells, runs, failed;
};
struct report_totals report_totals_of(const struct report *);

#endif
