/* chart_look.c: the looks of a graph's curves. */
#include "chart_look.h"

const struct chart_look chart_looks[LOOKS] = {
	{"blue", {0}}, {"vermilion", {5, 2}}, {"green", {2, 2}}, {"blue", {0}}, {"soft", {8, 3}},
	{"brown", {11, 2}}, {"pink", {7, 2, 2, 2}}, {"black", {1, 2}},
};
