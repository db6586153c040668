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
	const struct energy_share_settings *energy;
};
/* Reads the values from a `cell` or `interaction` record and the samples before it. */
void cell_values_read(struct cell_values *, struct scan *, const struct cell_context *);
/* Reads what the film of a cell shows; its times are not read, since filming changes them. */
void cell_values_read_film(struct cell_values *, const struct cell_context *);
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
/* Only the longest of interactions counts, as a value of its own. */
void cell_sums_add_interaction(struct cell_sums *, const struct cell_values *);
void cell_sums_put(struct buf *, const struct cell_sums *);
