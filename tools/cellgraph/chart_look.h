/* chart_look.h: the looks of a graph's curves. */
#ifndef CHART_LOOK_H
#define CHART_LOOK_H

#include "chart.h"

/* Colours that colour-blind people can distinguish; in black and white the dashes do. */
struct chart_look {
	const char *colour;	/* a name of share/figure/theme.json */
	double dash[4];	/* px; ends with 0 */
};
extern const struct chart_look chart_looks[LOOKS];

#endif
