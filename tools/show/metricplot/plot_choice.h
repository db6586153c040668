/* plot_choice.h: which groups a figure shows, and in which order. */
#ifndef PLOT_CHOICE_H
#define PLOT_CHOICE_H

#include "plot.h"

/* Chooses the groups as the kind's "groups" say; notes say which are omitted. */
void plot_choice_make(struct plotting *);

#endif
