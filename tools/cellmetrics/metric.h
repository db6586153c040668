/* metric.h: what was measured of one cell, and of all of a notebook's. */
#ifndef METRIC_H
#define METRIC_H

#include "json/member.h"

/* What is made of a role's samples and readings, in its block of columns. */
enum of_role {
	MIN_CPU, MEAN_CPU, MAX_CPU, MIN_MEMORY, MEAN_MEMORY, MAX_MEMORY, MIN_RSS, MEAN_RSS, MAX_RSS, ROLE_ENERGY, ROLE_CO2E,
	SAMPLES, OF_ROLE,
};
/* Those that more is made of than a copy, then the others. */
enum {
	CLIENT, KERNEL, DATA, SETTLED, QUEUE, DELIVERY, TRANSPORT, RENDER,
	MESSAGES, MESSAGES_SENT, MESSAGES_RECEIVED, WS_BYTES, COMM_RECEIVED, HTTP_BYTES, CONSOLE, BLOCKING,
	KERNEL_CPU, KERNEL_PEAK, KERNEL_METHOD, KERNEL_DELAY, KERNEL_MAJOR, KERNEL_READ, KERNEL_WRITE, KERNEL_MADE,
	BROWSER_CPU = KERNEL_MADE + OF_ROLE, BROWSER_PEAK, BROWSER_METHOD, BROWSER_DELAY, BROWSER_MADE,
	SERVER_CPU = BROWSER_MADE + OF_ROLE, MACHINE_CPU, ENERGY, GPU_MEAN_USE, GPU_MAX_USE, GPU_MEMORY,
	SPEED_INDEX, COMPLETE,	/* 85, 95, 99 % */
	ITEMS = COMPLETE + 3, ITEMS_DONE, ITEMS_RATE, ITEMS_DONE_RATE, OTHERS,
	METRICS = OTHERS + 61,
};
struct metrics {
	double value[METRICS];	/* NaN: not known */
	struct span text[METRICS];	/* of those that are no numbers */
};
struct energy_share_settings;
/* What is known of a cell beside its record. */
struct cell_ends {
	double pressed_t;	/* unix seconds, the page's clock */
	double from_t, to_t;	/* the press and the last thing that happened, on the samples' clock */
	double memory_bytes;	/* the machine's */
	size_t min_samples;	/* fewer say nothing of a cell */
	long console_errors;
	const struct energy_share_settings *energy;
};
/* From a `cell` record and the samples before it. */
void read_metrics(struct metrics *, struct scan *cell, const struct cell_ends *);
/* Of a filmed cell: when it was seen, and no time that filming disturbed. */
void read_film(struct metrics *, const struct cell_ends *);
/* As members of a line; NULL: all null. */
void put_metrics(struct buf *, const struct metrics *);

struct sums {
	double value[METRICS];	/* NaN: of nothing */
	double weight[METRICS];
	bool apart;	/* queue and delivery are known wherever their sum is */
	bool partial;	/* a cell lacks its time or its bytes */
};
void sums_start(struct sums *);
void sums_add(struct sums *, const struct metrics *);
void sums_put(struct buf *, const struct sums *);

#endif
