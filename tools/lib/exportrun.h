/* exportrun.h: runs as runexport holds them: cells and interactions in memory, samples in a
 * temporary file, for a cell's record comes after its samples. */
#ifndef EXPORTRUN_H
#define EXPORTRUN_H

#include "scan.h"

struct columns {
	char **names;
	size_t n;
};
struct cell {
	double begin_t, end_t;	/* on the samples' clock */
	json_t *record;	/* with end_t, on the page's */
};
struct run {
	json_t *record;	/* NULL: samples of no run */
	bool kernel_here;	/* on the clock that samples have */
	struct cell *cells;
	size_t n;
	json_t *interactions;	/* a list of records; NULL: none */
	struct begun { const struct cell *cell; double until_t; } *begun;	/* by begin; until when one up to here lasts */
	size_t n_begun;
};
struct runs {
	struct run *run;
	size_t n;
	FILE *samples;	/* each: its run, its length, its line */
	const char *only_role;	/* NULL: samples of all; set before reading */
	bool no_samples;
	struct columns *columns;	/* gets the names of what samples hold */
};

/* One sample with what the table adds to it. */
struct row {
	const struct run *run;
	size_t nth;	/* of the run */
	const struct cell *cell;	/* NULL: between cells */
	double cpu_pct;
	json_t *gpus;	/* NULL: none */
};

void add_column(struct columns *, const char *name, size_t n);	/* once */
/* Reads the files of `list`, argv's rest, as xscan_files does. */
void xread_runs(struct runs *, char **list);
/* Calls `put` for every sample in turn. */
void each_sample(struct runs *, void (*put)(const struct row *, struct scan *));

#endif
