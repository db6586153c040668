/* prom.h: metrics in Prometheus' text exposition format. */
#ifndef PROM_H
#define PROM_H

#include "json/scan.h"

extern bool prom_notebooks_only;
extern long prom_most;	/* series; more are refused */

/* Takes cell_metrics and notebook_metrics; leaves others. */
scan_taker prom_take;
/* The text of the metrics of one group, of all where it is NULL; dies with
 * ST_INPUT where there are too many. */
void prom_text(struct buf *, const char *group);
/* Of one use case and label: usecase="...",label="..."; borrowed, NULL behind the
 * last.  Each is told once. */
const char *prom_group(size_t i);
/* A member of such a text, undone; the caller's. */
char *prom_label(const char *group, const char *name);

/* prompush.c: to a Pushgateway, each group to its place there; dies where it is
 * refused. */
void prom_push(const char *url);

#endif
