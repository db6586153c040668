/* chart_text.h: a chart as text for a terminal. */
#pragma once

#include "chart.h"

enum glyphs { G_BRAILLE, G_BLOCK, G_ASCII };
size_t chart_text_bins(size_t columns, enum glyphs);	/* how many columns of curves fit */
/* rows 0: as many as it needs. */
void chart_text(struct buf *, const struct chart *, size_t columns, size_t rows, enum glyphs,
    bool colour);
