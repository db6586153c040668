/* metric.h: what was measured of one cell, and of all of a notebook's. */
#ifndef METRIC_H
#define METRIC_H

#include "member.h"

/* Those that more is made of than a copy, then the others. */
enum {
	CLIENT, KERNEL, DATA, SETTLED, QUEUE, DELIVERY, QUEUE_DELIVERY,
	MESSAGES, MESSAGES_SENT, MESSAGES_RECEIVED, WS_BYTES, HTTP_BYTES, OTHERS,
	METRICS = OTHERS + 22,
};
struct metrics {
	double value[METRICS];	/* NaN: not known */
	struct span text[METRICS];	/* of those that are no numbers */
};
/* From a `cell` record. */
void read_metrics(struct metrics *, struct scan *cell);
/* As members of a line; NULL: all null. */
void put_metrics(struct buf *, const struct metrics *);

struct sums {
	double value[METRICS];	/* NaN: of nothing */
	bool apart;	/* queue and delivery are known wherever their sum is */
	bool partial;	/* a cell lacks its time or its bytes */
};
void sums_start(struct sums *);
void sums_add(struct sums *, const struct metrics *);
void sums_put(struct buf *, const struct sums *);

#endif
