/* plot_options.h: the measures and categories that the user requests; all die with ST_USAGE. */
#ifndef PLOT_OPTIONS_H
#define PLOT_OPTIONS_H

#include "base/opt.h"
#include "plot_groups.h"

struct plot_request {
	const struct opt_usage *usage;
	void (*require)(const char *column, enum keep);	/* called for each that is required */
};
bool plot_is_kind(const struct plotting *, const char *name);
bool plot_has_one_number(const struct plotting *);	/* for each group and measure */
/* COLUMN, COLUMN:STATISTIC, COLUMN/COLUMN or count, separated by commas; NULL: none. */
void xplot_measures(struct plotting *, const struct plot_request *, const char *list);
/* In the form of xbins(); NULL: none. */
void xplot_categories(struct plotting *, const struct plot_request *, const char *text);

#endif
