/* export_run.h: runs as runexport holds them: cells and interactions in memory, samples in a
 * temporary file, since a cell's record comes after its samples. */
#pragma once

#include "run/loaded_run.h"
#include "run/role.h"

struct export_columns {
	char **names;
	size_t n;
};
struct export_run {
	struct loaded_run held;
	json_t *interactions;	/* a list of records; NULL: none */
};
struct exports {
	struct export_run *runs;
	size_t n;
	/* The caller sets these before reading. */
	enum role role;	/* the role whose samples are read; ROLES: all */
	bool no_samples;
	struct export_columns *columns;	/* gets the names of the samples' members */
};
/* A sample with what the table adds to it. */
struct export_sample {
	const struct export_run *run;
	size_t nth;	/* of the run */
	struct scan *record;
	const struct run_cell *cell;	/* NULL: between cells */
	double cpu_pct;
	json_t *gpus;	/* "gpu0_utilization_pct" and so on; NULL: none */
};

void export_add_column(struct export_columns *, const char *name, size_t n);	/* once */
/* Reads the files of `list`, argv's rest, as xscan_files does. */
void xexport_read(struct exports *, char **list);
/* Calls `put` for every sample in turn. */
void export_each_sample(struct exports *, void (*put)(const struct export_sample *));
