/* plot_filter.h: share/figure/figure.jq, which binds a kind of figure to what was counted. */
#pragma once

#include <jansson.h>

/* Starts it, which needs a moment to be ready. */
void xplot_filter_start(void);
/* What it answers; takes over `input`.  Dies with ST_INPUT if a kind of figure cannot be bound,
 * with ST_SYSTEM if there is no jq.  The caller's. */
json_t *xplot_filter(json_t *input);
void plot_filter_end(void);
