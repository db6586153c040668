/* profile_values.h: the value of a function or a line in each run. */
#pragma once

#include "json/scan.h"

/* The value of one run that was read, not of a folded record. */
struct profile_value {
	size_t run;	/* of profile_fold.read */
	double time_s, count;
};
struct profile_values {
	struct profile_value *v;	/* in the order of the runs */
	size_t n;
};
/* Appends the record's value to those of its run, unless it is folded over runs. */
void profile_values_append(struct scan *, struct profile_values *, size_t run, double time_s,
    double count);
