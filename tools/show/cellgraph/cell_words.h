/* cell_words.h: the title of a run's graph, and the notes below it. */
#pragma once

#include "cell_chart.h"

/* Sets them for a chart that has its panels. own: some levels are cells' own readings instead of
 * samples; peaks: some are peaks within a cell. */
void cell_words(const struct view *, struct chart *, bool own, bool peaks);
