/* chart_text.h: a graph as characters on a terminal. */
#ifndef CHART_TEXT_H
#define CHART_TEXT_H

#include "chart.h"

enum glyphs { G_BRAILLE, G_BLOCK, G_ASCII };
/* The number of columns of a curve. */
size_t chart_text_bins(size_t columns, enum glyphs);
/* rows 0: as many as the panels need. */
void chart_text(struct buf *, const struct chart *, size_t columns, size_t rows, enum glyphs,
    bool colour);

#endif
