/* cell_values.h: the values of a cell's metrics, and their sums over a notebook. */
#pragma once

#include "json/scan.h"
#include "metric/catalogue.h"

struct cell_values {
	double number[METRICS];	/* by enum metric_id; NaN: unknown */
	struct span text[METRICS];	/* of the record, also of numbers */
	const char *word[METRICS];	/* instead of the text; NULL: none */
	size_t processors;	/* that the kernel may use; 0: unknown */
};
struct energy_share_settings;
/* What is known of a cell or an interaction besides its record. */
struct cell_context {
	struct span interaction;	/* its name as JSON text; missing: a cell */
	double pressed_t;	/* unix seconds, the page's clock */
	double from_t, to_t;	/* its turn and its end, on the samples' clock */
	double memory_bytes;	/* the machine's */
	size_t min_samples;	/* fewer give no minimum and maximum */
	long console_errors;
	bool filmed;	/* only what the film shows counts, since filming changes all times */
	const struct energy_share_settings *energy;
};
/* Reads the values from a `cell` or `interaction` record and the samples before it. */
void cell_values_read(struct cell_values *, struct scan *, const struct cell_context *);
/* Returns the client time from the values of all metrics or, if the cell ran without a browser, the
 * time from the request to its reply; NaN: unknown. */
double cell_values_time(const double *number);
/* Whether a page saw the cell: it has a client time, or at least that of rendering. */
bool cell_values_have_page(const double *number);
/* Writes the values of the metrics that a table has as members of a line; NULL: all are null. */
void cell_values_put(struct buf *, const struct cell_values *, bool (*has)(const struct metric *));

struct cell_sums {
	double number[METRICS];	/* NaN: no cell has a value */
	double weight[METRICS];
	bool apart;	/* queue and delivery are known wherever their sum is */
	bool partial;	/* a cell lacks its time or its bytes */
};
void cell_sums_start(struct cell_sums *);
void cell_sums_add(struct cell_sums *, const struct cell_values *);
void cell_sums_put(struct buf *, const struct cell_sums *);
