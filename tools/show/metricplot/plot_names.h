/* plot_names.h: the names in a figure. */
#ifndef PLOT_NAMES_H
#define PLOT_NAMES_H

#include "plot.h"

/* Sets the labels of the rows, and how those that are too long are shown. */
void plot_names_shorten(struct plotting *);
/* Sets what a scale can have: names of groups, of the key's values, of measures and of classes. */
void plot_names_set(struct plotting *, const struct pane *, json_t *values);

#endif
