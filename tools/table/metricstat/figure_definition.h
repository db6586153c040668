/* figure_definition.h: our figures, and what others may mean by the same names. */
#ifndef FIGURE_DEFINITION_H
#define FIGURE_DEFINITION_H

#include "summary_columns.h"

/* Our figure for one group. */
double figure_definition_ours(const struct stat_table *, const struct summary_column *,
    size_t group);
/* The group's values; *n of them.  The caller frees them. */
double *figure_definition_values(const struct stat_table *, size_t of, size_t group, size_t *n);
double figure_definition_quantile(const struct stat_table *, size_t of, size_t group, double p,
    enum quantile);
/* Another definition of a figure of this name; the last has no text. */
struct figure_definition {
	const char *text;
	double (*value)(const struct stat_table *, const struct summary_column *, size_t group);
	bool (*suits)(const struct summary_column *);
	bool before_rounding;	/* it explains what rounding would explain, too */
};
extern const struct figure_definition figure_definitions[];

#endif
