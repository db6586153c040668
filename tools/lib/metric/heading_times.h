/* heading_times.h: the time of cells by the headings of their notebooks. */
#pragma once

#include <stddef.h>

struct heading_times {
	struct heading_time {
		char *heading;	/* "": above the first one */
		double client_s;	/* or the kernel's */
		size_t cells;
	} *v;	/* in the notebook's order */
	size_t n;	/* 0 or 1: the headings do not divide the cells */
};
/* Adds a cell; heading NULL: there is none above it. */
void heading_times_cell(struct heading_times *, const char *heading, double client_s);
/* Adds all of another. */
void heading_times_add(struct heading_times *, const struct heading_times *);
double heading_times_sum(const struct heading_times *);
void heading_times_free(struct heading_times *);
